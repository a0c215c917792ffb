//! The weights of men and kings by square, eight squares at a time.

use super::terms::{BACK, KINGS, MEN, Pair, Weights};
use draughts::board::Bitboard;

/// The sum of the weights for every set of men and kings on each eight squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Places {
    men: [[Pair; 256]; 4],
    kings: [[Pair; 256]; 4],
}

/// Returns the terms of a set of men, seen by their side.
pub(super) fn men_terms(men: Bitboard) -> impl Iterator<Item = usize> {
    let row = (men & Bitboard::row(0)).0 as usize;
    let back = (row > 0).then(|| BACK + row - 1);
    // There are no men on the last row.
    let rest = (men - Bitboard::row(0) - Bitboard::row(7)).iter().map(|square| MEN + square.index() - 4);
    back.into_iter().chain(rest)
}

/// Returns the terms of a set of kings.
pub(super) fn king_terms(kings: Bitboard) -> impl Iterator<Item = usize> {
    kings.iter().map(|square| KINGS + square.index())
}

fn table<T: Iterator<Item = usize>>(weights: &Weights, terms: impl Fn(Bitboard) -> T) -> [[Pair; 256]; 4] {
    let sum = |set: Bitboard| {
        terms(set).fold([0, 0], |[early, late], term| [early + weights[term][0], late + weights[term][1]])
    };
    std::array::from_fn(|part| {
        std::array::from_fn(|byte| sum(Bitboard(u32::try_from(byte).unwrap_or(0) << (8 * part))))
    })
}

impl Places {
    pub(super) fn new(weights: &Weights) -> Self {
        Self { men: table(weights, men_terms), kings: table(weights, king_terms) }
    }

    #[inline]
    pub(super) fn sum(&self, men: Bitboard, kings: Bitboard) -> Pair {
        let mut sum = look_up(&self.men, men);
        if !kings.is_empty() {
            let more = look_up(&self.kings, kings);
            sum = [sum[0] + more[0], sum[1] + more[1]];
        }
        sum
    }
}

#[inline]
fn look_up(table: &[[Pair; 256]; 4], set: Bitboard) -> Pair {
    let bytes = set.0.to_le_bytes();
    let mut sum = [0, 0];
    for (part, byte) in table.iter().zip(bytes) {
        let [early, late] = part[usize::from(byte)];
        sum = [sum[0] + early, sum[1] + late];
    }
    sum
}
