//! An evaluation learned from the engine's own games: a network of several layers.
//!
//! The first layer ([`super::first`]) is twice as wide as that of [`super::network`]. Its neurons are clamped and
//! multiplied in pairs, each of the first half with its partner in the second, and the products of both views are read
//! twice: they are weighed to a score directly, and by a second layer of a few neurons, each of which sees a group of them.
//! The second layer's sums, clamped, and their squares are weighed and added to the score. All weights but those of the
//! first layer depend on the number of pieces.
//!
//! A third layer was tried: of 32 neurons it took as long as all the rest.
//!
//! All arithmetic is in whole numbers, so that a position has the same value on every machine, and in loops that compilers
//! turn into the vector instructions of any of them. Products are small enough for 16 bits, so that two at a time are
//! multiplied and added in 32.

#[cfg(test)]
mod tests;
mod weights;

use std::sync::Arc;

pub(super) use weights::ENVELOPE;
pub use weights::{Set, Weights};

use super::dot::dot;
pub use super::first::FEATURES;
use super::first::{Accumulator, First, pieces};
pub use super::network::{BUCKETS, bucket};
use super::{Accumulators, Evaluate, LIMIT, Part};
use draughts::board::{Color, Position};

/// Neurons of the first layer, for each view.
pub const WIDTH: usize = 512;
/// Products of a view.
pub const HALF: usize = WIDTH / 2;
/// Neurons of the second layer.
pub const SECOND: usize = 16;
/// Groups that the products of a view are divided into. The second layer's neurons take turns to see one.
pub const GROUPS: usize = 8;
/// Products of a group, of each view.
pub const GROUP: usize = HALF / GROUPS;
/// Products of a group, of both views.
pub const SEEN: usize = 2 * GROUP;
/// What the second layer is weighed by: its neurons, and their squares.
pub const TAIL: usize = 2 * SECOND;

/// What one is in the first layer.
pub const ONE: i16 = 255;
/// The greatest weight or bias of the first layer: the sum of 24 pieces and the bias still fits its word.
pub const INPUT_LIMIT: i16 = i16::MAX / 25;
/// What one is among the weights of products, which have 8 bits in a file.
pub const OUTPUT_ONE: i16 = 64;
/// The greatest of these weights.
pub const OUTPUT_LIMIT: i16 = 127;
/// What one is among the weights of the second layer's neurons.
pub const TAIL_ONE: i16 = 256;
/// The greatest of these weights.
pub const TAIL_LIMIT: i16 = 8 * TAIL_ONE;
/// The greatest bias, in whole units.
pub const BIAS_LIMIT: i32 = 100;

/// Products lose these bits, so that they fit 16 with their sign.
const PRODUCT_SHIFT: u32 = 5;
/// What one is among products.
pub const PRODUCT_ONE: i32 = (ONE as i32 * ONE as i32) >> PRODUCT_SHIFT;
/// What one is among sums of products.
pub const SUM_ONE: i32 = PRODUCT_ONE * OUTPUT_ONE as i32;
/// Sums lose these bits when they are clamped, so that they fit 16 with their sign.
const SUM_SHIFT: u32 = 4;
/// What one is in the second layer.
pub const NEURON_ONE: i32 = SUM_ONE >> SUM_SHIFT;
/// What one is in the output.
pub const SCORE_ONE: i32 = NEURON_ONE * TAIL_ONE as i32;

/// Products by group: those of the side to move's view, then those of the other's.
type Products = [[i16; SEEN]; GROUPS];

/// The network with its weights.
#[derive(Clone, Debug)]
pub struct Deep {
    weights: Arc<Weights>,
}

impl Deep {
    /// The network with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self { weights: Arc::new(weights) }
    }

    /// The weights.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    fn first(&self) -> First<'_, WIDTH> {
        First { rows: &self.weights.input, bias: &self.weights.bias }
    }

    #[inline]
    fn output(&self, accumulator: &Accumulator<WIDTH>, side: Color) -> i32 {
        let set = &self.weights.sets[bucket(accumulator.count())];
        let products = multiply(accumulator.seen_by(side));
        let direct = dot(products.as_flattened(), set.direct.as_flattened());
        self.score(lifted(direct) + lifted(set.direct_bias) + i64::from(last(&second(&products, set), set)))
    }

    /// The score of an output.
    #[inline]
    fn score(&self, sum: i64) -> i32 {
        let value = sum.saturating_mul(self.weights.scale.into()) / i64::from(SCORE_ONE);
        let limit = i64::from(LIMIT);
        i32::try_from(value.clamp(-limit, limit)).unwrap_or(0)
    }
}

/// A sum of products, in the units of the output.
#[inline]
fn lifted(sum: i32) -> i64 {
    const { assert!(SCORE_ONE == SUM_ONE << SUM_SHIFT) };
    i64::from(sum) << SUM_SHIFT
}

/// Clamps the neurons of both views and multiplies each of the first half with its partner in the second.
#[inline]
fn multiply(views: [&[i16; WIDTH]; 2]) -> Products {
    let mut products = [[0; SEEN]; GROUPS];
    for (place, view) in views.into_iter().enumerate() {
        let (first, second) = view.split_at(HALF);
        let pairs = first.as_chunks::<GROUP>().0.iter().zip(second.as_chunks::<GROUP>().0);
        for (products, (first, second)) in products.iter_mut().zip(pairs) {
            let products = products.as_chunks_mut::<GROUP>().0[place].iter_mut();
            for ((product, &a), &b) in products.zip(first).zip(second) {
                let [a, b] = [a, b].map(|neuron| neuron.clamp(0, ONE).cast_unsigned());
                *product = (a.wrapping_mul(b) >> PRODUCT_SHIFT).cast_signed();
            }
        }
    }
    products
}

/// The second layer, before it is clamped.
#[inline]
fn second(products: &Products, set: &Set) -> [i32; SECOND] {
    let mut sums = set.second_bias;
    for (neuron, (sum, weights)) in sums.iter_mut().zip(&set.second).enumerate() {
        *sum = sum.wrapping_add(dot(&products[neuron % GROUPS], weights));
    }
    sums
}

/// What the second layer's sums come to.
#[inline]
fn last(sums: &[i32; SECOND], set: &Set) -> i32 {
    let mut tail = [0i16; TAIL];
    let (clamped, squares) = tail.split_at_mut(SECOND);
    for ((&sum, clamped), square) in sums.iter().zip(clamped).zip(squares) {
        let neuron = (sum >> SUM_SHIFT).clamp(-NEURON_ONE, NEURON_ONE);
        *clamped = short(neuron.max(0));
        *square = short(neuron * neuron / NEURON_ONE);
    }
    dot(&tail, &set.last)
}

/// A neuron, which fits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "between 0 and NEURON_ONE")]
const fn short(neuron: i32) -> i16 {
    neuron as i16
}

impl Evaluate for Deep {
    fn evaluate(&self, position: &Position) -> i32 {
        self.output(&self.first().afresh(&pieces(position)), position.side())
    }

    #[inline]
    fn evaluate_near(&self, memory: &mut Accumulators, position: &Position, ply: usize) -> i32 {
        let key = position.key();
        if let Some(value) = memory.value(key) {
            return value;
        }
        let accumulator = self.first().near(&mut memory.deep, &pieces(position), ply);
        let value = self.output(accumulator, position.side());
        memory.keep(key, value);
        value
    }

    fn parts(&self, position: &Position) -> Vec<Part> {
        const SETS: [&str; BUCKETS] =
            ["set-1", "set-2", "set-3", "set-4", "set-5", "set-6", "set-7", "set-8"];
        let accumulator = self.first().afresh(&pieces(position));
        let bucket = bucket(accumulator.count());
        let set = &self.weights.sets[bucket];
        let products = multiply(accumulator.seen_by(position.side()));
        let view = |place: usize| -> i64 {
            let of = |group: &[i16; SEEN]| group.as_chunks::<GROUP>().0[place];
            products.iter().zip(&set.direct).map(|(a, b)| lifted(dot(&of(a), &of(b)))).sum()
        };
        let layer = i64::from(last(&second(&products, set), set));
        let parts = [
            ("own-view", view(0)),
            ("other-view", view(1)),
            (SETS[bucket], lifted(set.direct_bias)),
            ("second-layer", layer),
        ];
        parts.into_iter().map(|(name, sum)| Part::whole(name, self.score(sum))).collect()
    }
}
