//! Weights moved by chance.

use common::chance::{Random, RngExt};
use engine::eval::TermWeights;

/// Places between the ends of the reach.
const STEPS: usize = 2000;

/// The same weights, each moved by up to `reach` of itself either way, every distance as likely.
#[must_use]
pub fn mutated(sheet: &TermWeights, reach: f64, random: &mut Random) -> TermWeights {
    let values: Vec<i32> = sheet
        .values()
        .iter()
        .map(|&value| {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let share = random.random_range(0..=STEPS) as f64 / (STEPS / 2) as f64 - 1.0;
            #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
            let change = (f64::from(value) * reach * share).round() as i32;
            value.saturating_add(change)
        })
        .collect();
    sheet.with(&values)
}
