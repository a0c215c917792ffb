//! The terms of the handcrafted evaluation.
//!
//! To add a term, add a line to `terms!` with its name and its code. The term has no effect until it has
//! weights.
//!
//! Each side's terms are counted with the board turned so that its men move up, from square 1 towards 32, so
//! both sides share the same code. Some terms are computed here, with a few shifts of the whole board; the
//! others give men and kings a weight for each square (`SquareWeights`).

use std::sync::LazyLock;

use kelso_draughts::board::Bitboard;
use kelso_draughts::board::relative::{RelativePosition, count};
use kelso_draughts::board::steps::{Bits, SQUARES, count_bits, unpack};

/// Index of the first term for sets of men on the back row. Terms for other men and for kings, by square,
/// follow.
pub(super) const BACK: usize = NUM_COMPUTED;
pub(super) const MEN: usize = BACK + 15;
pub(super) const KINGS: usize = MEN + 24;
pub(super) const COUNT: usize = KINGS + 32;

/// The early and late weights of a term.
pub(super) type TermPair = [i32; 2];
pub(super) type ClassicWeights = [TermPair; COUNT];

const DOUBLE_CORNERS: Bitboard = Bitboard::from_numbers(&[1, 5, 28, 32]);
const MAIN_ROAD: Bitboard = Bitboard::from_numbers(&[4, 8, 11, 15, 18, 22, 25, 29]);
/// Squares on which the number of pieces decides which side has "the move".
const EVEN_ROWS: Bitboard = Bitboard(0x0f0f_0f0f);
/// The left columns from the side's point of view.
const LEFT: Bitboard = Bitboard(0x3333_3333);
const CROWNING: Bitboard = Bitboard::row(7);
const PAST_MIDDLE: Bitboard = Bitboard(0x0fff_0000);
const ROWS_TO_GO: [Bits; 4] = [
    unpack(Bitboard::row(6)),
    unpack(Bitboard::row(5)),
    unpack(Bitboard::row(4)),
    unpack(Bitboard(0x0000_ffff)),
];

const fn holds(set: Bitboard, squares: Bitboard) -> bool {
    set.0 & squares.0 == squares.0
}

/// A man that immobilises others, and the men it immobilises.
const HOLDERS: [(Bitboard, Bitboard); 3] = [
    (Bitboard::from_numbers(&[28]), Bitboard::from_numbers(&[32])),
    (Bitboard::from_numbers(&[20]), Bitboard::from_numbers(&[24, 28])),
    (Bitboard::from_numbers(&[13]), Bitboard::from_numbers(&[17, 21])),
];

/// Generates, from lines of `"name" => count`, the names of the computed terms and the function that counts
/// them. The first block computes values that several terms need.
macro_rules! terms {
    (|$view:ident, $on_turn:ident| { $($before:tt)* } $($name:literal => $count:expr,)*) => {
        /// The number of computed terms.
        pub(super) const NUM_COMPUTED: usize = COMPUTED_NAMES.len();
        const COMPUTED_NAMES: &[&str] = &[$($name),*];

        /// Counts the computed terms for the side whose men move up the board.
        #[inline]
        pub(super) fn computed_terms($view: &RelativePosition, $on_turn: bool) -> [i32; NUM_COMPUTED] {
            $($before)*
            [$($count),*]
        }
    };
}

terms! {
    |view, on_turn| {
        let own = view.own;
        let enemy = view.enemy;
        let men = unpack(own.men);
        let kings = unpack(own.kings);
        let yours = unpack(enemy.all());
        let your_kings = unpack(enemy.kings);
        let pieces = men | kings;
        let empty = SQUARES & !(pieces | yours);
        let exposed = exposed(yours, your_kings, empty);
        let [safe_4, safe_5] = safe_steps(yours, your_kings, empty);
        let left = men << 4;
        let right = men << 5;
        let [king_steps, trapped, attacks] = if kings == 0 {
            [0; 3]
        } else {
            king_mobility(kings, yours, empty, [safe_4, safe_5], your_kings, exposed)
        };
        let free_men = men & ((left & safe_4) >> 4 | (right & safe_5) >> 5);
        let stuck_men = men & !(empty >> 4 | empty >> 5);
        let runners = men & !in_the_way(yours);
        let mine = count(own.all());
        let your_count = count(enemy.all());
        let total = mine + your_count;
        let has_move = on_turn && mine == your_count && count(view.occupied() & EVEN_ROWS) & 1 == 0;
        let any_king = kings | your_kings != 0;
        let past = !(own.men & PAST_MIDDLE).is_empty();
        let is = i32::from;
        let held = |which: usize| is(holds(own.men, HOLDERS[which].0) && holds(enemy.men, HOLDERS[which].1));
    }
    // Material: pieces; the first king; a king when the other side has none; a lead in pieces, which is worth
    // more with fewer pieces.
    "man" => count(own.men),
    "king" => count(own.kings),
    "first-king" => is(kings != 0),
    "sole-king" => is(kings != 0 && your_kings == 0),
    "trade" => 48 * (mine - your_count).max(0) / total.max(1),
    // Tempo: the side to move; having "the move" with equal pieces, without kings and with kings on the
    // board.
    "turn" => is(on_turn),
    "move" => is(has_move && !any_king),
    "move-kings" => is(has_move && any_king),
    // Mobility of men: steps; safe steps; men with a safe step; men without any step.
    "steps" => count_bits(left & empty) + count_bits(right & empty),
    "safe-steps" => count_bits(left & safe_4) + count_bits(right & safe_5),
    "free-men" => count_bits(free_men),
    "stuck-men" => count_bits(stuck_men),
    // Threats: pieces that the other side can capture immediately.
    "threatened" => count_bits(pieces & (exposed[0] | exposed[1])),
    // Structure: men with another man behind them, on either diagonal, and men with two behind them.
    "chain-left" => count_bits(men & left),
    "chain-right" => count_bits(men & right),
    "triangle" => count_bits(men & left & right),
    // Runaways: men that cannot be stopped, by the number of rows to go.
    "run-1" => count_bits(runners & ROWS_TO_GO[0]),
    "run-2" => count_bits(runners & ROWS_TO_GO[1]),
    "run-3" => count_bits(runners & ROWS_TO_GO[2]),
    "run-4" => count_bits(runners & ROWS_TO_GO[3]),
    // Empty crowning squares, if a man is past the middle.
    "open-row" => is(past) * (4 - count(view.occupied() & CROWNING)),
    // Holds: a man on 28 held by a man on 32; a man on 20 that holds men on 24 and 28; a man on 13 that holds
    // men on 17 and 21.
    "dog-hole" => held(0),
    "cramp-20" => held(1),
    "cramp-13" => held(2),
    // Balance: the imbalance of men between left and right.
    "skew" => (count(own.men & LEFT) - count(own.men - LEFT)).abs(),
    // Kings: safe steps, and kings without any; a king in a double corner if its side is behind; the diagonal
    // between the single corners if no enemy piece is on it; enemy pieces next to a king, and the empty
    // squares behind them.
    "king-steps" => king_steps,
    "trapped-kings" => trapped,
    "refuge" => is(mine < your_count && !(own.kings & DOUBLE_CORNERS).is_empty()),
    "main-road" => is(!(own.kings & MAIN_ROAD).is_empty() && (enemy.all() & MAIN_ROAD).is_empty()),
    "king-attacks" => attacks,
}

/// The names of the terms: computed terms, then men on the back row by the set of their squares, other men by
/// square, and kings by square.
pub(super) static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let back = (1..16).map(|row| {
        let squares = (1..=4).filter(|square| row >> (square - 1) & 1 == 1);
        format!("back-{}", squares.map(|square: u32| square.to_string()).collect::<String>())
    });
    let men = (5..=28).map(|square| format!("man-{square}"));
    let kings = (1..=32).map(|square| format!("king-{square}"));
    let standing = back.chain(men).chain(kings).map(|name| &*name.leak());
    COMPUTED_NAMES.iter().copied().chain(standing).collect()
});

/// Returns the squares where a piece could be captured, on each diagonal, by a piece in front of it or a king
/// behind it.
#[inline]
fn exposed(yours: Bits, your_kings: Bits, empty: Bits) -> [Bits; 2] {
    [4, 5].map(|step| yours >> step & empty << step | your_kings << step & empty >> step)
}

/// Returns the squares to which a piece can safely step up the board, on each diagonal. The step leaves an
/// empty square behind the piece, which may expose it to capture.
#[inline]
pub(in crate::eval) fn safe_steps(yours: Bits, your_kings: Bits, empty: Bits) -> [Bits; 2] {
    let [exposed_4, exposed_5] = exposed(yours, your_kings, empty);
    [empty & !(yours >> 4 | exposed_5), empty & !(yours >> 5 | exposed_4)]
}

/// Counts the safe steps of kings, the kings without any, and adjacent pieces that a king could jump.
fn king_mobility(
    kings: Bits,
    yours: Bits,
    empty: Bits,
    safe: [Bits; 2],
    your_kings: Bits,
    exposed: [Bits; 2],
) -> [i32; 3] {
    let up = [kings << 4 & safe[0], kings << 5 & safe[1]];
    let down = [
        kings >> 4 & empty & !(your_kings << 4 | exposed[1]),
        kings >> 5 & empty & !(your_kings << 5 | exposed[0]),
    ];
    let free = up[0] >> 4 | up[1] >> 5 | down[0] << 4 | down[1] << 5;
    let steps = count_bits(up[0]) + count_bits(up[1]) + count_bits(down[0]) + count_bits(down[1]);
    let attacks = count_bits(kings << 4 & yours & empty >> 4)
        + count_bits(kings << 5 & yours & empty >> 5)
        + count_bits(kings >> 4 & yours & empty << 4)
        + count_bits(kings >> 5 & yours & empty << 5);
    [steps, count_bits(kings & !free), attacks]
}

/// Returns the squares of men that can be stopped by an enemy in front of them or beside their path.
#[inline]
fn in_the_way(yours: Bits) -> Bits {
    let mut below = yours;
    for _ in 0..6 {
        below |= (below >> 4 | below >> 5) & SQUARES;
    }
    below | (below << 4 & SQUARES) >> 5 | (below << 5 & SQUARES) >> 4
}
