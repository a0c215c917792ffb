//! Kelso, an engine for English draughts.

pub mod board;
pub mod checkerboard;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod process;
pub mod protocol;
pub mod search;
pub mod transcript;
