//! Random mutation of weights.

use common::chance::{Random, RngExt};
use engine::eval::TermWeights;

/// Number of steps of the mutation range.
const STEPS: usize = 2000;

/// Returns a copy in which each weight has changed by a random share of itself, at most `range`.
pub fn mutated(weights: &TermWeights, range: f64, random: &mut Random) -> TermWeights {
    let values: Vec<i32> = weights
        .values()
        .iter()
        .map(|&value| {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let share = random.random_range(0..=STEPS) as f64 / (STEPS / 2) as f64 - 1.0;
            #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
            let change = (f64::from(value) * range * share).round() as i32;
            value.saturating_add(change)
        })
        .collect();
    weights.with(&values)
}
