//! The gradient of a batch, and the steps of the Adam optimiser (Kingma and Ba, 2014) along it.
//!
//! A batch is always divided into the same parts, whose gradients are added in the same order, so the result
//! does not depend on the number of threads.

use crate::sample::TrainingSample;
use kelso_batch::pool::in_parts;

/// Number of parts in a batch.
pub(super) const PARTS: usize = 8;

/// Returns `N` numbers starting at an index.
#[inline]
#[expect(clippy::expect_used, reason = "the layout of the parameters has as many")]
pub(super) fn row<const N: usize>(numbers: &[f32], at: usize) -> &[f32; N] {
    numbers[at..].first_chunk().expect("a row within the parameters")
}

/// Returns `N` numbers starting at an index, mutably.
#[inline]
#[expect(clippy::expect_used, reason = "as above")]
pub(super) fn row_mut<const N: usize>(numbers: &mut [f32], at: usize) -> &mut [f32; N] {
    numbers[at..].first_chunk_mut().expect("a row within the parameters")
}

/// Returns the total loss and the mean gradient of a batch, given as sample indices. `learn` adds the
/// gradient of a sample's loss to a slice of `size` numbers and returns the loss.
#[expect(clippy::expect_used, reason = "the work is never stopped")]
pub(super) fn mean_gradient(
    size: usize,
    samples: &[TrainingSample],
    batch: &[u32],
    threads: usize,
    learn: &(dyn Fn(&TrainingSample, &mut [f32]) -> f64 + Sync),
) -> (f64, Vec<f32>) {
    let learn_part = |part: &[u32]| {
        let mut gradient = vec![0.0; size];
        let samples = part.iter().map(|&index| &samples[index as usize]);
        let losses = samples.map(|sample| learn(sample, &mut gradient));
        (losses.sum::<f64>(), gradient)
    };
    let parts = in_parts(batch, PARTS, threads, learn_part, &|_| true).expect("all parts are done");
    let mut loss = 0.0;
    let mut mean = vec![0.0; size];
    for (part_loss, gradient) in parts {
        loss += part_loss;
        mean.iter_mut().zip(gradient).for_each(|(sum, gradient)| *sum += gradient);
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let share = 1.0 / batch.len().max(1) as f32;
    for gradient in &mut mean {
        *gradient *= share;
    }
    (loss, mean)
}

#[derive(Debug)]
pub(super) struct Adam {
    /// The mean gradient of each parameter.
    means: Vec<f32>,
    /// The mean squared gradient of each parameter.
    squares: Vec<f32>,
    steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Adam {
    pub(super) fn new(parameters: usize) -> Self {
        Self { means: vec![0.0; parameters], squares: vec![0.0; parameters], steps: 0 }
    }

    pub(super) fn step(
        &mut self,
        parameters: &mut [f32],
        gradient: &[f32],
        rate: f32,
        limit: impl Fn(usize) -> f32,
    ) {
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE_DECAY.powi(self.steps)).sqrt() / (1.0 - MEAN_DECAY.powi(self.steps));
        for (index, ((parameter, &gradient), (mean, square))) in
            parameters.iter_mut().zip(gradient).zip(self.means.iter_mut().zip(&mut self.squares)).enumerate()
        {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
            let max = limit(index);
            *parameter = (*parameter - rate * *mean / (square.sqrt() + EPSILON)).clamp(-max, max);
        }
    }
}
