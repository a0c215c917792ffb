//! The handcrafted evaluation. Its terms (`terms`) come from books and earlier programs. Their weights were
//! fitted to game results by the `training` crate.
//!
//! The value of a position is the sum, over all terms, of the difference between the two sides' counts times
//! the term's weight. Every term has two weights, one for a full and one for a nearly empty board, which are
//! interpolated by the number of pieces. Weights are in thousandths of a man.

mod term_weights;
pub(super) mod terms;

use std::sync::LazyLock;

pub use term_weights::{TermWeights, TermWeightsError};

use self::terms::{BACK, COUNT, ClassicWeights, KINGS, MEN, NUM_COMPUTED, TermPair, computed_terms};
use super::{EvalPart, LIMIT};
use kelso_draughts::board::relative::RelativePosition;
use kelso_draughts::board::{Bitboard, Position};

/// The handcrafted evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classic {
    weights: ClassicWeights,
    /// The early and the late weights of the computed terms.
    computed_terms: [[i32; NUM_COMPUTED]; 2],
    squares: SquareWeights,
}

/// With at most `LATE_PIECES` pieces, only the late weights are used; with at least `LATE_PIECES +
/// FADING_PIECES`, only the early weights.
const LATE_PIECES: u32 = 4;
const FADING_PIECES: u32 = 20;

static FITTED: LazyLock<Classic> = LazyLock::new(|| TermWeights::default().build());

/// For each term, the difference between the two sides' counts in a position. Used to fit the weights.
#[derive(Clone, PartialEq, Debug)]
pub struct TermCounts {
    /// The differences, in the order of the weights.
    pub differences: [i32; COUNT],
    /// The share of the early weight, from 0 to 1.
    pub early: f32,
}

impl Classic {
    /// Creates an evaluation from its weights: an early and a late weight for each term. Missing weights are
    /// 0.
    #[must_use]
    pub fn new(values: &[i32]) -> Self {
        let mut weights = [[0; 2]; COUNT];
        for (weight, pair) in weights.iter_mut().zip(values.as_chunks::<2>().0) {
            *weight = *pair;
        }
        let computed_terms = [0, 1].map(|phase| std::array::from_fn(|term| weights[term][phase]));
        Self { computed_terms, squares: SquareWeights::new(&weights), weights }
    }

    /// Returns the evaluation with the compiled-in weights.
    #[must_use]
    pub fn fitted() -> &'static Self {
        &FITTED
    }
}

impl TermCounts {
    /// Counts the terms of a position.
    #[must_use]
    pub fn of(view: RelativePosition) -> Self {
        let own = counts(&view, true);
        let other = counts(&view.swapped(), false);
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let early = early(view) as f32 / FADING_PIECES as f32;
        Self { differences: std::array::from_fn(|term| own[term] - other[term]), early }
    }
}

fn counts(view: &RelativePosition, on_turn: bool) -> [i32; COUNT] {
    let mut term_values = [0; COUNT];
    term_values[..NUM_COMPUTED].copy_from_slice(&computed_terms(view, on_turn));
    for term in men_terms(view.own.men).chain(king_terms(view.own.kings)) {
        term_values[term] += 1;
    }
    term_values
}

/// Returns the share of the early weights, as a number from 0 to `FADING_PIECES`.
#[inline]
fn early(view: RelativePosition) -> u32 {
    view.occupied().len().clamp(LATE_PIECES, LATE_PIECES + FADING_PIECES) - LATE_PIECES
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a mean lies between its two weights")]
fn mix([early, late]: TermPair, share: u32) -> i32 {
    let sum = i64::from(early) * i64::from(share) + i64::from(late) * i64::from(FADING_PIECES - share);
    (sum / i64::from(FADING_PIECES)) as i32
}

impl Classic {
    /// Returns the value of a position for the side to move, in thousandths of a man.
    #[inline]
    fn thousandths(&self, position: &Position) -> i32 {
        let view = position.relative();
        let turned = view.swapped();
        let own = computed_terms(&view, true);
        let other = computed_terms(&turned, false);
        let mine = self.squares.sum(view.own.men, view.own.kings);
        let yours = self.squares.sum(turned.own.men, turned.own.kings);
        let mut sum = [mine[0] - yours[0], mine[1] - yours[1]];
        let [early_weights, late_weights] = &self.computed_terms;
        // Written as a plain loop, which the compiler vectorises.
        for term in 0..NUM_COMPUTED {
            let difference = own[term] - other[term];
            sum[0] += difference * early_weights[term];
            sum[1] += difference * late_weights[term];
        }
        mix(sum, early(view))
    }

    /// Returns the value of a position for the side to move, in hundredths of a man.
    #[inline]
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        (self.thousandths(position) / 10).clamp(-LIMIT, LIMIT)
    }

    pub(super) fn parts(&self, position: &Position) -> Vec<EvalPart> {
        let view = position.relative();
        let own = counts(&view, true);
        let other = counts(&view.swapped(), false);
        let early = early(view);
        let mut parts = Vec::new();
        for term in (0..COUNT).filter(|&term| own[term] != 0 || other[term] != 0) {
            let [own, other] = [own, other]
                .map(|counts| mix(self.weights[term].map(|weight| weight * counts[term]), early) / 10);
            parts.push(EvalPart::sides(terms::NAMES[term], own, other));
        }
        parts
    }
}

/// The weights of men and kings by square. Tables hold precomputed sums for every subset of each group of
/// eight squares.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SquareWeights {
    men: [[TermPair; 256]; 4],
    kings: [[TermPair; 256]; 4],
}

/// Returns the terms that a set of men has, from their side's point of view.
fn men_terms(men: Bitboard) -> impl Iterator<Item = usize> {
    let row = (men & Bitboard::row(0)).0 as usize;
    let back = (row > 0).then(|| BACK + row - 1);
    // There are no men on the last row.
    let rest = (men - Bitboard::row(0) - Bitboard::row(7)).iter().map(|square| MEN + square.index() - 4);
    back.into_iter().chain(rest)
}

fn king_terms(kings: Bitboard) -> impl Iterator<Item = usize> {
    kings.iter().map(|square| KINGS + square.index())
}

fn table<T: Iterator<Item = usize>>(
    weights: &ClassicWeights,
    terms: impl Fn(Bitboard) -> T,
) -> [[TermPair; 256]; 4] {
    std::array::from_fn(|part| {
        std::array::from_fn(|byte| {
            #[expect(clippy::cast_possible_truncation, reason = "indices are below 256")]
            let set = Bitboard((byte as u32) << (8 * part));
            terms(set).fold([0, 0], |sum, term| plus(sum, weights[term]))
        })
    })
}

impl SquareWeights {
    fn new(weights: &ClassicWeights) -> Self {
        Self { men: table(weights, men_terms), kings: table(weights, king_terms) }
    }

    #[inline]
    fn sum(&self, men: Bitboard, kings: Bitboard) -> TermPair {
        let sum = look_up(&self.men, men);
        if kings.is_empty() { sum } else { plus(sum, look_up(&self.kings, kings)) }
    }
}

#[inline]
fn look_up(table: &[[TermPair; 256]; 4], set: Bitboard) -> TermPair {
    let parts = table.iter().zip(set.0.to_le_bytes());
    parts.fold([0, 0], |sum, (part, byte)| plus(sum, part[usize::from(byte)]))
}

#[inline]
const fn plus(one: TermPair, other: TermPair) -> TermPair {
    [one[0] + other[0], one[1] + other[1]]
}

#[cfg(test)]
mod tests;
