//! Judges an evaluation by positions with scores of long searches.
//!
//! Evaluations differ in their scales, so each class of pieces has the monotone function from values to
//! expected points with the least squared error to the expected points of the scores. What remains is the
//! error of the evaluation.

use super::fit::scale;
use super::sample::TrainingSample;
use kelso_draughts::board::Position;
use kelso_engine::eval::network::{BUCKETS, bucket};
use kelso_reports::statistics::mean;

/// How near an evaluation comes to the scores of one class of pieces.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ClassError {
    pub positions: usize,
    /// Root mean square error in expected points.
    pub error: f64,
    /// Correlation of the expected points.
    pub correlation: f64,
}

/// The errors of an evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// The scale of the scores, at which they predict the results of their games best.
    pub scale: f64,
    pub classes: [ClassError; BUCKETS],
}

impl Judgement {
    pub fn of(samples: &[TrainingSample], evaluate: &mut dyn FnMut(&Position) -> i32) -> Self {
        let scale = scale::fit(samples);
        let mut classes: [Vec<(i32, f64)>; BUCKETS] = Default::default();
        for sample in samples {
            let points = scale::points(sample.score.into(), scale);
            classes[bucket(sample.pieces())].push((evaluate(&sample.position()), points));
        }
        Self { scale, classes: classes.map(|pairs| ClassError::of(&pairs)) }
    }
}

impl ClassError {
    /// Returns the error of values as predictions of expected points.
    fn of(pairs: &[(i32, f64)]) -> Self {
        let (predicted, points): (Vec<f64>, Vec<f64>) = monotone(pairs).into_iter().unzip();
        let count = pairs.len();
        let squares = predicted.iter().zip(&points).map(|(a, b)| (a - b).powi(2));
        Self {
            positions: count,
            error: mean(squares.sum(), count).sqrt(),
            correlation: correlation(&predicted, &points),
        }
    }
}

/// Returns the best monotone predictions with the points that they predict, by pooling adjacent violators.
fn monotone(pairs: &[(i32, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by_key(|&(value, _)| value);
    // Sums and numbers of points of neighbouring values with the same prediction.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
        let mut pool = (equal.iter().map(|&(_, points)| points).sum::<f64>(), equal.len());
        while let Some(before) = pools.pop_if(|before| mean(before.0, before.1) >= mean(pool.0, pool.1)) {
            pool = (pool.0 + before.0, pool.1 + before.1);
        }
        pools.push(pool);
    }
    let predicted = pools.iter().flat_map(|&(sum, count)| std::iter::repeat_n(mean(sum, count), count));
    predicted.zip(sorted.iter().map(|&(_, points)| points)).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let [a, b] = [a, b].map(centred);
    covariance(&a, &b) / (covariance(&a, &a) * covariance(&b, &b)).sqrt().max(f64::MIN_POSITIVE)
}

/// Returns the differences from the mean.
fn centred(numbers: &[f64]) -> Vec<f64> {
    let middle = mean(numbers.iter().sum(), numbers.len());
    numbers.iter().map(|number| number - middle).collect()
}

fn covariance(a: &[f64], b: &[f64]) -> f64 {
    mean(a.iter().zip(b).map(|(a, b)| a * b).sum(), a.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_game;
    use kelso_engine::eval::Evaluation;

    #[test]
    fn adjacent_violators_are_pooled() {
        let pairs = [(3, 0.9), (1, 0.2), (1, 0.4), (2, 0.1), (5, 0.5), (4, 0.7)];
        let predicted: Vec<f64> = monotone(&pairs).into_iter().map(|(predicted, _)| predicted).collect();
        let expected = [0.7 / 3.0, 0.7 / 3.0, 0.7 / 3.0, 0.7, 0.7, 0.7];
        for (predicted, expected) in predicted.iter().zip(expected) {
            assert!((predicted - expected).abs() < 1e-12, "{predicted} {expected}");
        }
        let equal = ClassError::of(&[(1, 0.25), (2, 0.5), (3, 1.0)]);
        assert!(equal.error < 1e-12 && (equal.correlation - 1.0).abs() < 1e-12, "{equal:?}");
        // A constant predicts nothing.
        let constant = ClassError::of(&[(1, 0.25), (1, 0.75)]);
        assert_eq!(constant, ClassError { positions: 2, error: 0.25, correlation: 0.0 });
        assert_eq!(ClassError::of(&[]), ClassError::default());
    }

    #[test]
    fn only_the_order_of_values_counts() {
        // The scores of random games are the material, ...
        let samples: Vec<_> = (0..40).flat_map(|number| random_game(number, 60).samples).collect();
        let exact = Judgement::of(&samples, &mut |position| Evaluation::Material.evaluate(position));
        let cubed =
            Judgement::of(&samples, &mut |position| Evaluation::Material.evaluate(position).pow(3) / 1000);
        assert_eq!(exact, cubed);
        assert!(exact.classes.iter().all(|class| class.error < 1e-9), "{exact:?}");
        // ... and the number of pieces does not predict it.
        let count = Judgement::of(&samples, &mut |position| position.piece_count().cast_signed());
        let last = count.classes[BUCKETS - 1];
        assert!(last.positions > 100 && last.error > 0.01 && last.correlation < 0.5, "{last:?}");
    }
}
