//! How many positions of a slice are won, lost and drawn.

use std::ops::AddAssign;

use super::value::{LOSS, WIN};

/// How many positions of a slice are what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Won by the side to move.
    pub wins: u64,
    /// Lost by it.
    pub losses: u64,
    /// Neither.
    pub draws: u64,
    /// Of all these, how many have a capture for the side to move.
    pub captures: u64,
}

impl Counts {
    pub(super) fn add(&mut self, result: u8) {
        match result {
            WIN => self.wins += 1,
            LOSS => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Number of positions.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.captures += other.captures;
    }
}
