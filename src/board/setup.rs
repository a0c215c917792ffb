//! Pieces on squares, before anyone has asked whether they make a position.

use std::fmt;

use super::piece::{Color, Piece};
use super::square::Square;

/// Anything that can be set up on a board. It becomes a [`Position`](super::Position) by
/// [`Position::try_from`](super::Position) if it is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square, by index.
    pub squares: [Option<Piece>; Square::COUNT],
    /// Who is to move.
    pub side: Color,
}

impl Setup {
    /// A board without pieces.
    #[must_use]
    pub const fn empty(side: Color) -> Self {
        Self { squares: [None; Square::COUNT], side }
    }

    /// What stands on a square.
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Puts a piece on a square, and says what stood there.
    pub const fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        self.squares[square.index()].replace(piece)
    }
}

/// Why a [`Setup`] is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// There are no pieces at all.
    NoPieces,
    /// A side has more than the twelve pieces that the game gives it.
    TooManyPieces(Color, usize),
    /// A man stands where it would have been crowned.
    UncrownedMan(Color, Square),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPieces => write!(f, "no pieces on the board, expected at least one"),
            Self::TooManyPieces(color, count) => write!(f, "{count} {color} pieces, expected at most 12"),
            Self::UncrownedMan(color, square) => {
                let home = if *color == Color::Black { "29-32" } else { "1-4" };
                write!(f, "a {color} man on {square}, expected a king there (men are crowned on {home})")
            }
        }
    }
}

impl std::error::Error for SetupError {}
