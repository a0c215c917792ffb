//! Matches between engines: schedules, adjudication, saved games, and reports of the results.

pub mod adjudication;
pub mod collection;
pub mod game;
pub mod header;
pub mod pdn;
pub mod record;
pub mod repeats;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod store;
pub mod tally;
mod written;
