//! Squares, pieces, positions, moves, and the rules that end a game.
//!
//! The rules are those of the WCDF. There are 32 dark squares. Black starts on 1-12, moves first, and moves
//! towards higher numbers. Men move and capture forward, kings in all four directions, one step at a time.
//! Captures are compulsory and must be continued as far as possible, but the player may choose among them. A
//! man that reaches the far row is crowned, which ends its move.

mod game;
mod generate;
mod moves;
mod perft;
mod piece;
mod position;
pub mod relative;
mod square;
pub mod steps;
mod zobrist;

pub use game::{Game, NO_PROGRESS_PLIES};
pub use moves::{CapturePath, MAX_MOVES, Move, MoveId, MoveList};
pub use perft::{Branch, divide, perft};
pub use piece::{Color, Piece, PieceKind};
pub use position::{Position, Setup, SetupError};
pub use square::{Bitboard, Square, Squares};
pub use zobrist::{GOLDEN, mix};
