//! The sums of the first layer for one position.

use super::{KINDS, Layer};
use kelso_draughts::board::Color;

#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    pub(super) features: Features,
    /// The sums of each side's view before clamping, by colour and factor.
    pub(super) views: [[Layer; 2]; 2],
}

/// The active features of Black's view, by kind: men, kings, pieces that can capture, pieces that can be
/// captured, and safe destinations of moves. The low half of each set belongs to Black, the high half to
/// White.
pub type Features = [u64; KINDS];

impl Accumulator {
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.features[..2].iter().map(|set| set.count_ones()).sum()
    }

    /// Returns the view of the given side, then the other side's.
    #[inline]
    pub(super) const fn seen_by(&self, side: Color) -> [&[Layer; 2]; 2] {
        let [black, white] = &self.views;
        match side {
            Color::Black => [black, white],
            Color::White => [white, black],
        }
    }
}
