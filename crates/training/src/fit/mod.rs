//! Fits a network to samples.
//!
//! The target of a sample is a blend of the game's result and of the expected points that its score stands for. What a
//! score stands for is fitted first, since it differs from one evaluation to the next. The result depends on the
//! samples, their order and the seed, not on the number of threads: a batch is always learned in the same parts, whose
//! slopes are added in the same order.

mod chart;
mod descent;
mod network;
pub mod scale;
mod set;
mod slopes;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

pub use chart::draw;
pub use set::Set;

use self::descent::Descent;
use self::slopes::{Batch, PARTS, Slopes};
use crate::sample::Sample;
use common::chance::{self, SliceRandom};
use engine::eval::network::Weights;

/// How to fit.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// What chance is made of.
    pub seed: u64,
    /// How often each sample is seen.
    pub epochs: u32,
    /// The first step's width; later ones get shorter.
    pub rate: f64,
    /// Samples of a step.
    pub batch: usize,
    /// The weight of the game's result in the target, from 0 to 1; the rest is the score's.
    pub blend: f64,
    /// What the weights are called.
    pub name: String,
    /// The weights to begin from; small random ones if there are none.
    pub from: Option<Weights>,
    /// How many threads.
    pub threads: usize,
}

/// What an epoch came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean loss on the samples that it learned from, against their targets.
    pub train: f64,
    /// The same on those held out.
    pub held_out: f64,
    /// The loss on those held out against the results of their games.
    pub results: f64,
}

/// Rates end at this share of the first.
const LAST_RATE: f64 = 0.01;

/// A fit under way.
#[derive(Debug)]
pub struct Fit<'a> {
    set: &'a Set,
    recipe: Recipe,
    scale: f64,
    /// The order in which the last epoch saw the samples; each epoch shuffles that of the one before.
    order: Vec<u32>,
    slopes: Slopes,
    parameters: Vec<f32>,
    descent: Descent,
    epochs: Vec<Epoch>,
}

impl<'a> Fit<'a> {
    /// Begins a fit.
    #[must_use]
    pub fn new(set: &'a Set, recipe: &Recipe) -> Self {
        let (scale, _) = scale::fit(&set.train);
        let start = recipe.from.as_ref().map_or_else(|| network::start(recipe.seed), network::parameters);
        Self {
            set,
            scale,
            order: (0..u32::try_from(set.train.len()).unwrap_or(u32::MAX)).collect(),
            slopes: Slopes::new(start.len()),
            descent: Descent::new(start.len()),
            parameters: start,
            epochs: Vec::new(),
            recipe: recipe.clone(),
        }
    }

    /// What the epochs so far came to.
    #[must_use]
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// The constant by which scores predict results best.
    #[must_use]
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether all epochs are over.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.epochs_done() >= self.recipe.epochs
    }

    fn epochs_done(&self) -> u32 {
        u32::try_from(self.epochs.len()).unwrap_or(u32::MAX)
    }

    /// Learns from each sample once more. Calls `watch` after each step with the number of samples done; if it returns
    /// false, the epoch is abandoned and there is no result.
    pub fn epoch(&mut self, watch: &mut dyn FnMut(usize) -> bool) -> Option<Epoch> {
        let number = self.epochs_done() + 1;
        let Self { set, recipe, scale, order, slopes, parameters, descent, epochs } = self;
        order.shuffle(&mut chance::stream(&[recipe.seed, number.into()]));
        let batch = recipe.batch.max(PARTS);
        let batches = order.len().div_ceil(batch);
        let steps = (batches * recipe.epochs as usize).max(1);
        let before = batches * (number - 1) as usize;
        let target = |sample: &Sample| target(sample, *scale, recipe.blend);
        let mut loss = 0.0;
        for (index, batch_order) in order.chunks(batch).enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "far fewer steps than a float holds")]
            let done = (before + index) as f64 / steps as f64;
            let rate = recipe.rate * (LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (PI * done).cos()) / 2.0);
            let part =
                Batch { samples: &set.train, order: batch_order, target: &target, threads: recipe.threads };
            #[expect(clippy::cast_possible_truncation, reason = "a rate")]
            let rate = rate as f32;
            loss += network::step(parameters, descent, slopes, &part, rate);
            if !watch((index * batch).min(order.len())) {
                return None;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let train = loss / order.len().max(1) as f64;
        let (held_out, results) = judge(parameters, &set.held_out, &target);
        let epoch = Epoch { number, train, held_out, results };
        epochs.push(epoch);
        Some(epoch)
    }

    /// The weights as they are now.
    #[must_use]
    pub fn weights(&self) -> Weights {
        #[expect(clippy::cast_possible_truncation, reason = "between 10 and 2000")]
        let scale = self.scale.round() as i32;
        network::quantised(&self.parameters, scale, &self.recipe.name)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "points")]
fn target(sample: &Sample, scale: f64, blend: f64) -> f32 {
    let score = scale::points(sample.score.into(), scale);
    (blend * f64::from(sample.label.points()) + (1.0 - blend) * score) as f32
}

/// The expected points that an output stands for.
fn points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// The loss of predicting a target.
fn loss(expected: f32, target: f32) -> f32 {
    let expected = expected.clamp(1e-7, 1.0 - 1e-7);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

/// Mean losses against targets and against results.
fn judge(parameters: &[f32], samples: &[Sample], target: &impl Fn(&Sample) -> f32) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for sample in samples {
        let expected = points(network::output(parameters, sample));
        sums.0 += f64::from(loss(expected, target(sample)));
        sums.1 += f64::from(loss(expected, sample.label.points()));
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let count = samples.len().max(1) as f64;
    (sums.0 / count, sums.1 / count)
}
