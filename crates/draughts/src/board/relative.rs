//! A position from the point of view of the side to move: its own pieces move up the board, regardless of
//! their colour.

use super::{Bitboard, Color, Position};

/// One side's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SidePieces {
    /// Own men.
    pub men: Bitboard,
    /// Own kings.
    pub kings: Bitboard,
}

/// The pieces of both sides, on a board where our men start on 1-12 and theirs on 21-32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RelativePosition {
    /// The side to move.
    pub us: SidePieces,
    /// The other side.
    pub them: SidePieces,
}

impl Position {
    /// Returns the board from the point of view of the side to move.
    #[must_use]
    #[inline]
    pub fn relative(&self) -> RelativePosition {
        let side = |color| {
            let (men, kings) = (self.men(color), self.kings(color));
            match self.side() {
                Color::Black => SidePieces { men, kings },
                Color::White => SidePieces { men: men.rotated(), kings: kings.rotated() },
            }
        };
        RelativePosition { us: side(self.side()), them: side(!self.side()) }
    }
}

impl RelativePosition {
    /// Returns the same board from the other side's point of view.
    #[must_use]
    #[inline]
    pub fn swapped(self) -> Self {
        let turn = |side: SidePieces| SidePieces { men: side.men.rotated(), kings: side.kings.rotated() };
        Self { us: turn(self.them), them: turn(self.us) }
    }

    /// Returns a function's value for the side to move minus its value for the other side.
    #[inline]
    pub fn difference(self, of: impl Fn(&Self) -> i32) -> i32 {
        of(&self) - of(&self.swapped())
    }

    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(self) -> Bitboard {
        self.us.all() | self.them.all()
    }
}

impl SidePieces {
    /// Returns the squares of this side's pieces.
    #[inline]
    pub fn all(self) -> Bitboard {
        self.men | self.kings
    }
}

/// Returns the number of squares in a set, as a signed number.
#[must_use]
#[inline]
pub const fn count(set: Bitboard) -> i32 {
    set.len().cast_signed()
}
