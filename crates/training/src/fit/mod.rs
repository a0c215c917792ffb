//! Fitting a network to samples.
//!
//! The target of a sample blends the result of its game with the expected points for its score. The scale of
//! scores is fitted first, since it differs between evaluations. The result depends on the samples, their
//! order and the seed, not on the number of threads: a batch is always divided into the same parts, whose
//! gradients are added in the same order.

mod gradients;
pub mod losses;
mod network;
pub mod scale;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;
use std::fmt;

use self::gradients::{Adam, PARTS, mean_gradient};
use self::losses::ExcessLoss;
use self::scale::cross_entropy;
use crate::data::TrainingSet;
use crate::sample::TrainingSample;
use kelso_engine::eval::network::{BUCKETS, NetworkWeights, bucket};
use kelso_random::SliceRandom;
use kelso_reports::chart::{self, Axis, Curve, Panel, Point};
use kelso_reports::statistics::{mean, real};

/// The settings of a fit.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// The seed of the random numbers.
    pub seed: u64,
    /// Number of epochs: how often each sample is used.
    pub epochs: u32,
    /// The initial learning rate, which decays to a hundredth of its value.
    pub learning_rate: f64,
    /// Number of samples per batch.
    pub batch: usize,
    /// Weight of the game result in the target, from 0 to 1. The score has the remaining weight.
    pub blend: f64,
    /// Samples of a class of pieces that has the share `s` of all samples weigh `s` to the power of minus this.
    pub balance: f64,
    pub name: String,
    /// The initial weights, or `None` for small random weights.
    pub from: Option<NetworkWeights>,
    pub threads: usize,
}

/// The losses after an epoch or a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Number of the epoch or step, from 1, or 0 for the start.
    pub number: u32,
    /// Mean loss on the training samples.
    pub train: f64,
    /// Mean loss on the held-out samples.
    pub held_out: f64,
    /// Mean loss on the held-out samples against game results only.
    pub results: f64,
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, train, held_out, results } = self;
        write!(f, "{number}: loss {train:.5}, held out {held_out:.5}, against results {results:.5}")
    }
}

/// The final learning rate as a share of the initial rate.
const LAST_RATE: f64 = 0.01;

/// A fit in progress.
#[derive(Debug)]
pub struct Fit<'a> {
    samples: &'a TrainingSet,
    options: FitOptions,
    /// The scale of scores that predicts results best.
    pub scale: f64,
    class_weights: [f32; BUCKETS],
    /// The order of the samples in the last epoch. The next epoch shuffles it again.
    order: Vec<u32>,
    parameters: Vec<f32>,
    adam: Adam,
    /// The losses of the epochs so far.
    pub epochs: Vec<Losses>,
}

impl<'a> Fit<'a> {
    /// Starts a fit.
    pub fn new(samples: &'a TrainingSet, options: &FitOptions) -> Self {
        let start = options.from.as_ref().map_or_else(|| network::start(options.seed), network::parameters);
        Self {
            samples,
            scale: scale::fit(&samples.train),
            class_weights: class_weights(&samples.train, options.balance),
            order: (0..u32::try_from(samples.train.len()).unwrap_or(u32::MAX)).collect(),
            adam: Adam::new(start.len()),
            parameters: start,
            epochs: Vec::new(),
            options: options.clone(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.epochs_done() >= self.options.epochs
    }

    fn epochs_done(&self) -> u32 {
        u32::try_from(self.epochs.len()).unwrap_or(u32::MAX)
    }

    /// Runs an epoch. Calls `on_progress` after each batch with the number of samples done; if it returns
    /// `false`, abandons the epoch.
    pub fn epoch(&mut self, on_progress: &mut dyn FnMut(usize) -> bool) -> Option<Losses> {
        let number = self.epochs_done() + 1;
        let Self { samples, options, scale, class_weights, order, parameters, adam, epochs } = self;
        order.shuffle(&mut kelso_random::stream(&[options.seed, number.into()]));
        let batch = options.batch.max(PARTS);
        let batches = order.len().div_ceil(batch);
        let steps = (batches * options.epochs as usize).max(1);
        let before = batches * (number - 1) as usize;
        let target = |sample: &TrainingSample| target(sample, *scale, options.blend);
        let mut loss = 0.0;
        for (index, batch_order) in order.chunks(batch).enumerate() {
            let done = real((before + index) as u64) / real(steps as u64);
            let rate =
                options.learning_rate * (LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (PI * done).cos()) / 2.0);
            #[expect(clippy::cast_possible_truncation, reason = "a rate")]
            let rate = rate as f32;
            let learn = |sample: &TrainingSample, gradient: &mut [f32]| {
                let weight = class_weights[bucket(sample.pieces())];
                network::learn(parameters, sample, target(sample), weight, gradient)
            };
            let size = parameters.len();
            let (sum, gradient) = mean_gradient(size, &samples.train, batch_order, options.threads, &learn);
            adam.step(parameters, &gradient, rate, network::limit);
            loss += sum;
            if !on_progress((index * batch).min(order.len())) {
                return None;
            }
        }
        let train = mean(loss, order.len());
        let (held_out, results) = judge(parameters, &samples.held_out, &target);
        let epoch = Losses { number, train, held_out, results };
        epochs.push(epoch);
        Some(epoch)
    }

    /// Returns the losses on the held-out samples by class of pieces.
    pub fn by_class(&self) -> [ExcessLoss; BUCKETS] {
        let mut classes = [ExcessLoss::default(); BUCKETS];
        for sample in &self.samples.held_out {
            let expected = points(network::output(&self.parameters, sample));
            let target = target(sample, self.scale, self.options.blend);
            classes[bucket(sample.pieces())].add(expected.into(), target.into());
        }
        classes
    }

    pub fn weights(&self) -> NetworkWeights {
        #[expect(clippy::cast_possible_truncation, reason = "between 10 and 2000")]
        let scale = self.scale.round() as i32;
        network::quantised(&self.parameters, scale, &self.options.name)
    }
}

/// Returns the weight of a sample of each class of pieces; the mean over all samples is 1.
#[expect(clippy::cast_possible_truncation, reason = "weights near 1")]
fn class_weights(samples: &[TrainingSample], balance: f64) -> [f32; BUCKETS] {
    let mut counts = [0u64; BUCKETS];
    for sample in samples {
        counts[bucket(sample.pieces())] += 1;
    }
    let all = real(samples.len() as u64);
    let weights = counts.map(|count| (real(count.max(1)) / all).powf(-balance));
    let sum: f64 = counts.iter().zip(weights).map(|(&count, weight)| real(count) * weight).sum();
    weights.map(|weight| (weight * all / sum) as f32)
}

/// The plies that make a win worth one point less. Slower wins count less, so that the evaluation leads to the
/// end where the result alone does not change.
const PLIES_PER_POINT: f64 = 200.0;
/// The fewest points for a win.
const MIN_WIN: f64 = 0.6;

#[expect(clippy::cast_possible_truncation, reason = "points")]
fn target(sample: &TrainingSample, scale: f64, blend: f64) -> f32 {
    if let Some(distance) = sample.distance() {
        let win = (1.0 - f64::from(distance) / PLIES_PER_POINT).max(MIN_WIN);
        return if sample.score > 0 { win } else { 1.0 - win } as f32;
    }
    let score = scale::points(sample.score.into(), scale);
    (blend * f64::from(sample.label.points()) + (1.0 - blend) * score) as f32
}

/// Returns the expected points for an output, with the precision of the parameters.
fn points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Returns the mean losses against the targets and against the game results.
fn judge(
    parameters: &[f32],
    samples: &[TrainingSample],
    target: &impl Fn(&TrainingSample) -> f32,
) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for sample in samples {
        let expected = points(network::output(parameters, sample)).into();
        sums.0 += cross_entropy(expected, target(sample).into());
        sums.1 += cross_entropy(expected, sample.label.points().into());
    }
    (mean(sums.0, samples.len()), mean(sums.1, samples.len()))
}

/// Draws the losses by epoch as SVG.
pub fn draw(title: &str, epochs: &[Losses]) -> String {
    let curve = |name: &str, loss: fn(&Losses) -> f64| {
        let point = |epoch: &Losses| Point { x: epoch.number.into(), y: loss(epoch), error: 0.0 };
        Curve { name: name.to_owned(), points: epochs.iter().map(point).collect() }
    };
    let curves = vec![
        curve("training", |epoch| epoch.train),
        curve("held out", |epoch| epoch.held_out),
        curve("held out, against results", |epoch| epoch.results),
    ];
    let losses = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.y);
    let (low, high) = (losses().fold(f64::INFINITY, f64::min), losses().fold(f64::NEG_INFINITY, f64::max));
    let x = Axis::whole("epoch", 1, epochs.iter().map(|epoch| epoch.number).max().unwrap_or(1));
    chart::draw(title, &[Panel { width: CHART_WIDTH, x, y: Axis::even("loss", low, high), curves }])
}

const CHART_WIDTH: f64 = 560.0;
