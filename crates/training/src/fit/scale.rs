//! The scale of scores: the constant that converts scores to expected points.

use crate::sample::TrainingSample;

/// Maximum number of samples used to fit the scale.
const MAX_SAMPLES: usize = 400_000;
const SCALE_RANGE: (f64, f64) = (10.0, 2000.0);

/// Returns the expected points for a score.
pub fn points(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

pub fn cross_entropy(expected: f64, target: f64) -> f64 {
    let expected = expected.clamp(1e-9, 1.0 - 1e-9);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

/// Returns the mean cross-entropy of predicting results from scores.
pub fn loss(samples: &[TrainingSample], scale: f64) -> f64 {
    let step = (samples.len() / MAX_SAMPLES).max(1);
    let mut total = 0.0;
    let mut count = 0.0;
    for sample in samples.iter().step_by(step).filter(|sample| sample.distance().is_none()) {
        let expected = points(sample.score.into(), scale);
        let label = f64::from(sample.label.points());
        total += cross_entropy(expected, label);
        count += 1.0;
    }
    if count > 0.0 { total / count } else { 0.0 }
}

/// Returns the scale that predicts results best.
pub fn fit(samples: &[TrainingSample]) -> f64 {
    let mut low = SCALE_RANGE.0.ln();
    let mut high = SCALE_RANGE.1.ln();
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..30 {
        let a = high - golden * (high - low);
        let b = low + golden * (high - low);
        if loss(samples, a.exp()) < loss(samples, b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    f64::midpoint(low, high).exp()
}
