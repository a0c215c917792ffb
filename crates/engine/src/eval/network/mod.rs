//! The evaluation that is trained on the engine's own games: a small network.
//!
//! Each side has its own view of the position: the board is rotated so that its own men move up, and
//! described by 320 features, five for each of the 32 squares and each side: a man, a king, a piece that can
//! capture, a piece that can be captured, and an empty square to which a piece can move without being
//! captured there. Each neuron is the product of two clamped sums of a view (`first`), and the score is a
//! weighted sum of both views, first that of the side to move, corrected by two small layers (`layers`). The
//! weights of products depend on the number of pieces. All arithmetic uses integers, so a position has the
//! same value on every machine. Both colours are treated alike, so a position and its flip have the same
//! value.
//!
//! A search reaches many positions more than once, so [`EvalCache`] caches recent values as well as recent
//! sums.

mod accumulator;
mod cache;
mod contacts;
mod first;
mod instructions;
pub mod layers;
#[cfg(test)]
mod tests;
mod vectors;
mod weights;

use std::sync::{Arc, LazyLock};

pub use accumulator::Features;
pub use cache::EvalCache;
pub use first::features;
pub use weights::{FactorWeights, Layer, NetworkError, NetworkWeights, SIZE};

use self::accumulator::Accumulator;
use self::instructions::Instructions;
use self::layers::Products;
use self::vectors::{Baseline, Vectors};
use super::{EvalPart, LIMIT};
use kelso_draughts::board::{Color, Position};

/// Number of features of a view.
pub const FEATURES: usize = 64 * KINDS;
/// Number of features of the pieces themselves, which are the first.
pub const PIECE_FEATURES: usize = 128;
/// Number of kinds of features.
pub const KINDS: usize = 5;
/// Number of hidden neurons per view, each the product of two sums.
pub const WIDTH: usize = 192;
/// Number of sets of output weights.
pub const BUCKETS: usize = 8;
/// Fixed-point 1 in the hidden layer.
pub const ONE: i16 = 255;
/// Maximum hidden weight of a piece, or bias: 24 weights and a bias take at most half of the range.
pub const INPUT_LIMIT: i16 = i16::MAX / 50;
/// Maximum hidden weight of another feature. At most 110 of them are active: for each side 12 pieces that can
/// capture, 12 that can be captured, and 31 squares to which a piece can move.
pub const CONTACT_LIMIT: i16 = i16::MAX / 2 / 110;
/// Fixed-point 1 in the output weights.
pub const OUTPUT_ONE: i16 = 64;
/// Maximum output weight, small enough that its product with the largest neuron value does not overflow.
pub const OUTPUT_LIMIT: i16 = 128;

/// Returns the set of output weights for a number of pieces.
#[must_use]
pub const fn bucket(pieces: u32) -> usize {
    let bucket = pieces.saturating_sub(1) / 3;
    let bucket = bucket as usize;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// The network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    weights: Arc<NetworkWeights>,
    instructions: Instructions,
}

/// The compiled-in weights; a test checks that they are valid.
static COMPILED_IN_BYTES: &[u8] = include_bytes!("../data/default.net");

#[expect(clippy::expect_used, reason = "the weights are compiled in")]
static COMPILED_IN: LazyLock<Network> = LazyLock::new(|| {
    Network::new(NetworkWeights::from_bytes(COMPILED_IN_BYTES).expect("the compiled-in weights are valid"))
});

impl Network {
    #[must_use]
    pub fn compiled_in() -> &'static Self {
        &COMPILED_IN
    }

    /// Creates a network from its weights.
    #[must_use]
    pub fn new(weights: NetworkWeights) -> Self {
        Self { weights: Arc::new(weights), instructions: Instructions::fastest() }
    }

    /// Returns the name of the instruction set that networks use on this processor.
    #[must_use]
    pub fn instructions() -> &'static str {
        Instructions::fastest().name()
    }

    #[must_use]
    pub fn weights(&self) -> &NetworkWeights {
        &self.weights
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled for the instructions of the caller")]
    fn output(&self, accumulator: &Accumulator, side: Color, vectors: impl Vectors) -> i32 {
        let (bucket, [own, other], layers) = self.views(accumulator, side, vectors);
        let sum = (own + other) / i64::from(ONE) + layers + i64::from(self.weights.output_bias[bucket]);
        self.score(sum)
    }

    /// Returns the set of output weights, the weighted sums of both views, starting with the side to move,
    /// and the output of the layers beside them.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled for the instructions of the caller")]
    fn views(&self, accumulator: &Accumulator, side: Color, vectors: impl Vectors) -> (usize, [i64; 2], i64) {
        let bucket = bucket(accumulator.count());
        let views = accumulator.seen_by(side);
        let [own_weights, other_weights] = &self.weights.output[bucket];
        let mut products = [Products([0; WIDTH]); 2];
        let own = vectors.weigh(views[0], own_weights, &mut products[0]);
        let other = vectors.weigh(views[1], other_weights, &mut products[1]);
        let correction = self.weights.layers[bucket].output(&products, vectors);
        (bucket, [own.into(), other.into()], correction)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the range of the type")]
    fn score(&self, sum: i64) -> i32 {
        let value = sum.saturating_mul(self.weights.scale.into()) / (i64::from(ONE) * i64::from(OUTPUT_ONE));
        let limit = i64::from(LIMIT);
        value.clamp(-limit, limit) as i32
    }
}

impl Network {
    /// Returns the value of a position for the side to move.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        let sums = self.weights.refresh(&features(position));
        self.output(&sums, position.side(), Baseline)
    }

    /// Like [`evaluate`](Self::evaluate), but reuses the sums and values in `cache`.
    #[inline]
    pub fn evaluate_incremental(&self, cache: &mut EvalCache, position: &Position, ply: usize) -> i32 {
        let key = position.key();
        if let Some(value) = cache.value(key) {
            return value;
        }
        let value = self.instructions.value(self, cache, position, ply);
        cache.keep_value(key, value);
        value
    }

    pub(super) fn parts(&self, position: &Position) -> Vec<EvalPart> {
        const SETS: [&str; BUCKETS] =
            ["set-1", "set-2", "set-3", "set-4", "set-5", "set-6", "set-7", "set-8"];
        let accumulator = self.weights.refresh(&features(position));
        let (bucket, views, layers) = self.views(&accumulator, position.side(), Baseline);
        let [own, other] = views.map(|view| self.score(view / i64::from(ONE)));
        let bias = self.score(layers + i64::from(self.weights.output_bias[bucket]));
        vec![
            EvalPart::whole("own-view", own),
            EvalPart::whole("other-view", other),
            EvalPart::whole(SETS[bucket], bias),
        ]
    }
}
