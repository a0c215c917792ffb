//! A position from the point of view of the side to move: its own pieces move up the board, regardless of
//! their colour.

use super::{Bitboard, Color, Position};

/// One side's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SidePieces {
    pub men: Bitboard,
    pub kings: Bitboard,
}

/// The pieces of both sides, on a board where our men start on 1-12 and theirs on 21-32.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RelativePosition {
    /// The side to move.
    pub us: SidePieces,
    pub them: SidePieces,
}

impl Position {
    /// Returns the board from the point of view of the side to move.
    #[inline]
    pub fn relative(&self) -> RelativePosition {
        let black = SidePieces { men: self.men(Color::Black), kings: self.kings(Color::Black) };
        let white = SidePieces { men: self.men(Color::White), kings: self.kings(Color::White) };
        match self.side() {
            Color::Black => RelativePosition { us: black, them: white },
            Color::White => RelativePosition { us: white.rotated(), them: black.rotated() },
        }
    }
}

impl RelativePosition {
    /// Returns the position with Black to move, or `None` if it is illegal or has two pieces on a square.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let men = [self.us.men, self.them.men];
        let kings = [self.us.kings, self.them.kings];
        Position::from_sets(men, kings, Color::Black).ok()
    }

    /// Returns the same board from the other side's point of view.
    #[inline]
    pub fn swapped(self) -> Self {
        Self { us: self.them.rotated(), them: self.us.rotated() }
    }

    /// Returns a function's value for the side to move minus its value for the other side.
    #[inline]
    pub fn difference(self, of: impl Fn(&Self) -> i32) -> i32 {
        of(&self) - of(&self.swapped())
    }

    #[inline]
    pub fn occupied(self) -> Bitboard {
        self.us.all() | self.them.all()
    }
}

impl SidePieces {
    /// Returns the same pieces on the rotated board.
    #[inline]
    fn rotated(self) -> Self {
        Self { men: self.men.rotated(), kings: self.kings.rotated() }
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn own_pieces_move_up_the_board() {
        let set = Bitboard::from_numbers;
        let us = SidePieces { men: set(&[1, 7]), kings: set(&[12]) };
        let them = SidePieces { men: set(&[30]), kings: set(&[4, 17]) };
        let black = fen::parse("B:W30,K4,K17:B1,7,K12").unwrap();
        for position in [black, black.flipped()] {
            let relative = position.relative();
            assert_eq!(relative, RelativePosition { us, them });
            assert_eq!(relative.occupied(), set(&[1, 4, 7, 12, 17, 30]));
            let swapped = RelativePosition {
                us: SidePieces { men: set(&[3]), kings: set(&[16, 29]) },
                them: SidePieces { men: set(&[26, 32]), kings: set(&[21]) },
            };
            assert_eq!(relative.swapped(), swapped);
            assert_eq!(relative.difference(|side| 10 * count(side.us.men) + count(side.us.kings)), 21 - 12);
        }
        assert_eq!(us.all(), set(&[1, 7, 12]));
        assert_eq!([Bitboard::EMPTY, us.all(), Bitboard(u32::MAX)].map(count), [0, 3, 32]);
    }
}
