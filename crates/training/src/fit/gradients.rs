//! The gradient of a batch, and the steps of the Adam optimiser (Kingma and Ba, 2014) along it.
//!
//! A gradient is computed in the same parts with any number of threads, and their gradients are added in the same order, so that
//! the result does not depend on the threads.

use std::thread;

use crate::sample::Sample;

/// Number of parts of a batch.
pub(super) const PARTS: usize = 8;

/// Returns `N` numbers from an index.
#[inline]
pub(super) fn row<const N: usize>(numbers: &[f32], at: usize) -> &[f32; N] {
    numbers.get(at..).and_then(|rest| rest.first_chunk()).unwrap_or(&[0.0; N])
}

/// Numbers from a place on, to be changed.
#[inline]
pub(super) fn row_mut<const N: usize>(numbers: &mut [f32], at: usize) -> Option<&mut [f32; N]> {
    numbers.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
}

/// The gradients of the parts of a batch.
#[derive(Debug)]
pub(super) struct Gradients(Vec<Vec<f32>>);

impl Gradients {
    pub(super) fn new(parameters: usize) -> Self {
        Self(vec![vec![0.0; parameters]; PARTS])
    }

    /// Computes the gradient of the samples with the indices of a batch: `learn` adds the gradient of the loss of a sample to
    /// a row, and returns the loss. Returns the sum of the losses and the mean gradient.
    pub(super) fn learn(
        &mut self,
        samples: &[Sample],
        order: &[u32],
        threads: usize,
        learn: &(dyn Fn(&Sample, &mut [f32]) -> f32 + Sync),
    ) -> (f64, &[f32]) {
        let part = order.len().div_ceil(PARTS).max(1);
        let mut jobs: Vec<(&mut Vec<f32>, &[u32], f64)> = self
            .0
            .iter_mut()
            .enumerate()
            .map(|(index, gradient)| {
                let from = (index * part).min(order.len());
                (gradient, &order[from..(from + part).min(order.len())], 0.0)
            })
            .collect();
        let each = PARTS.div_ceil(threads.clamp(1, PARTS));
        thread::scope(|scope| {
            for jobs in jobs.chunks_mut(each) {
                scope.spawn(move || {
                    for (gradient, order, loss) in jobs {
                        gradient.fill(0.0);
                        for &index in *order {
                            let Some(sample) = samples.get(index as usize) else { continue };
                            *loss += f64::from(learn(sample, gradient));
                        }
                    }
                });
            }
        });
        let loss = jobs.iter().map(|(_, _, loss)| loss).sum();
        (loss, self.mean(order.len()))
    }

    /// Computes the mean gradient, in the first row.
    fn mean(&mut self, samples: usize) -> &[f32] {
        let Some((first, rest)) = self.0.split_first_mut() else { return &[] };
        for row in rest {
            first.iter_mut().zip(row).for_each(|(sum, gradient)| *sum += *gradient);
        }
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let share = 1.0 / samples.max(1) as f32;
        for gradient in first.iter_mut() {
            *gradient *= share;
        }
        first
    }
}

#[derive(Debug)]
pub(super) struct Adam {
    /// The mean gradient of each parameter.
    means: Vec<f32>,
    /// The mean squared gradient of each parameter.
    squares: Vec<f32>,
    steps: i32,
}

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;

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
        let rate = rate * (1.0 - SQUARE.powi(self.steps)).sqrt() / (1.0 - MEAN.powi(self.steps));
        for (index, ((parameter, &gradient), (mean, square))) in
            parameters.iter_mut().zip(gradient).zip(self.means.iter_mut().zip(&mut self.squares)).enumerate()
        {
            *mean = MEAN * *mean + (1.0 - MEAN) * gradient;
            *square = SQUARE * *square + (1.0 - SQUARE) * gradient * gradient;
            let most = limit(index);
            *parameter = (*parameter - rate * *mean / (square.sqrt() + TINY)).clamp(-most, most);
        }
    }
}
