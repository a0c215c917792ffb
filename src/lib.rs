//! Kelso, an engine for English draughts.

pub mod board;
pub mod egdb;
