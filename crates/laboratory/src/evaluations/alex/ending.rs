//! The ending terms, for positions in which both sides have kings only: the distances of all pairs of kings of different
//! sides. A distance is the larger of the differences of rows and of columns. The side with more kings wants it small, the
//! other side large; with equal numbers the term is 0.

use crate::evaluations::distance::distance;
use engine::eval::view::{View, count};

/// One of the ending terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndingTerm {
    /// The sum of the distances.
    SumOfDistances,
    /// The largest of them.
    FarthestPair,
}

impl EndingTerm {
    /// Returns the amount to subtract from the value of a position.
    pub(super) fn term(self, view: View) -> i32 {
        let View { me, you } = view;
        if !(me.men | you.men).is_empty() {
            return 0;
        }
        let distances =
            me.kings.iter().flat_map(|mine| you.kings.iter().map(move |yours| distance(mine, yours)));
        let size = match self {
            Self::SumOfDistances => distances.sum(),
            Self::FarthestPair => distances.max().unwrap_or(0),
        };
        size * (count(me.kings) - count(you.kings)).signum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;

    #[test]
    fn only_kings_alone_have_a_term() {
        for (text, sum, farthest) in [
            ("B:WK32:BK5,K18", 9, 6),
            ("W:WK32:BK5,K18", -9, -6),
            ("B:WK32:BK5", 0, 0),
            ("B:WK32:BK5,18", 0, 0),
        ] {
            let view = View::of(&fen::parse(text).unwrap());
            assert_eq!(EndingTerm::SumOfDistances.term(view), sum, "{text}");
            assert_eq!(EndingTerm::FarthestPair.term(view), farthest, "{text}");
        }
    }
}
