//! Parsing and formatting of positions, moves and games.

pub mod encoding;
pub mod fen;
pub mod movetext;
pub mod pdn;

pub use fen::PositionError;
pub use movetext::{MoveError, MoveText};
