//! Numbers of won, lost and drawn positions.

use std::ops::AddAssign;

use super::value::{LOSS, WIN};

/// Numbers of positions of a slice by their result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Won by the side to move.
    pub wins: u64,
    /// Lost by the side to move.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// Positions among these in which the side to move must capture.
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

    /// Returns the number of positions.
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
