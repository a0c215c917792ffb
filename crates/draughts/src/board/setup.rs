//! Pieces on squares, before anyone has asked whether they make a position.

use thiserror::Error;

use super::piece::{Color, Kind, Piece};
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

    /// Makes kings of the men that stand where they are crowned.
    pub fn crown(&mut self) {
        for square in Square::all() {
            if let Some(piece) = &mut self.squares[square.index()]
                && square.row() == piece.color.crown_row()
            {
                piece.kind = Kind::King;
            }
        }
    }
}

/// Why a [`Setup`] is not a legal position.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// There are no pieces.
    #[error("the board is empty")]
    NoPieces,
    /// A side has more than twelve pieces.
    #[error("too many {0} pieces: {1}, at most 12 are allowed")]
    TooManyPieces(Color, usize),
    /// A man stands on the row where it would have been crowned.
    #[error("the {0} man on {1} must be a king (men are crowned on {row})", row = crowning_row(*.0))]
    UncrownedMan(Color, Square),
}

const fn crowning_row(color: Color) -> &'static str {
    match color {
        Color::Black => "29-32",
        Color::White => "1-4",
    }
}
