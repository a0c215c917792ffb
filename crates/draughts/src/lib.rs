//! Rules, moves and notation of English draughts.

pub mod board;
pub mod diagram;
pub mod notation;
pub mod referee;

pub use board::{Game, Move, Position};
