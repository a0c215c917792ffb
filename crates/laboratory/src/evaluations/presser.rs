//! The evaluation of Presser, "Checkers Alpha Beta Pruning AI Projects". It is the sum of these terms for me
//! minus the sum for you:
//!
//! - a man is 10000, a king 15000;
//! - 500 for each row that a man has advanced;
//! - 400 for a man on its home row, 800 on the middle two squares of that row;
//! - 300 for any piece on the middle two rows, 500 on the two squares in their centre;
//! - 400 for each legal move and 800 for each legal jump. If there is a jump, only jumps are legal; they are
//!   counted by their possible first steps. Each side is counted as if it were its turn;
//! - 500 * larger / smaller number of pieces, for the side with more;
//! - with fewer than 6 pieces on the board, -200 * the largest distance from a king to an enemy piece;
//! - noise of -9 to 9 to break ties, repeatable (see `noise`).
//!
//! The published list does not say whether the bonus of the middle squares replaces the row's or adds to it,
//! or how jumps are counted; this is our reading.

use super::terms::noise;
use crate::evaluation::Evaluation;
use kelso_draughts::board::relative::{RelativePosition, count};
use kelso_draughts::board::steps::{Direction, SQUARES, STEPS, count_bits, unpack};
use kelso_draughts::board::{Bitboard, Position};

/// Presser's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Presser;

// The weights.
const MAN: i32 = 10_000;
const KING: i32 = 15_000;
const ADVANCE: i32 = 500;
const HOME: i32 = 400;
const HOME_MIDDLE_BONUS: i32 = 800;
const MIDDLE: i32 = 300;
const CENTRE_BONUS: i32 = 500;
const STEP: i32 = 400;
const JUMP: i32 = 800;
const RATIO: i32 = 500;
const FAR_KING: i32 = -200;

const HOME_MIDDLE: Bitboard = Bitboard::from_numbers(&[2, 3]);
const MIDDLE_ROWS: Bitboard = Bitboard(0x000f_f000);
const CENTRE: Bitboard = Bitboard::from_numbers(&[15, 18]);
const SEED: u64 = 0x5072_6573;

/// Returns the value without the noise.
fn terms(view: RelativePosition) -> i32 {
    view.difference(side) + ratio(view)
}

fn side(view: &RelativePosition) -> i32 {
    let own = view.own;
    let advance: i32 = (0..8u8).map(|row| i32::from(row) * count(own.men & Bitboard::row(row))).sum();
    let home = own.men & Bitboard::row(0);
    let middle = own.all() & MIDDLE_ROWS;
    MAN * count(own.men)
        + KING * count(own.kings)
        + ADVANCE * advance
        + HOME * count(home - HOME_MIDDLE)
        + HOME_MIDDLE_BONUS * count(home & HOME_MIDDLE)
        + MIDDLE * count(middle - CENTRE)
        + CENTRE_BONUS * count(middle & CENTRE)
        + freedom(view)
        + FAR_KING * far_king(view)
}

fn freedom(view: &RelativePosition) -> i32 {
    let all = unpack(view.own.all());
    let kings = unpack(view.own.kings);
    let yours = unpack(view.enemy.all());
    let empty = SQUARES & !(all | yours);
    let mut jumps = 0;
    let mut steps = 0;
    for step in STEPS {
        let reached = step.step(if matches!(step, Direction::Up(_)) { all } else { kings });
        jumps += count_bits(step.step(reached & yours) & empty);
        steps += count_bits(reached & empty);
    }
    if jumps > 0 { JUMP * jumps } else { STEP * steps }
}

fn ratio(view: RelativePosition) -> i32 {
    let mine = count(view.own.all());
    let yours = count(view.enemy.all());
    let value = RATIO * mine.max(yours) / mine.min(yours).max(1);
    value * (mine - yours).signum()
}

impl Evaluation for Presser {
    fn value(&self, position: &Position) -> i32 {
        let view = position.relative();
        terms(view) + noise(19, SEED, view) - 9
    }

    fn man(&self) -> i32 {
        MAN
    }
}

/// Returns the largest distance from a king to an enemy piece if there are few pieces on the board, else 0.
fn far_king(view: &RelativePosition) -> i32 {
    if count(view.occupied()) >= 6 {
        return 0;
    }
    let enemies = view.enemy.all();
    let pairs = view.own.kings.iter().flat_map(|king| enemies.iter().map(move |enemy| king.distance(enemy)));
    pairs.max().unwrap_or(0).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    fn of(text: &str) -> i32 {
        terms(fen::parse(text).unwrap().relative())
    }

    #[test]
    fn positions_worked_out_by_hand() {
        assert_eq!(of("B:W21-32:B1-12"), 0);
        // Black: a man in the middle of its home row with two steps. White: a man in the corner of its home
        // row with one. Two pieces against one.
        assert_eq!(of("B:W29:B2,10"), 10_000 + 2 * 500 + (800 - 400) + (4 - 1) * 400 + 1000);
        // A man on 14, in the middle rows, against a king on 17. Each can jump: Black to 21, White to 10.
        assert_eq!(of("B:WK17:B14"), 10_000 - 15_000 + 3 * 500 + 200 + 800 - 800);
        // A king in the centre with four steps. The man on 32 has two, and is the piece farthest from the
        // king.
        assert_eq!(of("B:W32:BK15"), 15_000 - 10_000 - 400 + 500 + (4 - 2) * 400 - 200 * 4);
    }
}
