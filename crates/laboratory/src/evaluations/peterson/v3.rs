//! Part of Samuel's polynomial of 1959:
//!
//! ```text
//! (me-you)*2^20 - moc2*2^18 + kcent*2^16 - moc4*2^14 - mode3*2^13 - demmo*2^11 + mov*2^8 - adv*2^8
//!     - mode2*2^8 - back*2^6 + center*2^5 + thret*2^5 + moc3*2^4
//! ```
//!
//! - `me`, `you`: 2 for each man and 3 for each king.
//! - `mob`: for each of my pieces, the number of empty squares it can step to.
//! - `deny`: a sum over every piece of either side and every empty square `n` that it can step to. If a
//!   neighbour of `n` holds a piece of yours and the opposite neighbour `l` is empty, the sum grows by the
//!   number of my pieces next to `l`.
//! - `thret`: for each of my pieces and every empty square `n` that it can step to, the number of directions
//!   in which it could jump a piece of yours from there.
//! - `mov`: 1 when `me` = `you`, `me` < 25, and an even number of the squares {1-4, 9-12, 17-20, 25-28} is
//!   occupied.
//! - `adv`: +1 for each piece on rows 5 and 6 from its own side (Black 17-24, White 9-16), -1 for each on
//!   rows 3 and 4 (Black 9-16, White 17-24); mine minus yours.
//! - `back`: 1 when I have no king and both my bridge squares are occupied (Black 1 and 3, White 30 and 32).
//! - `center`, `kcent`: the number of pieces and of kings, of either side, on {10, 11, 14, 15, 18, 19}.
//! - With U = `mob` > `deny`, T = `mob` > 0, D = `deny` > 0, C = `center` > 0, each of these is 1 if it holds
//!   and otherwise 0: `demmo` = D and not T; `mode2` = U and not D; `mode3` = D and not U; `moc2` = C and not
//!   U; `moc3` = U and not C; `moc4` = neither U nor C.
//!
//! The squares of `center`, `kcent` and `mov` are not symmetric, so a position and its flip may have
//! different values. The other terms are symmetric.

use super::CENTRE;
use crate::evaluation::Evaluation;
use kelso_draughts::board::relative::count;
use kelso_draughts::board::steps::{Bits, Direction, SQUARES, STEPS, count_bits, unpack};
use kelso_draughts::board::{Bitboard, Color, Position};

/// Peterson's third evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct V3;

const EVEN_ROWS: Bitboard = Bitboard(0x0f0f_0f0f);
const FIRST_MIDDLE: Bitboard = Bitboard(0x0000_ff00);
const SECOND_MIDDLE: Bitboard = Bitboard(0x00ff_0000);
const BRIDGE: Bitboard = Bitboard::from_numbers(&[1, 3]);

impl Evaluation for V3 {
    fn value(&self, position: &Position) -> i32 {
        let terms = Terms::of(position);
        let Terms { mob, deny, center, .. } = terms;
        let one = i32::from;
        let usable = mob > deny;
        let mobile = mob > 0;
        let denied = deny > 0;
        let centered = center > 0;
        let demmo = one(denied && !mobile);
        let mode2 = one(usable && !denied);
        let mode3 = one(denied && !usable);
        let moc2 = one(centered && !usable);
        let moc3 = one(usable && !centered);
        let moc4 = one(!usable && !centered);
        (terms.lead << 20) - (moc2 << 18) + (terms.kcent << 16) - (moc4 << 14) - (mode3 << 13) - (demmo << 11)
            + ((terms.mov - terms.adv - mode2) << 8)
            - (terms.back << 6)
            + ((center + terms.thret) << 5)
            + (moc3 << 4)
    }

    fn man(&self) -> i32 {
        2 << 20
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Terms {
    lead: i32,
    mob: i32,
    deny: i32,
    thret: i32,
    mov: i32,
    adv: i32,
    back: i32,
    center: i32,
    kcent: i32,
}

impl Terms {
    fn of(position: &Position) -> Self {
        let sides = Sides::of(position);
        let occupied = position.occupied();
        let kings = position.kings(Color::Black) | position.kings(Color::White);
        let [me, you] = [position.side(), !position.side()]
            .map(|color| 2 * count(position.men(color)) + 3 * count(position.kings(color)));
        let bridge = match position.side() {
            Color::Black => BRIDGE,
            Color::White => BRIDGE.rotated(),
        };
        let mob = sides.mobility();
        Self {
            lead: me - you,
            mob,
            deny: sides.denied(mob),
            thret: sides.threats(),
            mov: i32::from(me == you && me < 25 && count(occupied & EVEN_ROWS) % 2 == 0),
            adv: forward(position, position.side()) - forward(position, !position.side()),
            back: i32::from(position.kings(position.side()).is_empty() && (bridge - occupied).is_empty()),
            center: count(occupied & CENTRE),
            kcent: count(kings & CENTRE),
        }
    }
}

/// Returns a side's term of `adv`.
fn forward(position: &Position, color: Color) -> i32 {
    let pieces = position.pieces(color);
    let on = count(pieces & SECOND_MIDDLE) - count(pieces & FIRST_MIDDLE);
    if color == Color::Black { on } else { -on }
}

/// Sets of pieces by the directions in which they can step.
struct Sides {
    side: Color,
    mine: Bits,
    yours: Bits,
    my_kings: Bits,
    empty: Bits,
    /// My pieces that can step to higher-numbered squares, and my pieces that can step to lower-numbered
    /// squares.
    my_movers: [Bits; 2],
    /// The same two sets for the pieces of both sides.
    movers: [Bits; 2],
}

const fn way(step: Direction) -> usize {
    match step {
        Direction::Up(_) => 0,
        Direction::Down(_) => 1,
    }
}

impl Sides {
    fn of(position: &Position) -> Self {
        let me = position.side();
        let [mine, yours] = [me, !me].map(|color| unpack(position.pieces(color)));
        let [my_kings, your_kings] = [me, !me].map(|color| unpack(position.kings(color)));
        let (my_movers, movers) = match me {
            Color::Black => ([mine, my_kings], [mine | your_kings, my_kings | yours]),
            Color::White => ([my_kings, mine], [my_kings | yours, mine | your_kings]),
        };
        Self { side: me, mine, yours, my_kings, empty: SQUARES & !(mine | yours), my_movers, movers }
    }

    fn mobility(&self) -> i32 {
        STEPS.iter().map(|&step| count_bits(step.step(self.my_movers[way(step)]) & self.empty)).sum()
    }

    /// Returns the squares from which a piece could jump in a direction.
    fn before_jump(&self, step: Direction) -> Bits {
        self.empty & step.unstep(self.yours & step.unstep(self.empty))
    }

    fn threats(&self) -> i32 {
        let men = self.mine & !self.my_kings;
        let mut threats = match self.side {
            Color::Black => self.threats_of::<0, 2>(men),
            Color::White => self.threats_of::<2, 4>(men),
        };
        if self.my_kings != 0 {
            threats += self.threats_of::<0, 4>(self.my_kings);
        }
        threats
    }

    /// Returns the threats by pieces that can take the steps in `STEPS[FROM..TO]`.
    #[inline]
    fn threats_of<const FROM: usize, const TO: usize>(&self, pieces: Bits) -> i32 {
        let mut threats = 0;
        for &jump in &STEPS[FROM..TO] {
            let before = self.before_jump(jump);
            threats += STEPS[FROM..TO].iter().map(|step| count_bits(step.step(pieces) & before)).sum::<i32>();
        }
        threats
    }

    /// Returns `deny`. Counting may stop once the sum is positive and at least `enough`, since the formula
    /// only tests this threshold.
    fn denied(&self, enough: i32) -> i32 {
        let [up, down] = self.movers;
        let within_a_step = up << 4 | up << 5 | down >> 4 | down >> 5;
        let next_to_mine = self.empty & around(self.mine);
        // For each direction, the squares that count: a step leads to a piece of yours, and a step back to an
        // empty square next to a piece of mine.
        let counting =
            |step: Direction| self.empty & within_a_step & step.unstep(self.yours) & step.step(next_to_mine);
        let [a, b, c, d] = STEPS;
        let counting = [counting(a), counting(b), counting(c), counting(d)];
        let min = counting.iter().map(|&squares| count_bits(squares)).sum();
        if min == 0 || min >= enough {
            return min;
        }
        let mut denied = 0;
        for (step, mut squares) in STEPS.into_iter().zip(counting) {
            while squares != 0 {
                let square = squares & squares.wrapping_neg();
                squares ^= square;
                denied += self.steppers(square) * count_bits(around(step.unstep(square)) & self.mine);
            }
        }
        denied
    }

    fn steppers(&self, square: Bits) -> i32 {
        let below = square >> 4 | square >> 5;
        let above = square << 4 | square << 5;
        count_bits(below & self.movers[0]) + count_bits(above & self.movers[1])
    }
}

/// Returns the squares next to a set. They may include gaps.
const fn around(set: Bits) -> Bits {
    set << 4 | set << 5 | set >> 4 | set >> 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;
    use kelso_engine::eval::testing::{positions, value};

    #[test]
    fn positions_worked_out_by_hand() {
        // At the start, Black has seven steps. White's steps to 17, 18 and 19 deny 4 + 2, 4 + 4 and 4 + 4,
        // which is more: mode3, and with 10 and 11 in the centre also moc2. Black holds its bridge: back.
        // Black's 9-12 and White's 21-24 balance in adv. Each side has 24 points and twelve of the squares
        // listed for mov are occupied: mov.
        assert_eq!(
            value(|position| V3.value(position), "B:W21-32:B1-12"),
            -(1 << 18) - (1 << 13) + (1 << 8) - (1 << 6) + 2 * (1 << 5)
        );
        // A man on 14, in the centre, against a man on 32: equal material, two steps, none denied. The men
        // are on rows 3 and 7, so no square of the even rows is occupied, and mov is 1; adv is -1.
        assert_eq!(
            value(|position| V3.value(position), "B:W32:B14"),
            (1 << 8) + (1 << 8) - (1 << 8) + (1 << 5)
        );
        // The man in the centre is a king instead.
        assert_eq!(
            value(|position| V3.value(position), "B:W32:BK14"),
            (1 << 20) + (1 << 16) + (1 << 8) - (1 << 8) + (1 << 5)
        );
    }

    #[test]
    fn threats_and_denials_worked_out_by_hand() {
        let terms = |text: &str| Terms::of(&fen::parse(text).unwrap());
        // From 10 to 14 or 15; from 15 the man could jump 19 to 24; nothing else. White's man denies White
        // nothing. For me, n = 15 is next to your man on 19, but the opposite square 10 is not empty.
        let one = terms("B:W19:B10");
        assert_eq!((one.mob, one.thret, one.deny), (2, 1, 0));
        // Mine on 6 and 11, yours on 18. Only 18 can step to n = 14; the neighbour is 18 itself, and the
        // opposite square 9 is empty and next to 6: 1. Both 11 and 18 can step to n = 15; the neighbour is
        // 18, and the opposite square 11 is occupied. No piece can step to n = 22 or 23.
        let two = terms("B:W18:B6,11");
        assert_eq!((two.mob, two.deny), (5 - 1, 1));
    }

    #[test]
    fn a_flip_has_the_same_terms_except_those_of_the_centre_and_the_move() {
        positions(|position| {
            let (here, there) = (Terms::of(position), Terms::of(&position.flipped()));
            let Terms { mov, center, kcent, .. } = here;
            // Counting may stop at different values of `deny`, so compare only what the formula uses.
            assert_eq!((here.deny > 0, here.mob > here.deny), (there.deny > 0, there.mob > there.deny));
            assert_eq!(here, Terms { mov, center, kcent, deny: here.deny, ..there }, "{position:?}");
        });
    }
}
