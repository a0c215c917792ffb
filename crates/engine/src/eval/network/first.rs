//! The first layer of the network.
//!
//! The first layer of a view is the sum of a bias and the weights of the active features.
//!
//! Consecutive positions of a search differ in only a few squares. The sums of the most recent positions at
//! each ply are cached ([`EvalCache`]), and only the changes from the most similar of these positions are
//! applied. The changes are computed from the positions, independently of the moves of the search.
#![expect(
    clippy::inline_always,
    reason = "code is compiled for the instructions of the function that it is inlined into"
)]

use arrayvec::ArrayVec;

use super::accumulator::{Accumulator, Features};
use super::cache::{EvalCache, NEARBY, OWN};
use super::contacts::Contacts;
use super::{FEATURES, KINDS, Layer, NetworkWeights};
use kelso_draughts::board::steps::pack;
use kelso_draughts::board::{Color, Position};

/// Features added or removed, from Black's perspective.
type Changes = ArrayVec<usize, FEATURES>;

/// The masks, by colour. Xoring a feature of Black's view with a side's mask converts it to that side's view:
/// White's mask exchanges the sides and rotates the board.
const VIEWS: [usize; 2] = [0, 63];

#[inline(always)]
#[must_use]
pub fn features(position: &Position) -> Features {
    let [black, white] = Contacts::of(position);
    let [[black_men, black_kings], [white_men, white_kings]] =
        Color::BOTH.map(|color| position.men_and_kings(color));
    [
        join(black_men, white_men),
        join(black_kings, white_kings),
        join(black.attackers, white.attackers),
        join(white.targets, black.targets),
        join(black.safe, white.safe),
    ]
}

#[inline(always)]
fn join(black: u64, white: u64) -> u64 {
    u64::from(pack(black).0) | u64::from(pack(white).0) << 32
}

fn distance(a: &Features, b: &Features) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

impl NetworkWeights {
    fn empty(&self) -> Accumulator {
        Accumulator { features: [0; KINDS], views: [self.factors.each_ref().map(|factor| factor.bias); 2] }
    }

    /// Computes the sums for a set of features from scratch.
    pub(super) fn refresh(&self, features: &Features) -> Accumulator {
        let mut sums = [self.empty(); 2];
        self.advance(&mut sums, 0, 1, features);
        sums[1]
    }

    /// Computes the sums for a set of features from the most similar cached sums near this ply.
    #[inline(always)]
    pub(super) fn update<'c>(
        &self,
        cache: &'c mut EvalCache,
        features: &Features,
        ply: usize,
    ) -> &'c Accumulator {
        let nearby = cache.nearby(ply, || self.empty());
        let mut distances = [0; NEARBY];
        let mut from = 0;
        for (slot, known) in nearby.iter().enumerate() {
            distances[slot] = distance(&known.features, features);
            if distances[slot] < distances[from] {
                from = slot;
            }
        }
        if distances[from] == 0 {
            return &nearby[from];
        }
        // Of this ply's own sums the less similar ones are replaced, which are never the most similar of all.
        let to = OWN + usize::from(distances[OWN] <= distances[OWN + 1]);
        self.advance(nearby, from, to, features);
        &nearby[to]
    }

    /// Computes the sums for a set of features from those in another slot.
    #[inline(always)]
    #[expect(clippy::expect_used, reason = "`from` and `to` differ")]
    fn advance(&self, known: &mut [Accumulator], from: usize, to: usize, features: &Features) {
        let mut removed = Changes::new();
        let mut added = Changes::new();
        let [from, to] = known.get_disjoint_mut([from, to]).expect("different slots");
        for (kind, (&old, &new)) in from.features.iter().zip(features).enumerate() {
            list(kind, old & !new, &mut removed);
            list(kind, new & !old, &mut added);
        }
        for ((from, to), view) in from.views.iter().zip(&mut to.views).zip(VIEWS) {
            for ((from, to), factor) in from.iter().zip(to).zip(&self.factors) {
                // A copy on the stack is kept in registers.
                let mut sums = *from;
                shift(&factor.input, view, &mut sums, &added, &removed);
                *to = sums;
            }
        }
        to.features = *features;
    }
}

/// Lists the features of one kind in Black's view.
#[inline(always)]
fn list(kind: usize, set: u64, features: &mut Changes) {
    let mut rest = set;
    while rest != 0 {
        features.push(kind * 64 + rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

/// Adds and subtracts the weights of features in a side's view.
#[inline(always)]
fn shift(rows: &[Layer; FEATURES], view: usize, sums: &mut Layer, added: &[usize], removed: &[usize]) {
    for &feature in added {
        let row = rows[feature ^ view];
        sums.0.iter_mut().zip(row.0).for_each(|(sum, weight)| *sum = sum.wrapping_add(weight));
    }
    for &feature in removed {
        let row = rows[feature ^ view];
        sums.0.iter_mut().zip(row.0).for_each(|(sum, weight)| *sum = sum.wrapping_sub(weight));
    }
}
