//! The evaluation of Lam, "ECE469 - Checkers AI":
//!
//! ```text
//! kng*100000 + (2*backrow - distance)*1000 + trade*500 + corner*100 + center*10 + noise
//! ```
//!
//! Each term is my value minus yours.
//!
//! - `kng`: man 3, king 5.
//! - `backrow`: men on their own back row. `distance`: the rows that men still have to advance.
//! - `trade`: 10 * my pieces / your pieces when I am ahead on `kng`, else -(10 * your pieces / my pieces). So
//!   it is -10 if `kng` is even, a case that the published rule does not cover.
//! - `corner`: counts with fewer than 6 pieces on the board, if `kng` is uneven and a piece of the side that
//!   is behind is near a double corner. It is the sum of your pieces' distances to that corner minus the sum
//!   for mine. Our reading: near means within two steps of one of the corner's two squares, distances are
//!   steps to the nearer of these squares, and if both corners qualify, the one nearer to the piece is used.
//! - `center`: pieces on the 4x4 squares in the middle.
//! - `noise`: 0 to 9, repeatable (see `noise`).

use super::terms::noise;
use crate::evaluation::Evaluation;
use kelso_draughts::board::relative::{RelativePosition, count};
use kelso_draughts::board::{Bitboard, Position, Square};

/// Lam's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lam;

// The weights.
const KNG: i32 = 100_000;
const BACKROW: i32 = 2000;
const DISTANCE: i32 = -1000;
const TRADE: i32 = 500;
const CORNER: i32 = 100;
const CENTER: i32 = 10;

const MIDDLE: Bitboard = Bitboard::from_numbers(&[10, 11, 14, 15, 18, 19, 22, 23]);
const DOUBLE_CORNERS: [Bitboard; 2] = [Bitboard::from_numbers(&[1, 5]), Bitboard::from_numbers(&[28, 32])];
/// Maximum number of steps from a double corner that counts as near.
const NEAR_DISTANCE: i32 = 2;
const SEED: u64 = 0x4c61_6d00;

/// Returns the value without the noise.
fn terms(view: RelativePosition) -> i32 {
    let kng = view.difference(|v| 3 * count(v.own.men) + 5 * count(v.own.kings));
    let backrow = view.difference(|v| count(v.own.men & Bitboard::row(0)));
    let distance = view.difference(|v| rows_to_go(v.own.men));
    let center = view.difference(|v| count(v.own.all() & MIDDLE));
    kng * KNG
        + backrow * BACKROW
        + distance * DISTANCE
        + trade(view, kng) * TRADE
        + corner(view, kng) * CORNER
        + center * CENTER
}

impl Evaluation for Lam {
    fn value(&self, position: &Position) -> i32 {
        let view = position.relative();
        terms(view) + noise(10, SEED, view)
    }

    fn man(&self) -> i32 {
        3 * KNG
    }
}

fn rows_to_go(men: Bitboard) -> i32 {
    (0..7u8).map(|row| (7 - i32::from(row)) * count(men & Bitboard::row(row))).sum()
}

fn trade(view: RelativePosition, kng: i32) -> i32 {
    let mine = count(view.own.all()).max(1);
    let yours = count(view.enemy.all()).max(1);
    if kng > 0 { 10 * mine / yours } else { -(10 * yours / mine) }
}

fn corner(view: RelativePosition, kng: i32) -> i32 {
    if kng == 0 || count(view.occupied()) >= 6 {
        return 0;
    }
    let behind = if kng > 0 { view.enemy } else { view.own };
    let near = behind
        .all()
        .iter()
        .flat_map(|square| DOUBLE_CORNERS.map(|corner| (away(square, corner), corner)))
        .filter(|&(steps, _)| steps <= NEAR_DISTANCE)
        // The choice between two equally distant corners does not depend on the colours.
        .min_by_key(|&(steps, corner)| (steps, total(view, corner).abs()));
    near.map_or(0, |(_, corner)| -total(view, corner))
}

/// Returns the sum of my pieces' distances to a corner minus the sum of yours.
fn total(view: RelativePosition, corner: Bitboard) -> i32 {
    let [mine, yours] =
        [view.own, view.enemy].map(|side| side.all().iter().map(|square| away(square, corner)).sum::<i32>());
    mine - yours
}

/// Returns the distance of a square to the nearer square of a corner.
fn away(square: Square, corner: Bitboard) -> i32 {
    corner.iter().map(|end| square.distance(end).into()).min().unwrap_or(0)
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
        // The position is even and symmetric, so only `trade` remains.
        assert_eq!(of("B:W21-32:B1-12"), -10 * 500);
        // Six men each. Black: 1-6, rows to go 4*7 + 2*6 = 40, four at home. White: two men in the middle
        // 4x4. 18 and 19 have 4 rows to go, 21-24 five: 28.
        assert_eq!(of("B:W18,19,21-24:B1-6"), (8 - 40 + 28) * 1000 - 10 * 500 + (0 - 4) * 10);
        // Black is ahead by a king, which is five steps from 28 and six from 32. The man on 27 is one step
        // from that corner and has six rows to go.
        assert_eq!(of("B:W27:BK10,K4"), (10 - 3) * 100_000 + 6000 + 20 * 500 + -(4 + 6 - 1) * 100 + 10);
        assert_eq!(of("W:W27:BK10,K4"), -7 * 100_000 - 6000 - 20 * 500 - (1 - 4 - 6) * 100 - 10);
    }
}
