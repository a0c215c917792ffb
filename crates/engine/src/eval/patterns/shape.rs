//! What the patterns look at: which squares, and how what stands on them becomes a number.
//!
//! Squares are taken by lanes: all rows, or two neighbouring files of every row, pressed together. In the rows a row is four bits of
//! a set and in the files two, so that every pattern is some bits in a row.

use crate::eval::steps::{STEPS, Spread, count, spread};
use crate::eval::view::View;
use draughts::board::{Bitboard, Position};

/// The pieces as the side to move sees them, its own men going up from square 1: its men, the other's, its kings, the other's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// Men of the side to move.
    pub own_men: u32,
    /// The other side's men.
    pub other_men: u32,
    /// Kings of the side to move.
    pub own_kings: u32,
    /// The other side's kings.
    pub other_kings: u32,
}

impl Pieces {
    /// Those of a position.
    #[must_use]
    #[inline]
    pub fn of(position: &Position) -> Self {
        let View { me, you } = View::of(position);
        Self { own_men: me.men.0, other_men: you.men.0, own_kings: me.kings.0, other_kings: you.kings.0 }
    }

    /// Number of all.
    #[inline]
    pub(super) const fn count(self) -> i32 {
        (self.own_men | self.other_men | self.own_kings | self.other_kings).count_ones().cast_signed()
    }
}

/// Bits of a set, in another order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lane {
    /// All squares.
    Rows,
    /// The first two of each row.
    Left,
    /// The middle two.
    Middle,
    /// The last two.
    Right,
}

/// A set by all lanes.
pub(super) struct Lanes([u32; 4]);

impl Lanes {
    #[inline]
    pub(super) const fn of(set: u32) -> Self {
        Self([set, files(set), files(set >> 1), files(set >> 2)])
    }

    #[inline]
    const fn get(&self, lane: Lane) -> u32 {
        self.0[lane as usize]
    }
}

/// The two lowest bits of each row of four, side by side.
#[inline]
const fn files(set: u32) -> u32 {
    let set = set & 0x3333_3333;
    let set = (set | set >> 2) & 0x0f0f_0f0f;
    let set = (set | set >> 4) & 0x00ff_00ff;
    (set | set >> 8) & 0xffff
}

/// A pattern: a lane, and the first of its bits.
pub(super) type Pattern = (Lane, u32);

/// Patterns of men, of twelve squares: three rows; six rows of two files.
pub(super) const MEN: [Pattern; 11] = [
    (Lane::Rows, 0),
    (Lane::Rows, 4),
    (Lane::Rows, 8),
    (Lane::Rows, 12),
    (Lane::Rows, 16),
    (Lane::Rows, 20),
    (Lane::Left, 0),
    (Lane::Left, 4),
    (Lane::Right, 0),
    (Lane::Right, 4),
    (Lane::Middle, 2),
];
/// Patterns of men and kings, of eight squares: two rows; four rows of two files.
pub(super) const KINGS: [Pattern; 8] = [
    (Lane::Rows, 0),
    (Lane::Rows, 8),
    (Lane::Rows, 16),
    (Lane::Rows, 24),
    (Lane::Left, 0),
    (Lane::Left, 8),
    (Lane::Right, 0),
    (Lane::Right, 8),
];
/// What they are called.
pub(super) const MEN_NAMES: [&str; MEN.len()] = [
    "men-rows-1-3",
    "men-rows-2-4",
    "men-rows-3-5",
    "men-rows-4-6",
    "men-rows-5-7",
    "men-rows-6-8",
    "men-left-rows-1-6",
    "men-left-rows-3-8",
    "men-right-rows-1-6",
    "men-right-rows-3-8",
    "men-middle-rows-2-7",
];
/// What they are called.
pub(super) const KING_NAMES: [&str; KINGS.len()] = [
    "kings-rows-1-2",
    "kings-rows-3-4",
    "kings-rows-5-6",
    "kings-rows-7-8",
    "kings-left-rows-1-4",
    "kings-left-rows-5-8",
    "kings-right-rows-1-4",
    "kings-right-rows-5-8",
];
/// Patterns of men, of eight squares, each within one of twelve: which, and its first square there.
pub(super) const SMALL: [(usize, u32); 15] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (5, 4),
    (6, 0),
    (6, 4),
    (7, 4),
    (8, 0),
    (8, 4),
    (9, 4),
    (10, 0),
    (10, 4),
];
/// Which squares of the board are folded into which patterns: the pattern, its first square there, the first on the board, how many.
pub(super) const MEN_SQUARES: [(usize, u32, u32, u32); 3] = [(0, 0, 0, 12), (3, 0, 12, 12), (5, 4, 24, 8)];

const TWELVE: usize = 1 << 12;
const EIGHT: usize = 1 << 8;

/// Numbers whose digits are the bits of an index.
const fn digits<const N: usize>(base: u32) -> [u32; N] {
    let mut table = [0; N];
    let mut set = 1;
    while set < N {
        table[set] = table[set >> 1] * base + if set % 2 == 0 { 0 } else { 1 };
        set += 1;
    }
    table
}

static TERNARY: [u32; TWELVE] = digits(3);
static QUINARY: [u32; EIGHT] = digits(5);

/// What stands in a pattern of men, from 0 to 3^12 - 1.
#[inline]
pub(super) fn men_index((lane, shift): Pattern, own: &Lanes, other: &Lanes) -> usize {
    let digits = |set: &Lanes| TERNARY[(set.get(lane) >> shift) as usize % TWELVE];
    (digits(own) + 2 * digits(other)) as usize
}

/// What stands in a pattern of men and kings, from 0 to 5^8 - 1.
#[inline]
pub(super) fn king_index((lane, shift): Pattern, sets: &[Lanes; 4]) -> usize {
    let digits = |set: &Lanes| QUINARY[(set.get(lane) >> shift) as usize % EIGHT];
    let [own_men, other_men, own_kings, other_kings] = sets;
    (digits(own_men) + 2 * digits(other_men) + 3 * digits(own_kings) + 4 * digits(other_kings)) as usize
}

/// What is counted.
pub(super) const SCALARS: [&str; 15] = [
    "turn",
    "own-men",
    "other-men",
    "own-kings",
    "other-kings",
    "own-a-king",
    "other-a-king",
    "own-two-kings",
    "other-two-kings",
    "exchange",
    "the-move",
    "own-man-steps",
    "other-man-steps",
    "own-king-steps",
    "other-king-steps",
];

/// The squares on whose files the men of the side to move begin.
const OWN_FILES: u32 = 0x0f0f_0f0f;

/// How often each is there.
#[inline]
pub(super) fn scalars(pieces: Pieces) -> [i32; SCALARS.len()] {
    let Pieces { own_men, other_men, own_kings, other_kings } = pieces;
    let count_of = |set: u32| set.count_ones().cast_signed();
    let (men, kings) = ([own_men, other_men].map(count_of), [own_kings, other_kings].map(count_of));
    let (own, other) = (men[0] + kings[0], men[1] + kings[1]);
    // A lead weighs more the less there is.
    let exchange = (own - other) * 16 / (own + other).max(1);
    // Of two equal sides, that which will have opposed the other when all have come together.
    let opposed = ((own_men | own_kings | other_men | other_kings) & OWN_FILES).count_ones() % 2 == 1;
    let the_move = if own != other {
        0
    } else if opposed {
        1
    } else {
        -1
    };
    let empty = spread(Bitboard(!(own_men | other_men | own_kings | other_kings)));
    let steps = |set: u32, from: usize, to: usize| -> i32 {
        let set: Spread = spread(Bitboard(set));
        STEPS[from..to].iter().map(|step| count(step.from(set) & empty)).sum()
    };
    [
        1,
        men[0],
        men[1],
        kings[0],
        kings[1],
        i32::from(kings[0] > 0),
        i32::from(kings[1] > 0),
        i32::from(kings[0] > 1),
        i32::from(kings[1] > 1),
        exchange,
        the_move,
        steps(own_men, 0, 2),
        steps(other_men, 2, 4),
        steps(own_kings, 0, 4),
        steps(other_kings, 0, 4),
    ]
}
