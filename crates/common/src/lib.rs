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
//! | worker threads, and jobs that they share | [`pool`] |
//! | which files a command may write | [`outputs`] |
//! | signals that ask the program to end | [`signal`] |
//! | asking work to stop | [`stop`] |
//! | tables of text | [`table`] |
//!
//! Of draughts nothing here knows more than how a board is drawn.

pub mod chance;
pub mod chart;
pub mod count;
pub mod date;
pub mod file;
pub mod journal;
pub mod keyvalue;
pub mod lock;
pub mod markup;
pub mod outputs;
pub mod page;
pub mod pool;
pub mod signal;
pub mod statistics;
pub mod stop;
pub mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod time;
