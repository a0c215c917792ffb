//! The first layer of the network.
//!
//! Each side has its own view of the position: the board is rotated so that its own men move up, and
//! described by 128 features: a man or king, its own or the opponent's, on each of the 32 squares. The first
//! layer of a view is the sum of a bias and the weights of the active features.
//!
//! Consecutive positions of a search differ in only a few squares. The sums of the most recent positions at
//! each ply are cached ([`EvalCache`]), and only the changes from the nearest of these positions are
//! applied. The changes are computed from the pieces, independently of the moves of the search.
#![expect(
    clippy::inline_always,
    reason = "code is compiled for the instructions of the function that it is inlined into"
)]

use arrayvec::ArrayVec;

use super::{Aligned, FEATURES, NetworkWeights, WIDTH};
use kelso_draughts::board::{Color, Position};

/// The first layer of one side's view, before clamping.
pub(super) type AlignedLayer = Aligned<[i16; WIDTH]>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    pub(super) pieces: Pieces,
    /// One view per side, indexed by colour.
    pub(super) views: [AlignedLayer; 2],
}

/// The features of Black's view. The first set has black men in its low half and white men in its high half,
/// and the second set has the kings.
pub(super) type Pieces = [u64; 2];

/// Features added or removed, from Black's perspective.
type Changes = ArrayVec<usize, 32>;

/// The masks, by colour. Xoring a feature of Black's view with a side's mask converts it to that side's view:
/// White's mask exchanges the owner of the piece and rotates the board.
const VIEWS: [usize; 2] = [0, 63];

pub(super) fn pieces(position: &Position) -> Pieces {
    [Color::BOTH.map(|color| position.men(color)), Color::BOTH.map(|color| position.kings(color))]
        .map(|[black, white]| u64::from(black.0) | u64::from(white.0) << 32)
}

fn distance(a: &Pieces, b: &Pieces) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

impl Accumulator {
    /// Returns the number of pieces.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.pieces.iter().map(|set| set.count_ones()).sum()
    }

    /// Returns the view of the given side, then the other side's.
    #[inline]
    pub(super) const fn seen_by(&self, side: Color) -> [&[i16; WIDTH]; 2] {
        let [black, white] = &self.views;
        match side {
            Color::Black => [&black.0, &white.0],
            Color::White => [&white.0, &black.0],
        }
    }
}

impl NetworkWeights {
    fn empty(&self) -> Accumulator {
        Accumulator { pieces: [0; 2], views: [Aligned(self.bias); 2] }
    }

    /// Computes the sums for a set of pieces from scratch.
    pub(super) fn refresh(&self, pieces: &Pieces) -> Accumulator {
        let mut known = [self.empty(); 2];
        self.advance(&mut known, 0, 1, pieces);
        known[1]
    }

    /// Computes the sums for a set of pieces from the nearest cached sums at this ply and the previous one.
    #[inline(always)]
    pub(super) fn update<'c>(
        &self,
        cache: &'c mut EvalCache,
        pieces: &Pieces,
        ply: usize,
    ) -> &'c Accumulator {
        let (known, place) = cache.sums(ply, || self.empty());
        let distance_of = |place: usize| distance(&known[place].pieces, pieces);
        let mut from = place;
        let mut min = distance_of(place);
        for near in [place + 1, place - 2, place - 1] {
            let near_distance = distance_of(near);
            if near_distance < min {
                (from, min) = (near, near_distance);
            }
        }
        if min == 0 {
            return &known[from];
        }
        let to = if from == place { place + 1 } else { place };
        self.advance(known, from, to, pieces);
        &known[to]
    }

    /// Computes the sums for a set of pieces from those in another slot.
    #[inline(always)]
    fn advance(&self, known: &mut [Accumulator], from: usize, to: usize, pieces: &Pieces) {
        let mut removed = Changes::new();
        let mut added = Changes::new();
        let Ok([from, to]) = known.get_disjoint_mut([from, to]) else { return };
        for (kind, (&old, &new)) in from.pieces.iter().zip(pieces).enumerate() {
            list(kind, old & !new, &mut removed);
            list(kind, new & !old, &mut added);
        }
        FeatureRows(&self.input).shift(&from.views, &mut to.views, &added, &removed);
        to.pieces = *pieces;
    }
}

/// Lists the features of one kind of piece in Black's view.
#[inline(always)]
fn list(kind: usize, set: u64, features: &mut Changes) {
    let mut rest = set;
    while rest != 0 {
        // There are at most 24 pieces before and 24 after.
        let _ = features.try_push(kind * 64 + rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

/// The weights of features.
#[derive(Clone, Copy)]
struct FeatureRows<'a>(&'a [[i16; WIDTH]; FEATURES]);

impl<'a> FeatureRows<'a> {
    /// Returns the weights of a feature in a side's view.
    #[inline(always)]
    fn of(self, feature: usize, view: usize) -> &'a [i16; WIDTH] {
        &self.0[(feature ^ view) % FEATURES]
    }

    /// Adds and subtracts rows. The most frequent counts have specialised code that makes a single pass over
    /// each view.
    #[inline(always)]
    fn shift(self, from: &[AlignedLayer; 2], to: &mut [AlignedLayer; 2], added: &[usize], removed: &[usize]) {
        match (added.len(), removed.len()) {
            (1, 1) => self.pass::<1, 1>(from, to, added, removed),
            (1, 2) => self.pass::<1, 2>(from, to, added, removed),
            (2, 1) => self.pass::<2, 1>(from, to, added, removed),
            (2, 2) => self.pass::<2, 2>(from, to, added, removed),
            (1, 3) => self.pass::<1, 3>(from, to, added, removed),
            (2, 3) => self.pass::<2, 3>(from, to, added, removed),
            (3, 2) => self.pass::<3, 2>(from, to, added, removed),
            (3, 3) => self.pass::<3, 3>(from, to, added, removed),
            _ => {
                *to = *from;
                for (to, view) in to.iter_mut().zip(VIEWS) {
                    for &feature in added {
                        let row = self.of(feature, view);
                        to.0.iter_mut().zip(row).for_each(|(sum, row)| *sum = sum.wrapping_add(*row));
                    }
                    for &feature in removed {
                        let row = self.of(feature, view);
                        to.0.iter_mut().zip(row).for_each(|(sum, row)| *sum = sum.wrapping_sub(*row));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn pass<const ADDED: usize, const REMOVED: usize>(
        self,
        from: &[AlignedLayer; 2],
        to: &mut [AlignedLayer; 2],
        added: &[usize],
        removed: &[usize],
    ) {
        let (Some(added), Some(removed)) = (added.first_chunk::<ADDED>(), removed.first_chunk::<REMOVED>())
        else {
            return;
        };
        for ((from, to), view) in from.iter().zip(to).zip(VIEWS) {
            let added = added.map(|feature| self.of(feature, view));
            let removed = removed.map(|feature| self.of(feature, view));
            for neuron in 0..WIDTH {
                let mut sum = from.0[neuron];
                for row in added {
                    sum = sum.wrapping_add(row[neuron]);
                }
                for row in removed {
                    sum = sum.wrapping_sub(row[neuron]);
                }
                to.0[neuron] = sum;
            }
        }
    }
}

/// The cache of an evaluation during one search: the sums and the values of recent positions. It does not change
/// values.
#[derive(Debug, Default)]
pub struct EvalCache {
    /// The sums of nearby positions: two for each ply, and two before the first.
    sums: Vec<Accumulator>,
    /// Cached values, indexed by the low bits of the key: the high 48 bits of the key, then the value.
    values: Vec<u64>,
}

/// The number of plies that have separate sums.
const CACHED_PLIES: usize = 128;
/// Number of cached values. A larger cache would not help, since only values of nearby nodes are reused.
const CACHED_VALUES: usize = 1 << 12;
const VALUE_MASK: u64 = 0xffff;

impl EvalCache {
    /// Returns the cached sums and the index of the two sums of a ply; the two before them belong to the
    /// previous ply.
    #[inline]
    fn sums(&mut self, ply: usize, empty: impl FnOnce() -> Accumulator) -> (&mut [Accumulator], usize) {
        let place = 2 * ply.min(CACHED_PLIES - 1) + 2;
        if self.sums.len() < place + 2 {
            // The cache grows with the depth, since allocating all of it would dominate a short search.
            self.sums.resize(place + 2, empty());
        }
        (&mut self.sums, place)
    }

    /// Returns the cached value of the position with this key.
    #[inline]
    pub(super) fn value(&self, key: u64) -> Option<i32> {
        let kept = *self.values.get(place(key))?;
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are the value")]
        (kept & !VALUE_MASK == key & !VALUE_MASK).then(|| i32::from((kept as u16).cast_signed()))
    }

    /// Caches a value, if it fits in 16 bits.
    #[inline]
    pub(super) fn keep_value(&mut self, key: u64, value: i32) {
        if self.values.is_empty() {
            // An empty slot is mistaken for a value only if the key is zero, which is as unlikely as a
            // collision.
            self.values.resize(CACHED_VALUES, 0);
        }
        if let (Some(kept), Ok(value)) = (self.values.get_mut(place(key)), i16::try_from(value)) {
            *kept = key & !VALUE_MASK | u64::from(value.cast_unsigned());
        }
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "less than the number of values")]
const fn place(key: u64) -> usize {
    (key % CACHED_VALUES as u64) as usize
}
