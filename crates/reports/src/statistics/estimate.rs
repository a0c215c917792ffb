//! Elo, normalised Elo and the likelihood of superiority, each with its 95% interval.
//!
//! Elo is the logistic transform of the mean score. Normalised Elo (M. Van den Bergh, "Normalized Elo", 2020)
//! is the distance of the mean score from a half in units of the standard deviation of one game, on a scale
//! that agrees with Elo for equal opponents who never draw. It determines how many games are needed to detect
//! a difference, regardless of the draw ratio.
//!
//! This module also computes the area under the ROC curve: how well a score separates two classes.

use std::f64::consts::{LN_10, PI, SQRT_2};

use serde::Serialize;

use kelso_draughts::result::WdlCounts;

use super::{Pairs, real};

/// A value with its 95% interval. An end is infinite if the counts do not bound it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// Returns half the width of the interval, the number after the ± sign.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// An estimate of a difference in strength.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// Points per game, from 0 to 1.
    pub score: f64,
    /// The difference in Elo.
    pub elo: Interval,
    /// The difference in normalised Elo.
    pub nelo: Interval,
    /// The probability that the first side is stronger.
    pub los: f64,
}

/// The minimum number of pairs of games for an estimate. The intervals assume that the mean score has a
/// normal distribution. In simulations of even and uneven engines with 10 to 90% draws, 4,000 matches each,
/// the 95% interval contained the true score in 92 to 95% of matches with 20 pairs, in 89 to 94% with 10, and
/// in 88 to 98% with 5. With 2 pairs, most matches give no interval at all.
pub const MIN_PAIRS: u64 = 20;

/// Converts a mean score to a difference in Elo.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Converts a difference in Elo to a mean score.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the normalised Elo of a mean score, given the standard deviation of one game.
fn nelo_of_score(score: f64, deviation: f64) -> f64 {
    let distance = score - 0.5;
    if distance.abs() < 1e-12 { 0.0 } else { distance / deviation * NELO_PER_DEVIATION }
}

/// The normalised Elo of one standard deviation of a game's score.
pub const NELO_PER_DEVIATION: f64 = 800.0 / LN_10;

impl Estimate {
    /// Returns whether both intervals are bounded and not empty. They are not if there are too few games or
    /// all results are the same.
    pub fn is_bounded(&self) -> bool {
        let errors = [self.elo.error(), self.nelo.error()];
        errors.iter().all(|error| error.is_finite() && *error > 0.0)
    }

    /// Estimates from independent games. Returns `None` without games.
    pub fn of_games(wdl: WdlCounts) -> Option<Self> {
        let [losses, draws, wins] = [wdl.losses, wdl.draws, wdl.wins].map(real);
        Self::of(&[(0.0, losses), (0.5, draws), (1.0, wins)], 1.0)
    }

    /// Estimates from pairs of games, each pair on one opening with both colours. Returns `None` without
    /// pairs.
    pub fn of_pairs(pairs: Pairs) -> Option<Self> {
        let values = [0.0, 0.25, 0.5, 0.75, 1.0];
        let observed: Vec<_> = values.into_iter().zip(pairs.0.map(real)).collect();
        Self::of(&observed, 2.0)
    }

    /// Estimates from pairs if there are any, since the bias of an opening cancels in a pair; otherwise from
    /// games. Returns `None` for fewer than `MIN_PAIRS` pairs, or fewer than twice that many games.
    pub fn best(wdl: WdlCounts, pairs: Pairs) -> Option<Self> {
        match pairs.count() {
            0 if wdl.total() >= 2 * MIN_PAIRS => Self::of_games(wdl),
            MIN_PAIRS.. => Self::of_pairs(pairs),
            _ => None,
        }
    }

    fn of(observed: &[(f64, f64)], games_each: f64) -> Option<Self> {
        let count: f64 = observed.iter().map(|(_, n)| n).sum();
        if count <= 0.0 {
            return None;
        }
        let score = observed.iter().map(|(value, n)| value * n).sum::<f64>() / count;
        let variance = observed.iter().map(|(value, n)| (value - score).powi(2) * n).sum::<f64>() / count;
        let error = (variance / count).sqrt();
        let low = score - Z95 * error;
        let high = score + Z95 * error;
        let elo = Interval { value: elo_of_score(score), low: elo_of_score(low), high: elo_of_score(high) };
        // The standard deviation of one game: the deviation of a pair's mean score times the square root of
        // two.
        let deviation = (variance * games_each).sqrt();
        let [value, low, high] = [score, low, high].map(|score| nelo_of_score(score, deviation));
        let nelo = Interval { value, low, high };
        let los = if variance > 0.0 {
            cumulative((score - 0.5) / error)
        } else if (score - 0.5).abs() < 1e-12 {
            0.5
        } else {
            f64::from(u8::from(score > 0.5))
        };
        Some(Self { score, elo, nelo, los })
    }
}

/// Half the width of the 95% interval in standard deviations.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// Returns the probability that a standard normal variable is below `x`.
fn cumulative(x: f64) -> f64 {
    0.5 * (1.0 + error_function(x / SQRT_2))
}

/// Computes erf x = 2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1) / (2n+1)!!. All terms have the same sign, so there
/// is no cancellation. Beyond 6, the result is 1 to the last bit.
fn error_function(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() > 6.0 {
        return x.signum();
    }
    let mut term = x;
    let mut sum = x;
    let mut divisor = 1.0;
    while term.abs() > sum.abs() * 1e-17 {
        divisor += 2.0;
        term *= 2.0 * x * x / divisor;
        sum += term;
    }
    (2.0 / PI.sqrt() * (-x * x).exp() * sum).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 0.006, "{found} is not {expected}");
    }

    /// Figures published with the tests of fastchess (`app/tests/elo_test.cpp`, suite "Elo Model"): wins,
    /// losses and draws. Checked to the two decimals printed there.
    #[test]
    fn games_agree_with_published_figures() {
        let estimate = |wins, losses, draws| Estimate::of_games(WdlCounts::new(wins, draws, losses)).unwrap();
        let first = estimate(76, 89, 123);
        near(first.nelo.value, -20.76);
        near(first.nelo.error(), 40.13);
        near(first.los * 100.0, 15.53);
        let second = estimate(136, 96, 111);
        near(second.nelo.value, 49.77);
        near(second.nelo.error(), 36.77);
        near(second.elo.value, 40.70);
        near(second.elo.error(), 30.43);
        near(second.los * 100.0, 99.60);
        let third = estimate(34, 356, 0);
        near(third.nelo.value, -508.44);
        near(third.nelo.error(), 34.48);
    }

    /// Figures from the same source. Its classes of pairs are LL, LD, WL, DD, WD and WW; here, WL and DD form
    /// one class.
    #[test]
    fn pairs_agree_with_published_figures() {
        let estimate = |a, b, c: u64, d, e, f| Estimate::of_pairs(Pairs([a, b, c + d, e, f])).unwrap();
        let first = estimate(34, 54, 31, 32, 64, 75);
        near(first.nelo.value, 57.94);
        near(first.nelo.error(), 28.28);
        near(first.elo.value, 55.58);
        near(first.elo.error(), 27.65);
        near(first.los * 100.0, 100.00);
        let second = estimate(332, 433, 457, 41, 333, 334);
        near(second.nelo.value, -9.17);
        near(second.nelo.error(), 10.96);
        near(second.elo.value, -8.64);
        near(second.elo.error(), 10.33);
        near(second.los * 100.0, 5.05);
        let third = estimate(7895, 8757, 5485, 200, 568, 9999);
        near(third.nelo.value, -19.01);
        near(third.nelo.error(), 2.65);
        near(third.elo.value, -21.04);
        near(third.elo.error(), 2.95);
    }

    #[test]
    fn one_sided_and_empty_counts_have_extreme_estimates() {
        assert_eq!(Estimate::of_games(WdlCounts::default()), None);
        assert_eq!(Estimate::of_pairs(Pairs::default()), None);
        let won = Estimate::of_games(WdlCounts::new(10, 0, 0)).unwrap();
        assert!(won.elo.value.is_infinite() && won.elo.value > 0.0);
        assert!((won.los - 1.0).abs() < 1e-12);
        let lost = Estimate::of_games(WdlCounts::new(7, 21, 72)).unwrap();
        assert_eq!(format!("{:.1}%", lost.los * 100.0), "0.0%");
        let drawn = Estimate::of_games(WdlCounts::new(0, 10, 0)).unwrap();
        assert!(drawn.elo.value.abs() < 1e-12 && drawn.nelo.value.abs() < 1e-12);
        assert!((drawn.los - 0.5).abs() < 1e-12);
    }

    #[test]
    fn estimates_need_twenty_pairs_or_forty_games() {
        let (games, pairs) = (WdlCounts::new(20, 10, 10), Pairs([4, 4, 4, 4, 4]));
        assert_eq!(Estimate::best(games, pairs), Estimate::of_pairs(pairs));
        assert_eq!(Estimate::best(games, Pairs::default()), Estimate::of_games(games));
        assert_eq!(Estimate::best(games, Pairs([3, 4, 4, 4, 4])), None, "19 pairs");
        assert_eq!(Estimate::best(WdlCounts::new(20, 10, 9), Pairs::default()), None, "39 games");
    }

    #[test]
    fn identical_results_have_no_bounds() {
        let bounded = |wdl| Estimate::of_games(wdl).unwrap().is_bounded();
        assert!(bounded(WdlCounts::new(20, 10, 10)));
        for wdl in [WdlCounts::new(40, 0, 0), WdlCounts::new(0, 40, 0), WdlCounts::new(0, 0, 40)] {
            assert!(!bounded(wdl), "{wdl:?}");
        }
        // With these counts, the interval of normalised Elo is bounded, but not that of Elo.
        let estimate = Estimate::of_games(WdlCounts::new(2, 1, 0)).unwrap();
        assert!(estimate.nelo.error().is_finite() && !estimate.elo.error().is_finite());
        assert!(!estimate.is_bounded());
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-600.0, -12.5, 0.0, 3.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        // The textbook value: 400 Elo correspond to odds of ten to one.
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn values_of_the_printed_tables() {
        // Abramowitz and Stegun, Handbook of Mathematical Functions, tables 7.1 and 26.1.
        for (x, value) in [(0.0, 0.0), (0.5, 0.520_499_877_8), (1.0, 0.842_700_792_9), (2.0, 0.995_322_265_0)]
        {
            assert!((error_function(x) - value).abs() < 1e-10, "erf {x}");
            assert!((error_function(-x) + value).abs() < 1e-10, "erf -{x}");
        }
        assert!((cumulative(1.0) - 0.841_344_746_1).abs() < 1e-10);
        assert!((cumulative(Z95) - 0.975).abs() < 1e-12);
        assert!(cumulative(40.0) >= 1.0 && cumulative(-40.0) <= 0.0);
    }
}
