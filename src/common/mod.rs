//! Small things that every room uses, one of each: whoever needs one finds it here, and nobody writes a second.
//!
//! | for | see |
//! |---|---|
//! | writing a file whole or not at all | [`file`] |
//! | keeping other runs away from a file | [`lock`] |
//! | text inside XML, HTML and SVG | [`markup`] |
//!
//! Nothing here knows of draughts, and nothing here uses another room.

pub mod file;
pub mod lock;
pub mod markup;
#[cfg(test)]
pub(crate) mod testing;
