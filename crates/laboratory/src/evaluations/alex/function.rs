//! The four functions:
//!
//! - I, piece value: man 1, king 2.
//! - II, piece and half: man in its own half 5, in the other half 7, king 10.
//! - III, piece and row: man 5 + its row, its own back row being 0; king 5 + 8 + 2.
//! - IV, normalised: II times 1000, divided by the number of pieces on the board. The factor keeps different quotients (at
//!   least 1/552 apart, with at most 24 pieces) different.

use draughts::board::Bitboard;
use engine::eval::view::{Side, View, count};

/// One of the functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// I.
    PieceValue,
    /// II.
    PieceAndHalf,
    /// III.
    PieceAndRow,
    /// IV.
    Normalised,
}

const OWN_HALF: Bitboard = Bitboard(0x0000_ffff);
const NORMAL: i32 = 1000;

impl Function {
    /// All functions.
    pub const ALL: [Self; 4] = [Self::PieceValue, Self::PieceAndHalf, Self::PieceAndRow, Self::Normalised];

    pub(super) fn value(self, view: View) -> i32 {
        match self {
            Self::PieceValue => view.difference(|v| count(v.me.men) + 2 * count(v.me.kings)),
            Self::PieceAndHalf => view.difference(|v| piece_and_half(v.me)),
            Self::PieceAndRow => view.difference(|v| piece_and_row(v.me)),
            Self::Normalised => {
                NORMAL * view.difference(|v| piece_and_half(v.me)) / count(view.occupied()).max(1)
            }
        }
    }

    /// Returns the value of a man: in its own half, and for IV with twelve pieces on the board.
    pub(super) const fn man(self) -> i32 {
        match self {
            Self::PieceValue => 1,
            Self::PieceAndHalf | Self::PieceAndRow => 5,
            Self::Normalised => NORMAL * 5 / 12,
        }
    }
}

fn piece_and_half(side: Side) -> i32 {
    5 * count(side.men & OWN_HALF) + 7 * count(side.men - OWN_HALF) + 10 * count(side.kings)
}

fn piece_and_row(side: Side) -> i32 {
    let men: i32 = (0..8u8).map(|row| (5 + i32::from(row)) * count(side.men & Bitboard::row(row))).sum();
    men + (5 + 8 + 2) * count(side.kings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;

    #[test]
    fn positions_worked_out_by_hand() {
        for (text, values) in [
            ("B:W21-32:B1-12", [0, 0, 0, 0]),
            // Black: a man on row 2, a man on row 5, a king. White: a man on its row 1.
            ("B:W25:B10,21,K32", [4 - 1, 22 - 5, 7 + 10 + 15 - 6, 1000 * 17 / 4]),
            ("W:W25:B10,21,K32", [1 - 4, 5 - 22, 6 - 32, -4250]),
            ("B:W13,K12:B20", [1 - 3, 7 - 17, 9 - 24, -3333]),
        ] {
            let view = View::of(&fen::parse(text).unwrap());
            assert_eq!(Function::ALL.map(|function| function.value(view)), values, "{text}");
        }
    }
}
