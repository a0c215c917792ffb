//! An evaluation of material only, for teaching and comparison.

use super::{EvalPart, Evaluation};
use kelso_draughts::board::{Color, Position};

/// The values of a man and of a king, in hundredths of a man.
pub(crate) const MAN: i32 = 100;
const KING: i32 = 150;

/// Counts men and kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaterialEvaluation;

/// Returns the values of a side's men and of its kings.
fn material(position: &Position, side: Color) -> [i32; 2] {
    [position.men(side).len().cast_signed() * MAN, position.kings(side).len().cast_signed() * KING]
}

impl Evaluation for MaterialEvaluation {
    fn raw_value(&self, position: &Position) -> i32 {
        let sum = |side| material(position, side).into_iter().sum::<i32>();
        sum(position.side()) - sum(!position.side())
    }

    fn parts(&self, position: &Position) -> Vec<EvalPart> {
        let [men, kings] = material(position, position.side());
        let [other_men, other_kings] = material(position, !position.side());
        vec![EvalPart::sides("men", men, other_men), EvalPart::sides("kings", kings, other_kings)]
    }
}
