//! An evaluation of material only, for teaching and comparison.

use super::{EvalPart, Evaluate};
use draughts::board::Position;

/// Counts 100 for a man and 150 for a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaterialEvaluation;

impl Evaluate for MaterialEvaluation {
    fn value(&self, position: &Position) -> i32 {
        let count = |color| {
            position.men(color).len().cast_signed() * 100 + position.kings(color).len().cast_signed() * 150
        };
        count(position.side()) - count(!position.side())
    }

    fn parts(&self, position: &Position) -> Vec<EvalPart> {
        let sides = [position.side(), !position.side()];
        let [own_men, other_men] = sides.map(|side| position.men(side).len().cast_signed() * 100);
        let [own_kings, other_kings] = sides.map(|side| position.kings(side).len().cast_signed() * 150);
        vec![EvalPart::sides("men", own_men, other_men), EvalPart::sides("kings", own_kings, other_kings)]
    }
}
