//! Players: engines as child processes, the protocols they speak, their clocks and limits, and the openings they play.
//!
//! Engines are known here only as child processes that speak a protocol, never as the search of this crate, so that ours
//! is measured by the same means as every other.

pub mod check;
pub mod course;
pub mod fingerprint;
pub mod limits;
pub mod openings;
pub mod player;
pub mod process;
pub mod protocol;
pub mod random;
pub mod score;
pub mod spec;
