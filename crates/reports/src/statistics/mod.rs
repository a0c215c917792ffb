//! Match statistics: estimates of a difference in strength with error bars, the SPRT, ratings of many
//! players, and the area under the ROC curve for evaluations.
//!
//! All statistics are computed from counts of results. Two games on one opening with exchanged colours form a
//! pair, which is a single observation: the bias of the opening cancels out, which reduces the error. This
//! pentanomial model is used if any pairs are complete.

mod estimate;
mod rating;
mod sprt;

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

pub use estimate::{Estimate, Interval, auc, elo_of_score, score_of_elo};
pub use rating::ratings;
pub use sprt::{Decision, Sprt, SprtError, SprtModel};

/// Wins, draws and losses of one side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WdlCounts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl WdlCounts {
    /// Creates counts of wins, draws and losses.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self { wins, draws, losses }
    }

    /// Returns the number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the number of half points: two for a win and one for a draw.
    pub const fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Returns the mean score, from 0 to 1, or 0.5 without games.
    pub fn score(self) -> f64 {
        if self.games() == 0 { 0.5 } else { real(self.half_points()) / (2.0 * real(self.games())) }
    }

    /// Returns the share of drawn games, or 0 without games.
    pub fn draw_ratio(self) -> f64 {
        if self.games() == 0 { 0.0 } else { real(self.draws) / real(self.games()) }
    }

    /// Returns the counts from the other side's point of view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Adds a game with this number of half points.
    pub const fn add_half_points(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

impl Add for WdlCounts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl AddAssign for WdlCounts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Counts of pairs of games by their points: 0, 0.5, 1, 1.5 and 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Returns the number of pairs.
    pub fn count(self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair with this number of half points, 0 to 4.
    pub fn add_half_points(&mut self, half_points: u8) {
        if let Some(count) = self.0.get_mut(usize::from(half_points)) {
            *count += 1;
        }
    }

    /// Returns the counts from the other side's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

/// Converts a count to a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "counts of games are far below 2^53")]
pub fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_from_both_sides() {
        let mut wdl = WdlCounts::default();
        for half_points in [2, 2, 1, 0] {
            wdl.add_half_points(half_points);
        }
        assert_eq!(wdl, WdlCounts::new(2, 1, 1));
        assert_eq!((wdl.games(), wdl.half_points()), (4, 5));
        assert!((wdl.draw_ratio() - 0.25).abs() < 1e-12 && WdlCounts::default().draw_ratio().abs() < 1e-12);
        assert_eq!(WdlCounts::new(2, 3, 5) + WdlCounts::new(7, 11, 13), WdlCounts::new(9, 14, 18));
        assert!((wdl.score() - 0.625).abs() < 1e-12);
        assert!((wdl.score() + wdl.reversed().score() - 1.0).abs() < 1e-12);
        let mut pairs = Pairs::default();
        pairs.add_half_points(4);
        pairs.add_half_points(9);
        assert_eq!(pairs.reversed(), Pairs([1, 0, 0, 0, 0]));
        assert_eq!(Pairs([1, 2, 3, 4, 5]).count(), 15);
    }
}
