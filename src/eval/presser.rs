//! The evaluation of Presser, "Checkers Alpha Beta Pruning AI Projects". Mine less yours, summed over pieces:
//!
//! - man 10000, king 15000;
//! - a man's advance: 500 for each row that it has gone;
//! - a man on its home row 400, on the two squares in the row's middle 800;
//! - any piece on the middle two rows 300, on the two squares in their centre 500;
//! - 400 for each legal move, 800 for each legal jump: with a jump on the board the jumps are the legal moves, counted
//!   as the first steps that they can begin with; both sides are counted as if it were their turn;
//! - 500 * larger / smaller number of pieces, to the side that has more;
//! - with fewer than 6 pieces on the board: -200 * the farthest distance of a king to an enemy piece;
//! - noise of -9 to 9 to break ties; see [`noise`](super::noise) for what makes it repeatable.
//!
//! Where the published list leaves a choice (whether the middle squares' bonus replaces or adds to the row's, how jumps
//! are counted) this is our reading of it.

use super::distance::distance;
use super::steps::{SQUARES, STEPS, Step, count as size, spread};
use super::view::{View, count};
use super::{Evaluate, hundredths, noise};
use crate::board::{Bitboard, Position};

/// Presser's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Presser;

const HOME_MIDDLE: Bitboard = Bitboard::from_numbers(&[2, 3]);
const MIDDLE_ROWS: Bitboard = Bitboard(0x000f_f000);
const CENTRE: Bitboard = Bitboard::from_numbers(&[15, 18]);
const SEED: u64 = 0x5072_6573;

impl Evaluate for Presser {
    fn evaluate(&self, position: &Position) -> i32 {
        hundredths(self.value(position), self.man())
    }

    fn value(&self, position: &Position) -> i32 {
        let view = View::of(position);
        view.difference(side) + ratio(view) + noise::below(19, SEED, view) - 9
    }

    fn man(&self) -> i32 {
        10_000
    }
}

/// What one side has.
fn side(view: &View) -> i32 {
    let me = view.me;
    let advance: i32 = (0..8u8).map(|row| i32::from(row) * count(me.men & Bitboard::row(row))).sum();
    let home = me.men & Bitboard::row(0);
    let middle = me.all() & MIDDLE_ROWS;
    10_000 * count(me.men)
        + 15_000 * count(me.kings)
        + 500 * advance
        + 400 * count(home - HOME_MIDDLE)
        + 800 * count(home & HOME_MIDDLE)
        + 300 * count(middle - CENTRE)
        + 500 * count(middle & CENTRE)
        + freedom(view)
        - far_kings(view)
}

fn freedom(view: &View) -> i32 {
    let (all, kings) = (spread(view.me.all()), spread(view.me.kings));
    let yours = spread(view.you.all());
    let empty = SQUARES & !(all | yours);
    let movers = |step| if matches!(step, Step::Up(_)) { all } else { kings };
    let jumps: i32 = STEPS.iter().map(|step| size(step.from(step.from(movers(*step)) & yours) & empty)).sum();
    if jumps > 0 {
        return 800 * jumps;
    }
    400 * STEPS.iter().map(|step| size(step.from(movers(*step)) & empty)).sum::<i32>()
}

fn far_kings(view: &View) -> i32 {
    if count(view.occupied()) >= 6 {
        return 0;
    }
    let enemies = view.you.all();
    let pairs = view.me.kings.iter().flat_map(|king| enemies.iter().map(move |enemy| distance(king, enemy)));
    200 * pairs.max().unwrap_or(0)
}

fn ratio(view: View) -> i32 {
    let (mine, yours) = (count(view.me.all()), count(view.you.all()));
    let ratio = 500 * mine.max(yours) / mine.min(yours).max(1);
    ratio * (mine - yours).signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::assert_symmetric;
    use crate::notation::fen;

    fn of(text: &str) -> i32 {
        let view = View::of(&fen::parse(text).unwrap());
        view.difference(side) + ratio(view)
    }

    #[test]
    fn positions_worked_out_by_hand() {
        assert_eq!(of("B:W21-32:B1-12"), 0);
        // Black: a man in the middle of its home row with two steps. White: a man at home in the corner with one; two
        // pieces against one.
        assert_eq!(of("B:W29:B2,10"), 10_000 + 2 * 500 + (800 - 400) + (4 - 1) * 400 + 1000);
        // A man on 14 in the middle rows against a king on 17, each able to jump: for Black to 21; for White to 10.
        assert_eq!(of("B:WK17:B14"), 10_000 - 15_000 + 3 * 500 + 200 + 800 - 800);
        // A king in the centre and four steps; the man on 32 has two, and is the end of a king's long way.
        assert_eq!(of("B:W32:BK15"), 15_000 - 10_000 - 400 + 500 + (4 - 2) * 400 - 200 * 4);
    }

    #[test]
    fn a_flip_has_the_same_value() {
        assert_symmetric(&Presser);
    }
}
