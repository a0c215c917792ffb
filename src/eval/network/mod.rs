//! An evaluation learned from the engine's own games: a network of one hidden layer.
//!
//! Each side sees the board turned so that its own men go up, as 128 features: a man or king, own or the other's, on each
//! of 32 squares. What the features of a view add up to ([`Accumulator`]) is clamped and squared, and the views of the
//! side to move and of the other, in this order, are weighed to a score. The last weights depend on the number of
//! pieces. All arithmetic is in whole numbers, so that a position has the same value on every machine; and since both
//! colours are seen in the same way, a position and its flip have the same value.
//!
//! Two positions that a search judges one after the other differ in a few squares. [`Memory`] keeps what was added up
//! for the last position at each ply, and only the difference to the nearest of these is added; the pieces themselves
//! say what differs, so that nothing depends on how the search got there.

#[cfg(test)]
mod tests;
mod weights;

use std::sync::Arc;

use arrayvec::ArrayVec;

pub(super) use weights::MAGIC;
pub use weights::{NetworkError, Weights};

use super::{Evaluate, LIMIT, Part};
use crate::board::{Bitboard, Color, Position};

/// Neurons of the hidden layer, for each view.
pub const WIDTH: usize = 256;
/// Features of a view.
pub const FEATURES: usize = 128;
/// Sets of output weights.
pub const BUCKETS: usize = 8;
/// What one is in the hidden layer.
pub const ONE: i16 = 255;
/// The greatest hidden weight or bias: the sum of 24 pieces and the bias still fits its word.
pub const INPUT_LIMIT: i16 = i16::MAX / 25;
/// What one is among the output weights.
pub const OUTPUT_ONE: i16 = 64;
/// The greatest output weight, so that its product with the greatest neuron still fits its word.
pub const OUTPUT_LIMIT: i16 = 128;

/// The output weights for a number of pieces.
#[must_use]
pub const fn bucket(pieces: u32) -> usize {
    let bucket = pieces.saturating_sub(1) / 3;
    let bucket = bucket as usize;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// The network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    weights: Arc<Weights>,
}

/// The hidden layer before it is clamped, as one side sees the board.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Layer([i16; WIDTH]);

/// What has been added up for a position.
#[derive(Clone, Copy, Debug)]
struct Accumulator {
    pieces: Pieces,
    /// By colour.
    views: [Layer; 2],
}

/// The sets that features are made of: black men, white men, black kings, white kings.
type Pieces = [u32; 4];

/// What an evaluation remembers of one search, to be quicker at the next position. It changes no value.
#[derive(Debug, Default)]
pub struct Memory {
    /// Two for each ply, and two in front.
    accumulators: Vec<Accumulator>,
}

/// Pieces that came or went, by the weights that Black and White see.
type Changes<'a> = ArrayVec<[&'a [i16; WIDTH]; 2], 32>;
/// The same for one of them.
type Rows<'a> = ArrayVec<&'a [i16; WIDTH], 32>;

/// Plies that are told apart.
const PLIES: usize = 128;

fn pieces(position: &Position) -> Pieces {
    let (black, white) = (Color::Black, Color::White);
    [position.men(black), position.men(white), position.kings(black), position.kings(white)].map(|set| set.0)
}

fn distance(a: &Pieces, b: &Pieces) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

impl Network {
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

    fn empty(&self) -> Accumulator {
        Accumulator { pieces: [0; 4], views: [Layer(self.weights.bias); 2] }
    }

    /// What there is for a position, from what there is for another; the two may be the same place.
    #[inline]
    fn advance(&self, known: &mut [Accumulator], from: usize, to: usize, pieces: &Pieces) {
        let (mut gone, mut come) = (Changes::new(), Changes::new());
        let Some(old) = known.get(from).map(|accumulator| accumulator.pieces) else { return };
        for (kind, (&old, &new)) in old.iter().zip(pieces).enumerate() {
            gone.extend(Bitboard(old & !new).iter().map(|square| self.features(kind, square.index())));
            come.extend(Bitboard(new & !old).iter().map(|square| self.features(kind, square.index())));
        }
        for color in Color::BOTH {
            let color = color.index();
            let (come, gone) = (come.as_slice(), gone.as_slice());
            let rows =
                |changes: &[_]| changes.iter().map(|change: &[_; 2]| change[color]).collect::<Rows<'_>>();
            let (come, gone) = (rows(come), rows(gone));
            if let Ok([from, to]) = known.get_disjoint_mut([from, to]) {
                shift(&from.views[color], &mut to.views[color], &come, &gone);
            }
        }
        known[to].pieces = *pieces;
    }

    /// The weights of a piece on a square, as Black and White see it.
    #[inline]
    fn features(&self, kind: usize, square: usize) -> [&[i16; WIDTH]; 2] {
        let (black, white) = (kind * 32 + square, (kind ^ 1) * 32 + (31 - square));
        [&self.weights.input[black & (FEATURES - 1)], &self.weights.input[white & (FEATURES - 1)]]
    }

    #[inline]
    fn output(&self, accumulator: &Accumulator, side: Color) -> i32 {
        let (bucket, [own, other]) = self.views(accumulator, side);
        let sum = (own + other) / i64::from(ONE) + i64::from(self.weights.output_bias[bucket]);
        self.score(sum)
    }

    /// Which set of output weights counts, and what the views of the side to move and of the other come to by it.
    #[inline]
    fn views(&self, accumulator: &Accumulator, side: Color) -> (usize, [i64; 2]) {
        let count: u32 = accumulator.pieces.iter().map(|set| set.count_ones()).sum();
        let bucket = bucket(count);
        let [own, other] = &self.weights.output[bucket];
        let (a, b) = (&accumulator.views[side.index()], &accumulator.views[(!side).index()]);
        (bucket, [weigh(a, own).into(), weigh(b, other).into()])
    }

    /// The score of an output.
    #[inline]
    fn score(&self, sum: i64) -> i32 {
        let value = sum.saturating_mul(self.weights.scale.into()) / (i64::from(ONE) * i64::from(OUTPUT_ONE));
        let limit = i64::from(LIMIT);
        i32::try_from(value.clamp(-limit, limit)).unwrap_or(0)
    }
}

/// Adds and subtracts rows. The commonest numbers of rows have code of their own, which passes over the layer once.
#[inline]
fn shift(from: &Layer, to: &mut Layer, come: &[&[i16; WIDTH]], gone: &[&[i16; WIDTH]]) {
    match (come.len(), gone.len()) {
        (1, 1) => pass::<1, 1>(from, to, come, gone),
        (1, 2) => pass::<1, 2>(from, to, come, gone),
        (2, 1) => pass::<2, 1>(from, to, come, gone),
        (2, 2) => pass::<2, 2>(from, to, come, gone),
        (1, 3) => pass::<1, 3>(from, to, come, gone),
        (2, 3) => pass::<2, 3>(from, to, come, gone),
        (3, 2) => pass::<3, 2>(from, to, come, gone),
        (3, 3) => pass::<3, 3>(from, to, come, gone),
        _ => {
            *to = *from;
            for row in come {
                to.0.iter_mut().zip(*row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            }
            for row in gone {
                to.0.iter_mut().zip(*row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
            }
        }
    }
}

#[inline]
fn pass<const COME: usize, const GONE: usize>(
    from: &Layer,
    to: &mut Layer,
    come: &[&[i16; WIDTH]],
    gone: &[&[i16; WIDTH]],
) {
    let (Some(come), Some(gone)) = (come.first_chunk::<COME>(), gone.first_chunk::<GONE>()) else { return };
    for neuron in 0..WIDTH {
        let mut sum = from.0[neuron];
        for row in come {
            sum = sum.wrapping_add(row[neuron]);
        }
        for row in gone {
            sum = sum.wrapping_sub(row[neuron]);
        }
        to.0[neuron] = sum;
    }
}

/// The clamped and squared neurons of a view, weighed.
#[inline]
fn weigh(layer: &Layer, weights: &[i16; WIDTH]) -> i32 {
    let mut sum = 0i32;
    for (&neuron, &weight) in layer.0.iter().zip(weights) {
        let neuron = neuron.clamp(0, ONE);
        sum = sum.wrapping_add(i32::from(neuron) * i32::from(neuron.wrapping_mul(weight)));
    }
    sum
}

impl Evaluate for Network {
    fn evaluate(&self, position: &Position) -> i32 {
        let mut known = [self.empty(); 2];
        self.advance(&mut known, 0, 1, &pieces(position));
        self.output(&known[1], position.side())
    }

    #[inline]
    fn evaluate_near(&self, memory: &mut Memory, position: &Position, ply: usize) -> i32 {
        let pieces = pieces(position);
        let place = 2 * ply.min(PLIES - 1) + 2;
        if memory.accumulators.len() < place + 2 {
            // Only as deep as is needed, since a short search would spend its time here.
            memory.accumulators.resize(place + 2, self.empty());
        }
        let known = memory.accumulators.as_mut_slice();
        let far = |place: usize| distance(&known[place].pieces, &pieces);
        let (mut from, mut least) = (place, far(place));
        for near in [place + 1, place - 2, place - 1] {
            let far = far(near);
            if far < least {
                (from, least) = (near, far);
            }
        }
        if least == 0 {
            return self.output(&known[from], position.side());
        }
        let to = if from == place { place + 1 } else { place };
        self.advance(known, from, to, &pieces);
        self.output(&known[to], position.side())
    }

    fn parts(&self, position: &Position) -> Vec<Part> {
        const SETS: [&str; BUCKETS] =
            ["set-1", "set-2", "set-3", "set-4", "set-5", "set-6", "set-7", "set-8"];
        let mut known = [self.empty(); 2];
        self.advance(&mut known, 0, 1, &pieces(position));
        let (bucket, views) = self.views(&known[1], position.side());
        let [own, other] = views.map(|view| self.score(view / i64::from(ONE)));
        let bias = self.score(self.weights.output_bias[bucket].into());
        vec![Part::whole("own-view", own), Part::whole("other-view", other), Part::whole(SETS[bucket], bias)]
    }
}
