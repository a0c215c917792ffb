//! An evaluation learned from the engine's own games: a network of one hidden layer.
//!
//! Each side sees the board turned so that its own men go up, as 128 features: a man or king, own or the other's, on each
//! of 32 squares. What the features of a view add up to ([`Accumulator`]) is clamped and squared, and the views of the
//! side to move and of the other, in this order, are weighed to a score. The last weights depend on the number of
//! pieces. All arithmetic is in whole numbers, so that a position has the same value on every machine; and since both
//! colours are seen in the same way, a position and its flip have the same value.
//!
//! Two positions that a search judges one after the other differ in a few squares. [`Accumulators`] keeps what was added up
//! for the last position at each ply, and only the difference to the nearest of these is added; the pieces themselves
//! say what differs, so that nothing depends on how the search got there. It also keeps the latest values, since a
//! search comes to many positions by several ways.

mod accumulators;
#[cfg(test)]
mod tests;
mod weights;

use std::sync::Arc;

use arrayvec::ArrayVec;

pub use accumulators::Accumulators;
pub(super) use weights::ENVELOPE;
pub use weights::Weights;

use super::{Evaluate, LIMIT, Part};
use crate::board::{Color, Position};

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

/// Features that came or went, as Black sees them.
type Changes = ArrayVec<usize, 32>;

/// What turns a feature as Black sees it into the same one as a side sees it: for White the piece changes its owner and
/// the board its direction.
const AS_BLACK: usize = 0;
const AS_WHITE: usize = 63;

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
        let Ok([from, to]) = known.get_disjoint_mut([from, to]) else { return };
        for (kind, (&old, &new)) in from.pieces.iter().zip(pieces).enumerate() {
            list(kind, old & !new, &mut gone);
            list(kind, new & !old, &mut come);
        }
        for (color, view) in [(Color::Black, AS_BLACK), (Color::White, AS_WHITE)] {
            let rows = Rows { weights: &self.weights.input, view };
            let color = color.index();
            rows.shift(&from.views[color], &mut to.views[color], &come, &gone);
        }
        to.pieces = *pieces;
    }

    /// The value of pieces, from what there is for the nearest of those at its ply and the one before.
    #[inline]
    fn near(&self, memory: &mut Accumulators, pieces: &Pieces, side: Color, ply: usize) -> i32 {
        let (known, place) = memory.accumulators(ply, || self.empty());
        let far = |place: usize| distance(&known[place].pieces, pieces);
        let (mut from, mut least) = (place, far(place));
        for near in [place + 1, place - 2, place - 1] {
            let far = far(near);
            if far < least {
                (from, least) = (near, far);
            }
        }
        if least == 0 {
            return self.output(&known[from], side);
        }
        let to = if from == place { place + 1 } else { place };
        self.advance(known, from, to, pieces);
        self.output(&known[to], side)
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

/// Lists the features of a kind's pieces, as Black sees them.
#[inline]
fn list(kind: usize, set: u32, features: &mut Changes) {
    let mut rest = set;
    while rest != 0 {
        // There are 24 pieces at most before and after.
        let _ = features.try_push(kind * 32 + rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

/// The weights of features as one side sees them.
#[derive(Clone, Copy)]
struct Rows<'a> {
    weights: &'a [[i16; WIDTH]; FEATURES],
    view: usize,
}

impl<'a> Rows<'a> {
    #[inline]
    fn of(self, feature: usize) -> &'a [i16; WIDTH] {
        &self.weights[(feature ^ self.view) % FEATURES]
    }

    /// Adds and subtracts rows. The commonest numbers of rows have code of their own, which passes over the layer once.
    #[inline]
    fn shift(self, from: &Layer, to: &mut Layer, come: &[usize], gone: &[usize]) {
        match (come.len(), gone.len()) {
            (1, 1) => self.pass::<1, 1>(from, to, come, gone),
            (1, 2) => self.pass::<1, 2>(from, to, come, gone),
            (2, 1) => self.pass::<2, 1>(from, to, come, gone),
            (2, 2) => self.pass::<2, 2>(from, to, come, gone),
            (1, 3) => self.pass::<1, 3>(from, to, come, gone),
            (2, 3) => self.pass::<2, 3>(from, to, come, gone),
            (3, 2) => self.pass::<3, 2>(from, to, come, gone),
            (3, 3) => self.pass::<3, 3>(from, to, come, gone),
            _ => {
                *to = *from;
                for &feature in come {
                    to.0.iter_mut()
                        .zip(self.of(feature))
                        .for_each(|(sum, row)| *sum = sum.wrapping_add(*row));
                }
                for &feature in gone {
                    to.0.iter_mut()
                        .zip(self.of(feature))
                        .for_each(|(sum, row)| *sum = sum.wrapping_sub(*row));
                }
            }
        }
    }

    #[inline]
    fn pass<const COME: usize, const GONE: usize>(
        self,
        from: &Layer,
        to: &mut Layer,
        come: &[usize],
        gone: &[usize],
    ) {
        let (Some(come), Some(gone)) = (come.first_chunk::<COME>(), gone.first_chunk::<GONE>()) else {
            return;
        };
        let (come, gone) = (come.map(|feature| self.of(feature)), gone.map(|feature| self.of(feature)));
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
    fn evaluate_near(&self, memory: &mut Accumulators, position: &Position, ply: usize) -> i32 {
        let key = position.key();
        if let Some(value) = memory.value(key) {
            return value;
        }
        let value = self.near(memory, &pieces(position), position.side(), ply);
        memory.keep(key, value);
        value
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
