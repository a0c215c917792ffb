//! Fitting a network to samples.
//!
//! The target of a sample is a blend of the game's result and of the expected points that its score stands for. What a
//! score stands for is fitted first, since it differs from one evaluation to the next. The result depends on the
//! samples, their order and the seed, not on the number of threads: a batch is always learned in the same parts, whose
//! slopes are added in the same order.

mod descent;
mod model;
pub mod scale;
mod set;

use std::f64::consts::PI;
use std::thread;

pub use set::Set;

use self::descent::Descent;
use crate::chance::Random;
use crate::eval::network::Weights;
use crate::train::sample::Sample;

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
    /// What a network is called.
    pub name: String,
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

/// How far a fit is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Progress {
    /// A step of an epoch: samples learned, of how many.
    Step(usize, usize),
    /// An epoch is over.
    Epoch(Epoch),
}

/// A batch is learned in this many parts, whatever the number of threads.
const PARTS: usize = 8;
/// Rates end at this share of the first.
const LAST_RATE: f64 = 0.01;

/// Fits a network. `watch` hears of progress and may end it; then the network is what it has become so far.
#[must_use]
pub fn fit(set: &Set, recipe: &Recipe, watch: &mut dyn FnMut(Progress) -> bool) -> (Weights, f64) {
    let (scale, _) = scale::fit(&set.train);
    let mut parameters = model::start(recipe.seed);
    let mut descent = Descent::new(parameters.len());
    let mut slopes = vec![vec![0.0f32; model::PARAMETERS]; PARTS];
    let mut order: Vec<u32> = (0..u32::try_from(set.train.len()).unwrap_or(u32::MAX)).collect();
    let batch = recipe.batch.max(PARTS);
    let steps = (order.len().div_ceil(batch) * recipe.epochs as usize).max(1);
    let mut step = 0usize;
    let target = |sample: &Sample| target(sample, scale, recipe.blend);
    'fit: for number in 1..=recipe.epochs {
        Random::new(Random::mix(&[recipe.seed, number.into()])).shuffle(&mut order);
        let mut loss = 0.0;
        for (index, batch_order) in order.chunks(batch).enumerate() {
            loss += learn(&parameters, &mut slopes, &set.train, batch_order, &target, recipe.threads);
            let slope = gather(&mut slopes, batch_order.len());
            #[expect(clippy::cast_precision_loss, reason = "far fewer steps than a float holds")]
            let done = step as f64 / steps as f64;
            let rate = recipe.rate * (LAST_RATE + (1.0 - LAST_RATE) * (1.0 + (PI * done).cos()) / 2.0);
            #[expect(clippy::cast_possible_truncation, reason = "a rate")]
            descent.step(&mut parameters, slope, rate as f32, model::limit);
            step += 1;
            if !watch(Progress::Step((index * batch).min(order.len()), order.len())) {
                break 'fit;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let train = loss / order.len().max(1) as f64;
        let (held_out, results) = judge(&parameters, &set.held_out, &target);
        if !watch(Progress::Epoch(Epoch { number, train, held_out, results })) {
            break;
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "between 10 and 2000")]
    let weights = model::quantised(&parameters, scale.round() as i32, &recipe.name);
    (weights, scale)
}

#[expect(clippy::cast_possible_truncation, reason = "points")]
fn target(sample: &Sample, scale: f64, blend: f64) -> f32 {
    let score = scale::points(sample.score.into(), scale);
    (blend * f64::from(sample.label.points()) + (1.0 - blend) * score) as f32
}

/// Learns a batch, part by part; the slopes of each are left in its own row. Returns the loss.
fn learn(
    parameters: &[f32],
    slopes: &mut [Vec<f32>],
    samples: &[Sample],
    order: &[u32],
    target: &(impl Fn(&Sample) -> f32 + Sync),
    threads: usize,
) -> f64 {
    let part = order.len().div_ceil(PARTS).max(1);
    let mut jobs: Vec<(&mut Vec<f32>, &[u32], f64)> = slopes
        .iter_mut()
        .enumerate()
        .map(|(index, slope)| {
            let from = (index * part).min(order.len());
            (slope, &order[from..(from + part).min(order.len())], 0.0)
        })
        .collect();
    let each = PARTS.div_ceil(threads.clamp(1, PARTS));
    thread::scope(|scope| {
        for jobs in jobs.chunks_mut(each) {
            scope.spawn(move || {
                for (slope, order, loss) in jobs {
                    slope.fill(0.0);
                    for &index in *order {
                        let Some(sample) = samples.get(index as usize) else { continue };
                        *loss += f64::from(model::learn(parameters, sample, target(sample), slope));
                    }
                }
            });
        }
    });
    jobs.iter().map(|(_, _, loss)| loss).sum()
}

/// The mean slope of a batch, in the first row.
fn gather(slopes: &mut [Vec<f32>], samples: usize) -> &[f32] {
    let Some((first, rest)) = slopes.split_first_mut() else { return &[] };
    for row in rest {
        first.iter_mut().zip(row).for_each(|(sum, slope)| *sum += *slope);
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let share = 1.0 / samples.max(1) as f32;
    for slope in first.iter_mut() {
        *slope *= share;
    }
    first
}

/// Mean losses against targets and against results.
fn judge(parameters: &[f32], samples: &[Sample], target: &impl Fn(&Sample) -> f32) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for sample in samples {
        let expected = model::points(model::output(parameters, sample));
        sums.0 += f64::from(model::loss(expected, target(sample)));
        sums.1 += f64::from(model::loss(expected, sample.label.points()));
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let count = samples.len().max(1) as f64;
    (sums.0 / count, sums.1 / count)
}
