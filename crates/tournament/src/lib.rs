//! Matches between engines: schedules, adjudication, saved games, and reports of the results.
//!
//! ```
//! use kelso_tournament::adjudication::Agreement;
//!
//! let agreement: Agreement = "from=60,moves=8,score=5".parse()?;
//! assert_eq!(agreement.moves, 8);
//! # Ok::<(), kelso_syntax::WordError>(())
//! ```

pub mod adjudication;
mod checkpoint;
pub mod collection;
mod game_runner;
pub mod header;
pub mod match_game;
pub mod openings;
mod pdn;
pub mod play;
pub mod report;
pub mod runner;
pub mod schedule;
mod setup;
pub mod tally;
