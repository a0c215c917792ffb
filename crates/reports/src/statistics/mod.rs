//! Match statistics: estimates of a difference in strength with error bars, ratings of many players, and
//! the area under the ROC curve for evaluations.
//!
//! All statistics are computed from counts of results. Two games on one opening with exchanged colours form a
//! pair, which is a single observation: the bias of the opening cancels out, which reduces the error. This
//! pentanomial model is used if any pairs are complete.

mod estimate;
mod rating;
pub mod sprt;

use serde::{Deserialize, Serialize};

pub use estimate::{Estimate, Interval, NELO_PER_DEVIATION, elo_of_score, score_of_elo};
pub use rating::ratings;

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
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53, or rounded for display")]
pub fn real(count: u64) -> f64 {
    count as f64
}

/// Returns the mean of `count` values with this sum.
pub fn mean(sum: f64, count: usize) -> f64 {
    sum / real(count.max(1) as u64)
}

/// Returns a share in percent, or 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    100.0 * real(part) / real(whole.max(1))
}

/// Returns the share of each count in percent, rounded to tenths so that they add up to 100.
pub fn percents(counts: impl IntoIterator<Item = u64, IntoIter: Clone>) -> Vec<f64> {
    let counts = counts.into_iter();
    let total = counts.clone().sum();
    let mut so_far = 0;
    let mut before = 0.0;
    let mut shares = Vec::new();
    for count in counts {
        so_far += count;
        let tenths = (10.0 * percent(so_far, total)).round();
        shares.push((tenths - before) / 10.0);
        before = tenths;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_add_up() {
        assert_eq!(percents([1, 1, 1]), [33.3, 33.4, 33.3]);
        assert_eq!(percents([0, 5, 0, 3]), [0.0, 62.5, 0.0, 37.5]);
        assert_eq!(percents([0, 0]), [0.0, 0.0]);
        let many = percents((0..997).map(|count| count * count));
        assert!((many.iter().sum::<f64>() - 100.0).abs() < 1e-6);
    }

    #[test]
    fn pairs_are_counted_from_both_sides() {
        let mut pairs = Pairs::default();
        pairs.add_half_points(4);
        pairs.add_half_points(9);
        assert_eq!(pairs.reversed(), Pairs([1, 0, 0, 0, 0]));
        assert_eq!(Pairs([1, 2, 3, 4, 5]).count(), 15);
    }
}
