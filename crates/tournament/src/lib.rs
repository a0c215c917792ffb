//! Matches between engines: schedules, adjudication, saved games, and reports of the results.
//!
//! ```
//! use tournament::schedule::Shard;
//!
//! let shard: Shard = "2/8".parse()?;
//! assert_eq!((shard.index, shard.count), (2, 8));
//! # Ok::<(), String>(())
//! ```

pub mod adjudication;
pub mod collection;
mod game;
pub mod header;
mod pdn;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod tally;
