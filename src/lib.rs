//! Kelso, an engine for English draughts.

pub mod arena;
pub mod board;
pub mod cli;
pub mod egdb;
pub mod engine;
pub mod eval;
pub mod lab;
pub mod notation;
pub mod process;
pub mod protocol;
pub mod search;
pub mod transcript;
