//! The evaluations of Alex, "AI Course Final Project - Checkers": four functions, each less the same for the other
//! side, and two terms for endings of kings alone that go with any of them.
//!
//! The study does not say how a function and an ending term are combined. Here the term only decides between positions of
//! equal function: the value is `1024 * function - term`, and every term is less than 1024.

mod ending;
mod function;

pub use ending::EndingTerm;
pub use function::Function;

use draughts::board::Position;
use engine::eval::Evaluate;
use engine::eval::view::View;

/// One of the functions, with or without an ending term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alex {
    /// The function.
    pub function: Function,
    /// The ending term.
    pub ending: Option<EndingTerm>,
}

/// Above every ending term: there are at most 12 * 11 pairs of kings when one side has more, seven steps apart.
const SCALE: i32 = 1024;

impl Evaluate for Alex {
    fn value(&self, position: &Position) -> i32 {
        let view = View::of(position);
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

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::testing::{assert_symmetric, value};

    #[test]
    fn the_function_comes_before_the_ending_term() {
        let with = |ending| Alex { function: Function::PieceValue, ending: Some(ending) };
        // Two kings against one, which is 6 and 3 steps away.
        let near = "B:WK32:BK5,K18";
        assert_eq!(value(&with(EndingTerm::SumOfDistances), near), 1024 * 2 - 9);
        assert_eq!(value(&with(EndingTerm::FarthestPair), near), 1024 * 2 - 6);
        assert_eq!(
            value(&with(EndingTerm::SumOfDistances), &near.replace("B:", "W:").replace(":W:", ":B:")),
            9 - 2048
        );
        // No term with a man on the board.
        assert_eq!(value(&with(EndingTerm::FarthestPair), "B:W32:BK5,K18"), 1024 * 3);
    }

    #[test]
    fn a_flip_has_the_same_value() {
        for function in Function::ALL {
            for ending in [None, Some(EndingTerm::SumOfDistances), Some(EndingTerm::FarthestPair)] {
                assert_symmetric(&Alex { function, ending });
            }
        }
    }
}
