//! An evaluation of material only, for teaching and comparison.

use super::{EvalPart, Evaluate};
use draughts::board::Position;

/// The values of a man and of a king, in hundredths of a man.
const MAN: i32 = 100;
const KING: i32 = 150;

/// Counts men and kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaterialEvaluation;

impl Evaluate for MaterialEvaluation {
    fn raw_value(&self, position: &Position) -> i32 {
        let count = |color| {
            position.men(color).len().cast_signed() * MAN + position.kings(color).len().cast_signed() * KING
        };
        count(position.side()) - count(!position.side())
    }

    fn parts(&self, position: &Position) -> Vec<EvalPart> {
        let sides = [position.side(), !position.side()];
        let [own_men, other_men] = sides.map(|side| position.men(side).len().cast_signed() * MAN);
        let [own_kings, other_kings] = sides.map(|side| position.kings(side).len().cast_signed() * KING);
        vec![EvalPart::sides("men", own_men, other_men), EvalPart::sides("kings", own_kings, other_kings)]
    }
}
