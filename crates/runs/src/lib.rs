//! Utilities that the other crates share.
//!
//! | for | see |
//! |---|---|
//! | random numbers from a seed | [`chance`] |
//! | charts and tables | [`chart`], [`table`] |
//! | HTML pages with boards and games | [`page`], [`markup`] |
//! | durations with a unit, today's date, numbers of things | [`time`], [`count`] |
//! | writing a file completely or not at all, output files of a command | [`file`], [`outputs`] |
//! | work that resumes after an interruption | [`checkpoint`] |
//! | time, pauses and chance, also without a system | [`host`] |
//! | locking a file against other processes | [`lock`] |
//! | `KEY=VALUE` words | [`keyvalue`] |
//! | worker threads | [`pool`] |
//! | stopping work, signals from the system | [`stop`], [`signal`] |
//! | estimates of playing strength and SPRT | [`statistics`] |
//!
//! ```
//! use common::statistics::{Estimate, Wdl};
//! use common::stop::StopToken;
//! use common::table::Table;
//!
//! let table = Table::of(&[("Kelso", 12)]).words("engine", |row| row.0).number("won", |row| row.1).build();
//! assert_eq!(table.to_string(), "engine  won\nKelso    12\n");
//!
//! let estimate = Estimate::of_games(Wdl::new(60, 20, 20)).ok_or("no games")?;
//! assert_eq!(estimate.elo.value.round(), 147.0);
//!
//! let stop = StopToken::default();
//! let search = stop.child();
//! stop.stop();
//! assert!(search.is_stopped());
//! # Ok::<(), &str>(())
//! ```

pub mod chance;
pub mod chart;
pub mod checkpoint;
pub mod count;
pub mod file;
pub mod host;
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
