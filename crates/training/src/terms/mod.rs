//! Fitting the weights of the hand-made evaluation by logistic regression.
//!
//! The expected points of a position are a logistic function of the sum of its terms, each with an early and a late
//! weight ([`engine::eval::classic`]); the target is the same blend of result and score as for a network
//! ([`crate::fit`]). The problem is convex, so there is one best answer and chance has no part in it. It is found by
//! Newton's steps: slopes from all samples, curvature from some of them. Weights that hardly occur are kept near 0 by a
//! ridge.
//!
//! Sums are made in parts that don't depend on the number of threads, so that the answer doesn't either.

mod solve;
#[cfg(test)]
mod tests;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use self::solve::Symmetric;
use crate::fit::{Set, scale};
use crate::sample::Sample;
use draughts::board::Bitboard;
use engine::Catalog;
use engine::eval::TermWeights;
use engine::eval::classic::{Classic, TermCounts};

/// How to fit.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The weight of the game's result in the target, from 0 to 1; the rest is the score's.
    pub blend: f64,
    /// How firmly weights are held near 0: as if so many positions spoke for that.
    pub ridge: f64,
    /// The most steps.
    pub steps: u32,
    /// What a hundredth of a man is: the constant that divides values to give the logarithm of the odds. None for the
    /// one by which the samples' scores predict their results best.
    pub scale: Option<f64>,
    /// Terms whose weights stay 0, by name or by the beginning of names that ends in `-`.
    pub without: Vec<String>,
    /// How many threads.
    pub threads: usize,
}

/// What a step came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Its number, from 1; 0 for the start.
    pub number: u32,
    /// Mean loss on the samples that it learned from, against their targets.
    pub train: f64,
    /// The same on those held out.
    pub held_out: f64,
    /// The loss on those held out against the results of their games.
    pub results: f64,
}

/// Parts of a sum.
const PARTS: usize = 64;
/// Samples that are asked for the curvature.
const CURVATURE: usize = 200_000;
/// A step that lowers the loss by less is the last.
const ENOUGH: f64 = 1e-7;
/// A value in the sheet is in thousandths of a man, ten to a hundredth.
const UNITS: f64 = 10.0;

/// A regression under way.
#[derive(Debug)]
pub struct Regression<'a> {
    set: &'a Set,
    recipe: Recipe,
    sheet: TermWeights,
    /// The constant by which scores predict results.
    scores: f64,
    /// Whether a weight stays 0.
    fixed: Vec<bool>,
    parameters: Vec<f64>,
    last: Option<Step>,
    done: bool,
}

/// What a pass over samples adds up.
#[derive(Clone, Default)]
struct Sums {
    loss: f64,
    results: f64,
    slopes: Vec<f64>,
    curvature: Option<Symmetric>,
}

/// What is asked of a pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    Loss,
    Slopes,
    Curvature,
}

/// What hears how many samples of a pass are done, and may end it.
pub type Watch<'a> = &'a (dyn Fn(usize) -> bool + Sync);

/// A sample's terms that aren't 0, with what they are multiplied by.
fn terms(sample: &Sample, mut tell: impl FnMut(usize, f64)) {
    let side = |set: u32| (Bitboard(set & !sample.kings), Bitboard(set & sample.kings));
    let counts = TermCounts::of(side(sample.own), side(sample.other));
    let early = f64::from(counts.early);
    for (term, &difference) in
        counts.differences.iter().enumerate().filter(|(_, difference)| **difference != 0)
    {
        tell(2 * term, f64::from(difference) * early);
        tell(2 * term + 1, f64::from(difference) * (1.0 - early));
    }
}

fn loss(expected: f64, target: f64) -> f64 {
    let expected = expected.clamp(1e-9, 1.0 - 1e-9);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

#[expect(clippy::cast_precision_loss, reason = "a mean")]
fn mean(sum: f64, count: usize) -> f64 {
    sum / count.max(1) as f64
}

impl<'a> Regression<'a> {
    /// Begins, with all weights 0.
    ///
    /// # Errors
    ///
    /// The name of a term to leave out that there isn't.
    pub fn new(set: &'a Set, recipe: &Recipe) -> Result<Self, String> {
        let sheet = Catalog::default().published_weights("classic").ok_or("classic")?;
        let is_meant = |name: &str, without: &str| {
            name == without || without.ends_with('-') && name.starts_with(without)
        };
        for without in &recipe.without {
            if !sheet.rows().any(|(name, _)| is_meant(name, without)) {
                return Err(without.clone());
            }
        }
        let is_fixed = |name: &str| recipe.without.iter().any(|without| is_meant(name, without));
        let fixed =
            sheet.rows().flat_map(|(name, values)| values.iter().map(move |_| is_fixed(name))).collect();
        let (scores, _) = scale::fit(&set.train);
        Ok(Self {
            set,
            scores,
            fixed,
            parameters: vec![0.0; sheet.values().len()],
            sheet,
            recipe: recipe.clone(),
            last: None,
            done: false,
        })
    }

    /// The constant by which the scores predict results best.
    #[must_use]
    pub const fn scores(&self) -> f64 {
        self.scores
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done || self.last.is_some_and(|step| step.number >= self.recipe.steps)
    }

    /// The loss at the start.
    pub fn start(&mut self, watch: Watch<'_>) -> Option<Step> {
        let step = self.judge(&self.parameters, 0, watch)?;
        self.last = Some(step);
        Some(step)
    }

    /// One step. None if it was interrupted; then all is as before.
    pub fn step(&mut self, watch: Watch<'_>) -> Option<Step> {
        let last = match self.last {
            Some(last) => last,
            None => self.start(watch)?,
        };
        let train = &self.set.train;
        let sums = self.pass(train, 1, Ask::Slopes, &self.parameters, watch)?;
        let every = train.len().div_ceil(CURVATURE).max(1);
        let some = self.pass(train, every, Ask::Curvature, &self.parameters, watch)?;
        let size = self.parameters.len();
        let ridge = mean(self.recipe.ridge, train.len());
        let mut curvature = Symmetric::zero(size);
        if let Some(sum) = &some.curvature {
            curvature.add_all(sum, mean(1.0, train.len().div_ceil(every)));
        }
        (0..size).for_each(|index| curvature.add(index, index, ridge));
        let slopes: Vec<f64> = sums
            .slopes
            .iter()
            .zip(&self.parameters)
            .map(|(slope, parameter)| mean(*slope, train.len()) + ridge * parameter)
            .collect();
        let change = curvature.solve(&slopes).unwrap_or_else(|| vec![0.0; size]);
        // Newton's step is nearly always right; where it goes too far, half of it or a quarter isn't.
        let mut share = 1.0;
        for _ in 0..6 {
            let parameters: Vec<f64> = self
                .parameters
                .iter()
                .zip(&change)
                .map(|(parameter, change)| parameter - share * change)
                .collect();
            let step = self.judge(&parameters, last.number + 1, watch)?;
            if step.train <= last.train {
                self.done = last.train - step.train < ENOUGH;
                self.parameters = parameters;
                self.last = Some(step);
                return Some(step);
            }
            share /= 2.0;
        }
        self.done = true;
        Some(Step { number: last.number + 1, ..last })
    }

    fn judge(&self, parameters: &[f64], number: u32, watch: Watch<'_>) -> Option<Step> {
        let Set { train, held_out } = self.set;
        let learned = self.pass(train, 1, Ask::Loss, parameters, watch)?;
        let held = self.pass(held_out, 1, Ask::Loss, parameters, watch)?;
        Some(Step {
            number,
            train: mean(learned.loss, train.len()),
            held_out: mean(held.loss, held_out.len()),
            results: mean(held.results, held_out.len()),
        })
    }

    /// Adds up over every so manieth sample.
    fn pass(
        &self,
        samples: &[Sample],
        every: usize,
        ask: Ask,
        parameters: &[f64],
        watch: Watch<'_>,
    ) -> Option<Sums> {
        let chunk = samples.len().div_ceil(PARTS).max(1);
        let chunks: Vec<&[Sample]> = samples.chunks(chunk).collect();
        let results: Vec<Mutex<Option<Sums>>> = chunks.iter().map(|_| Mutex::new(None)).collect();
        let (next, done, stopped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            for _ in 0..self.recipe.threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let (Some(part), Some(result)) = (chunks.get(index), results.get(index)) else {
                            return;
                        };
                        let sums = self.add_up(part, every, ask, parameters);
                        if let Ok(mut result) = result.lock() {
                            *result = Some(sums);
                        }
                        if !watch(done.fetch_add(part.len(), Ordering::Relaxed) + part.len()) {
                            stopped.store(true, Ordering::Relaxed);
                        }
                        if stopped.load(Ordering::Relaxed) {
                            return;
                        }
                    }
                });
            }
        });
        if stopped.into_inner() {
            return None;
        }
        let size = parameters.len();
        let mut all = Sums { slopes: vec![0.0; size], ..Sums::default() };
        for result in results {
            let Some(sums) = result.into_inner().ok().flatten() else { continue };
            all.loss += sums.loss;
            all.results += sums.results;
            all.slopes.iter_mut().zip(&sums.slopes).for_each(|(sum, slope)| *sum += slope);
            if let Some(curvature) = &sums.curvature {
                all.curvature.get_or_insert_with(|| Symmetric::zero(size)).add_all(curvature, 1.0);
            }
        }
        Some(all)
    }

    fn add_up(&self, samples: &[Sample], every: usize, ask: Ask, parameters: &[f64]) -> Sums {
        let size = parameters.len();
        let mut sums = Sums {
            slopes: if ask == Ask::Slopes { vec![0.0; size] } else { Vec::new() },
            curvature: (ask == Ask::Curvature).then(|| Symmetric::zero(size)),
            ..Sums::default()
        };
        let mut present: Vec<(usize, f64)> = Vec::new();
        for sample in samples.iter().step_by(every) {
            present.clear();
            terms(sample, |index, factor| {
                if self.fixed.get(index) == Some(&false) {
                    present.push((index, factor));
                }
            });
            let sum: f64 = present
                .iter()
                .map(|&(index, factor)| factor * parameters.get(index).copied().unwrap_or_default())
                .sum();
            let expected = 1.0 / (1.0 + (-sum).exp());
            let result = f64::from(sample.label.points());
            let score = scale::points(sample.score.into(), self.scores);
            let target = self.recipe.blend * result + (1.0 - self.recipe.blend) * score;
            sums.loss += loss(expected, target);
            sums.results += loss(expected, result);
            if ask == Ask::Slopes {
                for &(index, factor) in &present {
                    if let Some(slope) = sums.slopes.get_mut(index) {
                        *slope += (expected - target) * factor;
                    }
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

    /// The weights as they are now, in whole thousandths of a man.
    #[must_use]
    pub fn sheet(&self) -> TermWeights {
        let factor = UNITS * self.recipe.scale.unwrap_or(self.scores);
        #[expect(clippy::cast_possible_truncation, reason = "kept in range by the sheet")]
        let values: Vec<i32> =
            self.parameters.iter().map(|parameter| (parameter * factor).round() as i32).collect();
        self.sheet.with(&values)
    }

    /// The evaluation as it is now.
    #[must_use]
    pub fn evaluation(&self) -> Classic {
        Classic::new(self.sheet().values())
    }
}
