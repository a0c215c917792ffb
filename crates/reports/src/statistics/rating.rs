//! Ratings of many players, each pair of whom may have played any number of games.

use std::f64::consts::LN_10;

use kelso_draughts::result::WdlCounts;

use super::estimate::Z95;
use super::{Interval, real, score_of_elo};

/// Number of iterations. Even the ratings of a large collection converge in fewer.
const ITERATIONS: usize = 200;

/// The increase of the natural logarithm of the odds for each Elo.
const LOG_ODDS_PER_ELO: f64 = LN_10 / 400.0;

/// Returns the players' Elo ratings with their 95% intervals. Each meeting is a pair of players, with the first player's results.
///
/// The ratings are maximum likelihood estimates in the Bradley-Terry model, with a draw counting as half a
/// win, computed by Hunter's iteration (2004). Their average is 0. Each player also draws one virtual game
/// with an average player, so that a player who won every game also gets a rating, and groups of players that
/// never met share a scale. An interval regards the ratings of a player's opponents as exact.
pub fn ratings(players: usize, meetings: &[(usize, usize, WdlCounts)]) -> Vec<Interval> {
    let mut points = vec![0.5; players];
    for &(first, second, wdl) in meetings {
        for (player, own) in [(first, wdl), (second, wdl.reversed())] {
            if let Some(points) = points.get_mut(player) {
                *points += real(own.half_points()) / 2.0;
            }
        }
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..ITERATIONS {
        let mut expected: Vec<f64> = strengths.iter().map(|strength| 1.0 / (strength + 1.0)).collect();
        for &(first, second, wdl) in meetings {
            if let [Some(&one), Some(&other)] = [first, second].map(|player| strengths.get(player)) {
                let share = real(wdl.total()) / (one + other);
                expected[first] += share;
                expected[second] += share;
            }
        }
        strengths = points.iter().zip(expected).map(|(points, expected)| points / expected).collect();
        // The average player keeps the rating 0.
        let mean =
            strengths.iter().map(|strength: &f64| strength.ln()).sum::<f64>() / real(players.max(1) as u64);
        for strength in &mut strengths {
            *strength /= mean.exp();
        }
    }
    let ratings: Vec<f64> = strengths.into_iter().map(|strength: f64| 400.0 * strength.log10()).collect();
    intervals(&ratings, meetings)
}

/// Adds intervals to ratings: the spread of each player's results around what the ratings predict, divided by
/// how fast the prediction changes with the rating.
fn intervals(ratings: &[f64], meetings: &[(usize, usize, WdlCounts)]) -> Vec<Interval> {
    let (mut variances, mut slopes) = (Vec::new(), Vec::new());
    for &rating in ratings {
        // The virtual game.
        let slope = slope(score_of_elo(rating));
        variances.push(slope);
        slopes.push(slope);
    }
    for &(first, second, wdl) in meetings {
        if let [Some(&one), Some(&other)] = [first, second].map(|player| ratings.get(player)) {
            let expected = score_of_elo(one - other);
            let results = [(1.0, wdl.wins), (0.5, wdl.draws), (0.0, wdl.losses)];
            let spread: f64 =
                results.iter().map(|(score, count)| real(*count) * (score - expected).powi(2)).sum();
            for player in [first, second] {
                variances[player] += spread;
                slopes[player] += real(wdl.total()) * slope(expected);
            }
        }
    }
    let errors = variances
        .iter()
        .zip(slopes)
        .map(|(variance, slope)| Z95 * variance.sqrt() / (slope * LOG_ODDS_PER_ELO));
    let intervals = ratings.iter().zip(errors);
    intervals.map(|(&value, error)| Interval { value, low: value - error, high: value + error }).collect()
}

/// Returns how fast an expected score grows with the logarithm of the odds.
fn slope(expected: f64) -> f64 {
    expected * (1.0 - expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Estimate, elo_of_score};

    fn rounded(players: usize, meetings: &[(usize, usize, WdlCounts)]) -> Vec<f64> {
        ratings(players, meetings).into_iter().map(|rating| rating.value.round() + 0.0).collect()
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let results = WdlCounts::new(600, 200, 200);
        let rated = ratings(2, &[(0, 1, results)]);
        let errors = [rated[0].error(), Estimate::of_games(results).unwrap().elo.error()];
        assert!((errors[0] - errors[1]).abs() < 0.5, "{errors:?}");
        let rated = [rated[0].value, rated[1].value];
        // The virtual games move the ratings slightly towards each other.
        assert!((rated[0] - rated[1] - elo_of_score(0.7)).abs() < 2.0, "{rated:?}");
        assert!((rated[0] + rated[1]).abs() < 1e-6);
    }

    #[test]
    fn ratings_follow_from_common_opponents() {
        let (won, even) = (WdlCounts::new(30, 0, 10), WdlCounts::new(10, 20, 10));
        // The first player beats the second as clearly as the second beats the third; the fourth is equal to
        // the third.
        let rated = rounded(5, &[(0, 1, won), (1, 2, won), (2, 3, even)]);
        assert!(
            rated[0] > rated[1] && rated[1] > rated[2] && (rated[2] - rated[3]).abs() < 15.0,
            "{rated:?}"
        );
        assert!((rated[0] - rated[1] - (rated[1] - rated[2])).abs() < 40.0, "{rated:?}");
        assert!(rated[4].abs() < 1e-9, "without a game");
    }

    #[test]
    fn a_player_who_won_every_game_has_a_rating() {
        let rated = rounded(2, &[(0, 1, WdlCounts::new(5, 0, 0))]);
        assert!((100.0..600.0).contains(&rated[0]), "{rated:?}");
    }
}
