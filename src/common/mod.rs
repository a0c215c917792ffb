//! Small things that every room uses, one of each: whoever needs one finds it here, and nobody writes a second.
//!
//! | for | see |
//! |---|---|
//! | whatever is left to chance | [`chance`] |
//! | writing a file whole or not at all | [`file`] |
//! | keeping other runs away from a file | [`lock`] |
//! | text inside XML, HTML and SVG | [`markup`] |
//! | lists of `KEY=VALUE` words | [`keyvalue`] |
//! | a text in an error | [`quoted`] |
//!
//! Nothing here knows of draughts, and nothing here uses another room.

pub mod chance;
pub mod file;
pub mod keyvalue;
pub mod lock;
pub mod markup;
pub mod quoted;
#[cfg(test)]
pub(crate) mod testing;
