//! Setups: pieces on squares, legal or not.

use thiserror::Error;

use super::piece::{Color, Kind, Piece};
use super::square::Square;

/// Pieces on a board, legal or not. [`Position::try_from`](super::Position) converts a legal one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square by index.
    pub squares: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side: Color,
}

impl Setup {
    /// Creates a board without pieces.
    #[must_use]
    pub const fn empty(side: Color) -> Self {
        Self { squares: [None; Square::COUNT], side }
    }

    /// Returns the piece on a square.
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Puts a piece on a square. Returns the piece that was there.
    pub const fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        self.squares[square.index()].replace(piece)
    }

    /// Crowns the men on their last row.
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

/// An error in a [`Setup`] that is not a legal position.
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
