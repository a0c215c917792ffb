//! Eight terms:
//!
//! ```text
//! 105*men + 125*kings + d*defense + t*tempo + 250*(me - you)/(me + you) + (me - you) + 30*kcent + 10*cramp
//! ```
//!
//! - `men`, `kings`: my number minus yours; `me`, `you`: the number of pieces of each side.
//! - `defense`: my men on my back row minus your men on yours. `d` is -10 with at most 12 pieces on the
//!   board, else 15.
//! - `tempo`: my men on my farthest three rows minus yours on theirs. `t` is 10 with at most 16 pieces on the
//!   board, else 40.
//! - `kcent`: my kings on {10, 11, 14, 15, 18, 19} minus yours.
//! - `cramp`: 1 for Black when a Black piece stands on 20 and a White one on 24; 1 for White when a White
//!   piece stands on 13 and a Black one on 9.
//!
//! Because of `kcent`, a position and its flip may have different values if there are kings on those squares
//! or their mirror images. The other terms are symmetric.

use super::CENTRE;
use crate::evaluation::Evaluation;
use kelso_draughts::board::relative::{RelativePosition, count};
use kelso_draughts::board::{Bitboard, Position};

/// Peterson's second evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct V2;

// The weights.
const MEN: i32 = 105;
const KINGS: i32 = 125;
const DEFENSE: i32 = 15;
const DEFENSE_LATE: i32 = -10;
const TEMPO: i32 = 40;
const TEMPO_LATE: i32 = 10;
const RATIO: i32 = 250;
const LEAD: i32 = 1;
const KCENT: i32 = 30;
const CRAMP: i32 = 10;

const FAR_ROWS: Bitboard = Bitboard(0xfff0_0000);
const CRAMPING: Bitboard = Bitboard::from_numbers(&[20]);
const CRAMPED: Bitboard = Bitboard::from_numbers(&[24]);

impl Evaluation for V2 {
    fn value(&self, position: &Position) -> i32 {
        let view = position.relative();
        let lead = count(view.own.all()) - count(view.enemy.all());
        let total = count(view.occupied());
        let men = count(view.own.men) - count(view.enemy.men);
        let kings = lead - men;
        let me = position.side();
        let you = !me;
        let kings_in_centre = count(position.kings(me) & CENTRE) - count(position.kings(you) & CENTRE);
        let defense_weight = if total <= 12 { DEFENSE_LATE } else { DEFENSE };
        let tempo_weight = if total <= 16 { TEMPO_LATE } else { TEMPO };
        let symmetric = |view: &RelativePosition| {
            defense_weight * count(view.own.men & Bitboard::row(0))
                + tempo_weight * count(view.own.men & FAR_ROWS)
                + CRAMP * i32::from(cramps(view))
        };
        MEN * men
            + KINGS * kings
            + view.difference(symmetric)
            + RATIO * lead / total.max(1)
            + LEAD * lead
            + KCENT * kings_in_centre
    }

    fn man(&self) -> i32 {
        MEN
    }
}

/// Returns whether I have a piece on the cramping square and you have one right behind it.
fn cramps(view: &RelativePosition) -> bool {
    !(view.own.all() & CRAMPING).is_empty() && !(view.enemy.all() & CRAMPED).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::Color;
    use kelso_engine::eval::testing::{positions, value};

    #[test]
    fn positions_worked_out_by_hand() {
        assert_eq!(value(|position| V2.value(position), "B:W21-32:B1-12"), 0);
        // Each side has a man at home, and Black a second man on the far rows: 105 + 10*1 + 250*1/3 + 1.
        assert_eq!(value(|position| V2.value(position), "B:W32:B1,22"), 105 + 10 + 83 + 1);
        assert_eq!(value(|position| V2.value(position), "W:W32:B1,22"), -(105 + 10 + 83 + 1));
        // A king in the centre against a man at home; with so few pieces, `defense` counts against the man's
        // owner.
        assert_eq!(value(|position| V2.value(position), "B:W32:BK14"), 125 - 105 + 10 + 30);
        assert_eq!(value(|position| V2.value(position), "B:W24:B20"), 10);
        assert_eq!(value(|position| V2.value(position), "W:W13:B9"), 10);
        assert_eq!(value(|position| V2.value(position), "B:W13:B9"), -10);
    }

    #[test]
    fn a_flip_has_the_same_value_unless_kings_are_in_the_centre() {
        let centre = CENTRE | CENTRE.rotated();
        let mut compared = 0;
        positions(|position| {
            let kings = position.kings(Color::Black) | position.kings(Color::White);
            if (kings & centre).is_empty() {
                assert_eq!(V2.value(position), V2.value(&position.flipped()), "{position:?}");
                compared += 1;
            }
        });
        assert!(compared > 1000);
        let uneven = kelso_draughts::notation::fen::parse("B:W32:BK10").unwrap();
        assert_eq!(V2.value(&uneven) - V2.value(&uneven.flipped()), 30);
    }
}
