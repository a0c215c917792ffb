//! A position as the side to move sees it: its own pieces move up the board, whichever colour they have.

use draughts::board::{Bitboard, Color, Position};

/// One side's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Side {
    pub(super) men: Bitboard,
    pub(super) kings: Bitboard,
}

/// Both sides' pieces on the same board, on which "my" men started on 1-12 and "your" men on 21-32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct View {
    pub(super) me: Side,
    pub(super) you: Side,
}

impl View {
    pub(super) fn of(position: &Position) -> Self {
        let side = |color| {
            let (men, kings) = (position.men(color), position.kings(color));
            match position.side() {
                Color::Black => Side { men, kings },
                Color::White => Side { men: men.rotated(), kings: kings.rotated() },
            }
        };
        Self { me: side(position.side()), you: side(!position.side()) }
    }

    /// The same board as the other side sees it.
    pub(super) fn swapped(self) -> Self {
        let turn = |side: Side| Side { men: side.men.rotated(), kings: side.kings.rotated() };
        Self { me: turn(self.you), you: turn(self.me) }
    }

    /// A sum over one side's pieces, seen by that side, less the same sum for the other.
    pub(super) fn difference(self, of: impl Fn(&Self) -> i32) -> i32 {
        of(&self) - of(&self.swapped())
    }

    pub(super) fn occupied(self) -> Bitboard {
        self.me.all() | self.you.all()
    }
}

impl Side {
    pub(super) fn all(self) -> Bitboard {
        self.men | self.kings
    }
}

/// Number of squares in a set, for arithmetic with signs.
pub(super) const fn count(set: Bitboard) -> i32 {
    set.len().cast_signed()
}
