//! Matches between engines: who plays whom, from where, by which rules, and what the results mean.
//!
//! The arena knows engines only as child processes that speak a protocol, never the search of this crate, so that ours
//! is measured by the same means as every other.

pub mod adjudication;
pub mod check;
pub mod collection;
pub mod course;
pub mod fingerprint;
pub mod game;
pub mod header;
pub mod limits;
pub mod openings;
pub mod pdn;
pub mod player;
pub mod protocol;
pub mod random;
pub mod record;
pub mod repeats;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod spec;
pub mod statistics;
pub mod store;
pub mod tally;
mod written;
