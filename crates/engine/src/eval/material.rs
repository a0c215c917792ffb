//! An evaluation of material only, for teaching and comparison.

use super::EvalPart;
use kelso_draughts::board::{Color, Position};

/// The values of a man and of a king, in hundredths of a man.
pub(crate) const MAN: i32 = 100;
const KING: i32 = 150;

/// Returns the values of a side's men and of its kings.
fn material(position: &Position, side: Color) -> [i32; 2] {
    [position.men(side).len().cast_signed() * MAN, position.kings(side).len().cast_signed() * KING]
}

pub(crate) fn evaluate(position: &Position) -> i32 {
    let [men, kings] = material(position, position.side());
    let [other_men, other_kings] = material(position, !position.side());
    men + kings - other_men - other_kings
}

pub(super) fn parts(position: &Position) -> Vec<EvalPart> {
    let [men, kings] = material(position, position.side());
    let [other_men, other_kings] = material(position, !position.side());
    vec![EvalPart::sides("men", men, other_men), EvalPart::sides("kings", kings, other_kings)]
}
