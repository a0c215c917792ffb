//! Fits the weights of the handcrafted evaluation by logistic regression.
//!
//! The expected points of a position are a logistic function of the sum of its terms, each with an early and
//! a late weight ([`kelso_engine::eval::classic`]). The target blends result and score as for a network
//! ([`crate::fit`]), but treats the scores of known results like all others. The problem is convex, so the
//! result is unique. It is found by Newton's method: the gradient uses all samples, and the curvature only a
//! subset. An L2 penalty keeps the weights of rare terms near 0.
//!
//! Sums are always divided into the same parts, so the result does not depend on the number of threads.

mod solve;
#[cfg(test)]
mod tests;

use self::solve::Symmetric;
use crate::data::TrainingSet;
use crate::fit::{Losses, scale};
use crate::sample::TrainingSample;
use kelso_batch::pool::in_parts;
use kelso_engine::eval::TermWeights;
use kelso_engine::eval::classic::TermCounts;
use kelso_reports::statistics::mean;
use kelso_syntax::WordError;

/// The settings of a regression.
#[derive(Clone, Debug)]
pub struct RegressionOptions {
    /// Weight of the game result in the target, from 0 to 1. The score has the remaining weight.
    pub blend: f64,
    /// Strength of the L2 penalty, in positions.
    pub ridge: f64,
    /// Maximum number of Newton steps.
    pub steps: u32,
    /// Terms whose weights stay 0, by name or by a prefix that ends in `-`.
    pub without: Vec<String>,
    pub threads: usize,
}

/// Number of parts of a sum.
const SUM_PARTS: usize = 64;
/// Maximum number of samples used for the curvature.
const MAX_CURVATURE_SAMPLES: usize = 200_000;
/// The regression ends when a step reduces the loss by less than this.
const MIN_LOSS_STEP: f64 = 1e-7;
/// Weight units per hundredth of a man.
const UNITS_PER_HUNDREDTH: f64 = 10.0;

/// A regression in progress.
#[derive(Debug)]
pub struct Regression<'a> {
    set: &'a TrainingSet,
    options: RegressionOptions,
    weights: TermWeights,
    /// The scale at which scores best predict results.
    pub scores: f64,
    /// A flag for each weight: it is fixed at 0.
    fixed: Vec<bool>,
    parameters: Vec<f64>,
    last: Option<Losses>,
    done: bool,
}

/// Sums over the samples of a pass.
struct Sums {
    loss: f64,
    results: f64,
    gradient: Vec<f64>,
    curvature: Option<Symmetric>,
}

impl Sums {
    fn zero(size: usize, curvature: bool) -> Self {
        let curvature = curvature.then(|| Symmetric::zero(size));
        Self { loss: 0.0, results: 0.0, gradient: vec![0.0; size], curvature }
    }
}

/// Called with the number of samples done. Returns `false` to stop.
pub type OnNewtonStep<'a> = &'a dyn Fn(usize) -> bool;

/// Calls `add` with each non-zero term of a sample and its factor.
fn terms(sample: &TrainingSample, mut add: impl FnMut(usize, f64)) {
    let counts = TermCounts::of(sample.key().relative());
    let early = f64::from(counts.early);
    for (term, &difference) in
        counts.differences.iter().enumerate().filter(|(_, difference)| **difference != 0)
    {
        add(2 * term, f64::from(difference) * early);
        add(2 * term + 1, f64::from(difference) * (1.0 - early));
    }
}

impl<'a> Regression<'a> {
    /// Creates a regression with all weights 0.
    ///
    /// # Errors
    ///
    /// If `without` names an unknown term.
    pub fn new(set: &'a TrainingSet, options: &RegressionOptions) -> Result<Self, WordError> {
        let unknown = |name| WordError::unknown("term", name, "a term of the evaluation \"classic\"");
        let weights = TermWeights::default();
        let is_meant = |name: &str, without: &str| {
            name == without || without.ends_with('-') && name.starts_with(without)
        };
        for without in &options.without {
            if !weights.rows().any(|(name, _)| is_meant(name, without)) {
                return Err(unknown(without));
            }
        }
        let is_fixed = |name: &str| options.without.iter().any(|without| is_meant(name, without));
        let fixed =
            weights.rows().flat_map(|(name, values)| values.iter().map(move |_| is_fixed(name))).collect();
        Ok(Self {
            set,
            scores: scale::fit(&set.train),
            fixed,
            parameters: vec![0.0; weights.values().len()],
            weights,
            options: options.clone(),
            last: None,
            done: false,
        })
    }

    pub fn is_done(&self) -> bool {
        self.done || self.last.is_some_and(|step| step.number >= self.options.steps)
    }

    /// Takes a step. The first step only computes the initial loss. If interrupted, returns `None` and
    /// changes nothing.
    pub fn step(&mut self, on_progress: OnNewtonStep<'_>) -> Option<Losses> {
        let Some(last) = self.last else {
            self.last = Some(self.judge(&self.parameters, 0, on_progress)?);
            return self.last;
        };
        let train = &self.set.train;
        let sums = self.pass(train, 1, false, &self.parameters, on_progress)?;
        let every = train.len().div_ceil(MAX_CURVATURE_SAMPLES).max(1);
        let sampled = self.pass(train, every, true, &self.parameters, on_progress)?;
        let size = self.parameters.len();
        let ridge = mean(self.options.ridge, train.len());
        let mut curvature = Symmetric::zero(size);
        if let Some(sum) = &sampled.curvature {
            curvature.add_all(sum, mean(1.0, train.len().div_ceil(every)));
        }
        (0..size).for_each(|index| curvature.add(index, index, ridge));
        let gradient: Vec<f64> = sums
            .gradient
            .iter()
            .zip(&self.parameters)
            .map(|(partial, parameter)| mean(*partial, train.len()) + ridge * parameter)
            .collect();
        let change = curvature.solve(&gradient).unwrap_or_else(|| vec![0.0; size]);
        // A full Newton step nearly always reduces the loss. If it does not, try shorter steps.
        let mut share = 1.0;
        for _ in 0..6 {
            let parameters: Vec<f64> = self
                .parameters
                .iter()
                .zip(&change)
                .map(|(parameter, change)| parameter - share * change)
                .collect();
            let step = self.judge(&parameters, last.number + 1, on_progress)?;
            if step.train <= last.train {
                self.done = last.train - step.train < MIN_LOSS_STEP;
                self.parameters = parameters;
                self.last = Some(step);
                return Some(step);
            }
            share /= 2.0;
        }
        self.done = true;
        Some(Losses { number: last.number + 1, ..last })
    }

    fn judge(&self, parameters: &[f64], number: u32, on_progress: OnNewtonStep<'_>) -> Option<Losses> {
        let TrainingSet { train, held_out } = self.set;
        let learned = self.pass(train, 1, false, parameters, on_progress)?;
        let held = self.pass(held_out, 1, false, parameters, on_progress)?;
        Some(Losses {
            number,
            train: mean(learned.loss, train.len()),
            held_out: mean(held.loss, held_out.len()),
            results: mean(held.results, held_out.len()),
        })
    }

    /// Computes the sums over every `every`th sample, optionally with the curvature.
    fn pass(
        &self,
        samples: &[TrainingSample],
        every: usize,
        curvature: bool,
        parameters: &[f64],
        on_progress: OnNewtonStep<'_>,
    ) -> Option<Sums> {
        let add_up = |part: &[TrainingSample]| self.add_up(part, every, curvature, parameters);
        let mut all = Sums::zero(parameters.len(), curvature);
        for sums in in_parts(samples, SUM_PARTS, self.options.threads, add_up, on_progress)? {
            all.loss += sums.loss;
            all.results += sums.results;
            all.gradient.iter_mut().zip(&sums.gradient).for_each(|(sum, partial)| *sum += partial);
            if let (Some(sum), Some(curvature)) = (&mut all.curvature, &sums.curvature) {
                sum.add_all(curvature, 1.0);
            }
        }
        Some(all)
    }

    fn add_up(&self, samples: &[TrainingSample], every: usize, curvature: bool, parameters: &[f64]) -> Sums {
        let mut sums = Sums::zero(parameters.len(), curvature);
        let mut present: Vec<(usize, f64)> = Vec::new();
        for sample in samples.iter().step_by(every) {
            present.clear();
            terms(sample, |index, factor| {
                if self.fixed.get(index) == Some(&false) {
                    present.push((index, factor));
                }
            });
            let sum: f64 = present.iter().map(|&(index, factor)| factor * parameters[index]).sum();
            let expected = scale::points(sum, 1.0);
            let result = f64::from(sample.label.points());
            let score = scale::points(sample.score.into(), self.scores);
            let target = self.options.blend * result + (1.0 - self.options.blend) * score;
            sums.loss += scale::cross_entropy(expected, target);
            sums.results += scale::cross_entropy(expected, result);
            for &(index, factor) in &present {
                if let Some(partial) = sums.gradient.get_mut(index) {
                    *partial += (expected - target) * factor;
                }
            }
            if let Some(curvature) = &mut sums.curvature {
                let weight = expected * (1.0 - expected);
                for (place, &(row, factor)) in present.iter().enumerate() {
                    for &(column, other) in &present[..=place] {
                        curvature.add(row, column, weight * factor * other);
                    }
                }
            }
        }
        sums
    }

    /// Returns the current weights, in thousandths of a man.
    pub fn weights(&self) -> TermWeights {
        let factor = UNITS_PER_HUNDREDTH * self.scores;
        #[expect(clippy::cast_possible_truncation, reason = "kept in range by the weights")]
        let values: Vec<i32> =
            self.parameters.iter().map(|parameter| (parameter * factor).round() as i32).collect();
        self.weights.with(&values)
    }
}
