//! Shared utilities. Each exists once.
//!
//! | for | see |
//! |---|---|
//! | random numbers | [`chance`] |
//! | checkpoints of long runs | [`checkpoint`] |
//! | curves as SVG | [`chart`] |
//! | times with a unit | [`time`] |
//! | numbers with nouns, as `3 games` | [`count`] |
//! | today's date | [`date`] |
//! | atomic writing of files | [`file`] |
//! | lists of `KEY=VALUE` words | [`keyvalue`] |
//! | lock files | [`lock`] |
//! | worker threads and queues of jobs | [`pool`] |
//! | checks of the files that a command writes | [`outputs`] |
//! | termination signals | [`signal`] |
//! | stop tokens | [`stop`] |
//! | tables of text | [`table`] |
//!
//! Nothing here knows the rules of draughts; [`page`] draws boards.

pub mod chance;
pub mod chart;
pub mod checkpoint;
pub mod count;
pub mod date;
pub mod file;
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
