//! An evaluation learned from the engine's own games, the other form: tables of patterns.
//!
//! Eleven patterns of twelve squares look at men: what stands there, of 3^12 possibilities, has a weight in the
//! pattern's table. Eight of eight squares look at men and kings, if there are kings. Some counts have a weight each
//! ([`Weights::scalars`]). Every weight is a pair, for the opening and for the ending, and counts in between by the number of pieces.
//! The board is seen by the side to move with its men going up, so that a position and its flip have the same value. All
//! arithmetic is in whole numbers.
//!
//! Most of what can stand in twelve squares was never seen in any game. What a smaller pattern or a single square says of it
//! is learned beside it, and only these are in the file for it ([`Weights`]); they are added up for every entry when the
//! weights are taken ([`Patterns::new`]), so that playing with them costs nothing.

mod shape;
#[cfg(test)]
mod tests;
mod weights;

use std::fmt;
use std::sync::Arc;

pub use shape::Pieces;
pub(super) use weights::ENVELOPE;
pub use weights::{Entry, FEATURES, ONE, Weights};

use self::shape::{KINGS, Lanes, MEN, MEN_SQUARES, SCALARS, SMALL};
use super::{Accumulators, Evaluate, LIMIT, Part};
use draughts::board::Position;

/// A weight in the opening and in the ending.
type Pair = [i16; 2];

/// Entries of a pattern of men.
const MEN_SIZE: usize = 3usize.pow(12);
/// Entries of a smaller one.
const SMALL_SIZE: usize = 3usize.pow(8);
/// Entries of a pattern of men and kings.
const KING_SIZE: usize = 5usize.pow(8);
/// Entries of half of one.
const HALF_SIZE: usize = 5usize.pow(4);
/// Pieces at the start, where only the opening counts.
const MOST_PIECES: i32 = 24;

/// Where the weights of each kind begin among all of them.
mod place {
    use super::{HALF_SIZE, KING_SIZE, KINGS, MEN, MEN_SIZE, SCALARS, SMALL, SMALL_SIZE};

    pub(super) const SCALAR: usize = 0;
    /// Own men, other men, by square.
    pub(super) const MAN: usize = SCALAR + SCALARS.len();
    /// Own kings, other kings, by square.
    pub(super) const KING: usize = MAN + 64;
    pub(super) const SMALL_MEN: usize = KING + 64;
    pub(super) const HALF_KINGS: usize = SMALL_MEN + SMALL.len() * SMALL_SIZE;
    pub(super) const ALL_MEN: usize = HALF_KINGS + 2 * KINGS.len() * HALF_SIZE;
    pub(super) const ALL_KINGS: usize = ALL_MEN + MEN.len() * MEN_SIZE;
    pub(super) const END: usize = ALL_KINGS + KINGS.len() * KING_SIZE;
}

/// The patterns with their weights.
#[derive(Clone)]
pub struct Patterns {
    name: Arc<str>,
    tables: Arc<Tables>,
}

/// The weights, added up for every entry of the patterns.
struct Tables {
    scale: i32,
    scalars: [Pair; SCALARS.len()],
    /// By pattern.
    men: Vec<Pair>,
    kings: Vec<Pair>,
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patterns").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A sum of weights, in the opening and in the ending.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Sum([i32; 2]);

impl Sum {
    #[inline]
    fn add(&mut self, [opening, ending]: Pair, times: i32) {
        self.0[0] += i32::from(opening) * times;
        self.0[1] += i32::from(ending) * times;
    }

    /// The score for a number of pieces.
    #[inline]
    fn score(self, pieces: i32, scale: i32) -> i32 {
        let [opening, ending] = self.0.map(i64::from);
        let pieces = i64::from(pieces);
        let sum = opening * pieces + ending * (i64::from(MOST_PIECES) - pieces);
        let value = sum * i64::from(scale) / (i64::from(MOST_PIECES) * i64::from(ONE));
        let limit = i64::from(LIMIT);
        i32::try_from(value.clamp(-limit, limit)).unwrap_or(0)
    }
}

/// What stands somewhere, by number: calls `tell` for every weight that belongs to a position, with how often it counts.
///
/// This is what the weights are learned by; playing looks up sums.
pub fn features(pieces: Pieces, mut tell: impl FnMut(usize, i32)) {
    for (scalar, times) in shape::scalars(pieces).into_iter().enumerate() {
        if times != 0 {
            tell(place::SCALAR + scalar, times);
        }
    }
    let mut squares = |set: u32, first: usize| {
        let mut rest = set;
        while rest != 0 {
            tell(first + rest.trailing_zeros() as usize, 1);
            rest &= rest - 1;
        }
    };
    squares(pieces.own_men, place::MAN);
    squares(pieces.other_men, place::MAN + 32);
    squares(pieces.own_kings, place::KING);
    squares(pieces.other_kings, place::KING + 32);
    let (own, other) = (Lanes::of(pieces.own_men), Lanes::of(pieces.other_men));
    let men = MEN.map(|pattern| shape::men_index(pattern, &own, &other));
    for (number, (pattern, first)) in SMALL.into_iter().enumerate() {
        let entry = men[pattern] / 3usize.pow(first) % SMALL_SIZE;
        tell(place::SMALL_MEN + number * SMALL_SIZE + entry, 1);
    }
    for (number, entry) in men.into_iter().enumerate() {
        tell(place::ALL_MEN + number * MEN_SIZE + entry, 1);
    }
    if pieces.own_kings | pieces.other_kings != 0 {
        let sets = [own, other, Lanes::of(pieces.own_kings), Lanes::of(pieces.other_kings)];
        for (number, pattern) in KINGS.into_iter().enumerate() {
            let entry = shape::king_index(pattern, &sets);
            let half = place::HALF_KINGS + 2 * number * HALF_SIZE;
            tell(half + entry % HALF_SIZE, 1);
            tell(half + HALF_SIZE + entry / HALF_SIZE, 1);
            tell(place::ALL_KINGS + number * KING_SIZE + entry, 1);
        }
    }
}

/// Adds to an entry what fits; beyond, it stays at its limit.
fn fold(pair: &mut Pair, other: Pair) {
    pair.iter_mut().zip(other).for_each(|(weight, other)| *weight = weight.saturating_add(other));
}

impl Patterns {
    /// The patterns with these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let mut few = vec![[0; 2]; place::ALL_MEN];
        let mut men = vec![[0; 2]; MEN.len() * MEN_SIZE];
        let mut kings = vec![[0; 2]; KINGS.len() * KING_SIZE];
        for &Entry { index, pair } in &weights.entries {
            let index = index as usize;
            let entry = if index < place::ALL_MEN {
                few.get_mut(index)
            } else if index < place::ALL_KINGS {
                men.get_mut(index - place::ALL_MEN)
            } else {
                kings.get_mut(index - place::ALL_KINGS)
            };
            if let Some(entry) = entry {
                *entry = pair;
            }
        }
        for (number, (pattern, first)) in SMALL.into_iter().enumerate() {
            let small = &few[place::SMALL_MEN + number * SMALL_SIZE..][..SMALL_SIZE];
            let step = 3usize.pow(first);
            for (entry, pair) in men[pattern * MEN_SIZE..][..MEN_SIZE].iter_mut().enumerate() {
                fold(pair, small[entry / step % SMALL_SIZE]);
            }
        }
        for (pattern, within, square, squares) in MEN_SQUARES {
            for digit in 0..squares {
                let at = place::MAN + (square + digit) as usize;
                // Nobody, a man of the side to move, one of the other's.
                let by_man = [[0; 2], few[at], few[at + 32]];
                add_digit(&mut men[pattern * MEN_SIZE..][..MEN_SIZE], within + digit, &by_man);
            }
        }
        for (number, table) in kings.chunks_exact_mut(KING_SIZE).enumerate() {
            let halves = &few[place::HALF_KINGS + 2 * number * HALF_SIZE..][..2 * HALF_SIZE];
            for (entry, pair) in table.iter_mut().enumerate() {
                fold(pair, halves[entry % HALF_SIZE]);
                fold(pair, halves[HALF_SIZE + entry / HALF_SIZE]);
            }
            // The rows of the first four hold every square once.
            for square in (8 * number..8 * number + 8).take_while(|&square| square < 32) {
                let at = place::KING + square;
                let by_piece = [[0; 2], [0; 2], [0; 2], few[at], few[at + 32]];
                #[expect(clippy::cast_possible_truncation, reason = "below 8")]
                add_digit(table, (square % 8) as u32, &by_piece);
            }
        }
        let mut scalars = [[0; 2]; SCALARS.len()];
        scalars.copy_from_slice(&few[place::SCALAR..place::SCALAR + SCALARS.len()]);
        let tables = Tables { scale: weights.scale, scalars, men, kings };
        Self { name: weights.name.as_str().into(), tables: Arc::new(tables) }
    }

    /// What the weights are called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sums of scalars, of patterns of men and of patterns with kings; `tell` hears of each pattern.
    #[inline]
    fn sums(&self, pieces: Pieces, mut tell: impl FnMut(Group, Pair, i32)) {
        let Tables { scalars, men, kings, .. } = &*self.tables;
        for (number, times) in shape::scalars(pieces).into_iter().enumerate() {
            tell(Group::Scalar(number), scalars[number], times);
        }
        let (own, other) = (Lanes::of(pieces.own_men), Lanes::of(pieces.other_men));
        for (number, pattern) in MEN.into_iter().enumerate() {
            let entry = shape::men_index(pattern, &own, &other);
            tell(Group::Men(number), men[number * MEN_SIZE + entry], 1);
        }
        if pieces.own_kings | pieces.other_kings != 0 {
            let sets = [own, other, Lanes::of(pieces.own_kings), Lanes::of(pieces.other_kings)];
            for (number, pattern) in KINGS.into_iter().enumerate() {
                let entry = shape::king_index(pattern, &sets);
                tell(Group::Kings(number), kings[number * KING_SIZE + entry], 1);
            }
        }
    }
}

/// Adds to each entry of a table what a digit of its number stands for.
fn add_digit<const BASE: usize>(table: &mut [Pair], digit: u32, by_value: &[Pair; BASE]) {
    let step = BASE.pow(digit);
    for (run, pairs) in table.chunks_exact_mut(step).enumerate() {
        let add = by_value[run % BASE];
        for pair in pairs {
            fold(pair, add);
        }
    }
}

/// What a weight belongs to.
#[derive(Clone, Copy, Debug)]
enum Group {
    Scalar(usize),
    Men(usize),
    Kings(usize),
}

impl Group {
    const fn name(self) -> &'static str {
        match self {
            Self::Scalar(number) => SCALARS[number],
            Self::Men(number) => shape::MEN_NAMES[number],
            Self::Kings(number) => shape::KING_NAMES[number],
        }
    }
}

impl Evaluate for Patterns {
    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        let pieces = Pieces::of(position);
        let mut sum = Sum::default();
        self.sums(pieces, |_, pair, times| sum.add(pair, times));
        sum.score(pieces.count(), self.tables.scale)
    }

    #[inline]
    fn evaluate_near(&self, memory: &mut Accumulators, position: &Position, _ply: usize) -> i32 {
        let key = position.key();
        if let Some(value) = memory.value(key) {
            return value;
        }
        let value = self.evaluate(position);
        memory.keep(key, value);
        value
    }

    fn parts(&self, position: &Position) -> Vec<Part> {
        let pieces = Pieces::of(position);
        let scale = self.tables.scale;
        let mut parts = Vec::new();
        self.sums(pieces, |group, pair, times| {
            let mut sum = Sum::default();
            sum.add(pair, times);
            if sum != Sum::default() {
                let score = |count| sum.score(count, scale);
                let value = score(pieces.count());
                parts.push(Part::phases(group.name(), value, score(MOST_PIECES), score(0)));
            }
        });
        parts
    }
}
