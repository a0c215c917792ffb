//! Matches between engines: who plays whom, from where, by which rules, and what the results mean.
//!
//! The arena knows engines only as child processes that speak a protocol, never the search of this crate, so that ours
//! is measured by the same means as every other.

pub mod openings;
pub mod schedule;
pub mod statistics;
