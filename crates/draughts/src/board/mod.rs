//! The game itself: squares, pieces, positions, moves, and when a game is over.
//!
//! English draughts (WCDF rules): 32 dark squares, Black on 1-12 moves first and towards higher numbers, men move and
//! capture ahead, kings in all directions by single steps, captures are compulsory, any may be chosen, and one that can
//! go on must. A man that reaches the far row is crowned and its move ends.

mod game;
mod generate;
mod layout;
mod moves;
mod perft;
mod piece;
mod position;
mod setup;
mod square;
mod zobrist;

pub use game::{Game, NO_PROGRESS_PLIES, Outcome, REPETITIONS};
pub use moves::{MAX_MOVES, Move, MoveList, Path};
pub use perft::{Branch, divide, perft, perft_played};
pub use piece::{Color, Kind, Piece};
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use square::{Bitboard, Square, Squares};
