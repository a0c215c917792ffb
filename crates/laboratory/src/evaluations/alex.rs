//! The evaluations of Alex, "AI Course Final Project - Checkers": four functions, each the difference between
//! the two sides, and two terms for endings with kings only, which can be combined with any of them.
//!
//! The study does not say how a function and an ending term are combined. Here the term only breaks ties
//! between equal function values: the value is `1024 * function - term`, and every term is less than 1024.

use crate::evaluation::Evaluation;
use kelso_draughts::board::relative::{RelativePosition, SidePieces, count};
use kelso_draughts::board::{Bitboard, Position};

/// One of the functions, with or without an ending term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alex {
    pub function: Function,
    pub ending: Option<EndingTerm>,
}

/// Greater than any ending term: if one side has more kings, there are at most 12 * 11 pairs, at most seven
/// steps apart.
const SCALE: i32 = 1024;

impl Evaluation for Alex {
    fn value(&self, position: &Position) -> i32 {
        let view = position.relative();
        let value = self.function.value(view);
        match self.ending {
            None => value,
            Some(ending) => SCALE * value - ending.term(view),
        }
    }

    fn man(&self) -> i32 {
        self.function.man() * if self.ending.is_some() { SCALE } else { 1 }
    }
}

/// One of the four functions:
///
/// - I, piece value: a man is 1, a king 2.
/// - II, piece and half: a man is 5 in its own half and 7 in the other, a king 10.
/// - III, piece and row: a man is 5 plus its row, counted from 0 at its own back row; a king is 15.
/// - IV, normalised: II times 1000, divided by the number of pieces on the board. The factor keeps different
///   quotients distinct: with at most 24 pieces, they are at least 1/552 apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// Function I: piece value.
    PieceValue,
    /// Function II: piece and half.
    PieceAndHalf,
    /// Function III: piece and row.
    PieceAndRow,
    /// Function IV: normalised.
    Normalised,
}

const OWN_HALF: Bitboard = Bitboard(0x0000_ffff);
const NORMAL: i32 = 1000;

impl Function {
    pub const ALL: [Self; 4] = [Self::PieceValue, Self::PieceAndHalf, Self::PieceAndRow, Self::Normalised];

    fn value(self, view: RelativePosition) -> i32 {
        match self {
            Self::PieceValue => view.difference(|v| count(v.own.men) + 2 * count(v.own.kings)),
            Self::PieceAndHalf => view.difference(|v| piece_and_half(v.own)),
            Self::PieceAndRow => view.difference(|v| piece_and_row(v.own)),
            Self::Normalised => {
                NORMAL * view.difference(|v| piece_and_half(v.own)) / count(view.occupied()).max(1)
            }
        }
    }

    /// Returns the value of a man in its own half; for IV, with twelve pieces on the board.
    const fn man(self) -> i32 {
        match self {
            Self::PieceValue => 1,
            Self::PieceAndHalf | Self::PieceAndRow => 5,
            Self::Normalised => NORMAL * 5 / 12,
        }
    }
}

fn piece_and_half(side: SidePieces) -> i32 {
    5 * count(side.men & OWN_HALF) + 7 * count(side.men - OWN_HALF) + 10 * count(side.kings)
}

fn piece_and_row(side: SidePieces) -> i32 {
    let men: i32 = (0..8u8).map(|row| (5 + i32::from(row)) * count(side.men & Bitboard::row(row))).sum();
    men + (5 + 8 + 2) * count(side.kings)
}

/// An ending term, for positions with kings only. It is computed from the distances between opposing kings. A
/// distance is the larger of the row and column differences. The side with more kings prefers a small term,
/// the other side a large one; with equal numbers of kings, the term is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndingTerm {
    SumOfDistances,
    /// The largest distance between opposing kings.
    FarthestPair,
}

impl EndingTerm {
    /// Returns the amount to subtract from the value of a position.
    fn term(self, view: RelativePosition) -> i32 {
        let RelativePosition { own, enemy } = view;
        if !(own.men | enemy.men).is_empty() {
            return 0;
        }
        let distances = own
            .kings
            .iter()
            .flat_map(|mine| enemy.kings.iter().map(move |yours| i32::from(mine.distance(yours))));
        let size = match self {
            Self::SumOfDistances => distances.sum(),
            Self::FarthestPair => distances.max().unwrap_or(0),
        };
        size * (count(own.kings) - count(enemy.kings)).signum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;
    use kelso_engine::eval::testing::value;

    #[test]
    fn the_endgame_term_is_subtracted_from_the_function() {
        let of = |ending, text: &str| {
            let alex = Alex { function: Function::PieceValue, ending: Some(ending) };
            value(|position| alex.value(position), text)
        };
        // Two kings against one, at distances 6 and 3.
        let near = "B:WK32:BK5,K18";
        assert_eq!(of(EndingTerm::SumOfDistances, near), 1024 * 2 - 9);
        assert_eq!(of(EndingTerm::FarthestPair, near), 1024 * 2 - 6);
        assert_eq!(of(EndingTerm::SumOfDistances, &near.replace("B:", "W:").replace(":W:", ":B:")), 9 - 2048);
        // With a man on the board, there is no ending term.
        assert_eq!(of(EndingTerm::FarthestPair, "B:W32:BK5,K18"), 1024 * 3);
    }

    #[test]
    fn positions_worked_out_by_hand() {
        for (text, values) in [
            ("B:W21-32:B1-12", [0, 0, 0, 0]),
            // Black: a man on row 2, a man on row 5, a king. White: a man on row 1 from its own side.
            ("B:W25:B10,21,K32", [4 - 1, 22 - 5, 7 + 10 + 15 - 6, 1000 * 17 / 4]),
            ("W:W25:B10,21,K32", [1 - 4, 5 - 22, 6 - 32, -4250]),
            ("B:W13,K12:B20", [1 - 3, 7 - 17, 9 - 24, -3333]),
        ] {
            let view = fen::parse(text).unwrap().relative();
            assert_eq!(Function::ALL.map(|function| function.value(view)), values, "{text}");
        }
    }

    #[test]
    fn the_endgame_term_needs_kings_only_and_a_stronger_side() {
        for (text, sum, farthest) in [
            ("B:WK32:BK5,K18", 9, 6),
            ("W:WK32:BK5,K18", -9, -6),
            ("B:WK32:BK5", 0, 0),
            ("B:WK32:BK5,18", 0, 0),
        ] {
            let view = fen::parse(text).unwrap().relative();
            assert_eq!(EndingTerm::SumOfDistances.term(view), sum, "{text}");
            assert_eq!(EndingTerm::FarthestPair.term(view), farthest, "{text}");
        }
    }
}
