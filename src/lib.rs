//! Kelso, an engine for English draughts.

pub mod arena;
pub mod board;
pub mod cli;
pub mod notation;
pub mod process;
