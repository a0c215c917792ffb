//! Small things that every room uses, one of each: whoever needs one finds it here, and nobody writes a second.
//!
//! | for | see |
//! |---|---|
//! | whatever is left to chance | [`chance`] |
//! | curves as SVG | [`chart`] |
//! | times with a unit | [`time`] |
//! | numbers of things in sentences | [`count`] |
//! | today's date | [`date`] |
//! | writing a file whole or not at all | [`file`] |
//! | jobs that keep each finished game on disk, and go on after a kill | [`journal`] |
//! | lists of `KEY=VALUE` words | [`keyvalue`] |
//! | keeping other runs away from a file | [`lock`] |
//! | text inside XML, HTML and SVG | [`markup`] |
//! | a text in an error | [`quoted`] |
//! | asking work to stop | [`stop`] |
//! | tables of text | [`table`] |
//!
//! Nothing here knows of draughts, and nothing here uses another room.

pub mod chance;
pub mod chart;
pub mod count;
#[cfg(feature = "cli")]
pub mod date;
pub mod file;
#[cfg(feature = "cli")]
pub mod journal;
pub mod keyvalue;
#[cfg(feature = "cli")]
pub mod lock;
pub mod markup;
pub mod quoted;
pub mod stop;
pub mod table;
#[cfg(test)]
pub(crate) mod testing;
pub mod time;
