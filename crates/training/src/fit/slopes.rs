//! The slopes of a batch. It is learned in the same parts whatever the number of threads, and their slopes are added in
//! the same order, so that the result does not depend on the threads.

use std::thread;

use crate::sample::Sample;

/// A batch is learned in this many parts, whatever the number of threads.
pub(super) const PARTS: usize = 8;

/// Samples to learn from in one step.
pub(super) struct Batch<'a> {
    pub(super) samples: &'a [Sample],
    /// Which of them, in which order.
    pub(super) order: &'a [u32],
    pub(super) target: &'a (dyn Fn(&Sample) -> f32 + Sync),
    pub(super) threads: usize,
}

/// Numbers from a place on.
#[inline]
pub(super) fn row<const N: usize>(numbers: &[f32], at: usize) -> &[f32; N] {
    numbers.get(at..).and_then(|rest| rest.first_chunk()).unwrap_or(&[0.0; N])
}

/// Numbers from a place on, to be changed.
#[inline]
pub(super) fn row_mut<const N: usize>(numbers: &mut [f32], at: usize) -> Option<&mut [f32; N]> {
    numbers.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
}

/// The slopes of the parts of a batch, one row for each.
#[derive(Debug)]
pub(super) struct Slopes(Vec<Vec<f32>>);

impl Slopes {
    pub(super) fn new(parameters: usize) -> Self {
        Self(vec![vec![0.0; parameters]; PARTS])
    }

    /// Learns a batch: `learn` adds the slope of a sample's loss for a target to a row, and returns the loss. Returns the
    /// sum of the losses and the mean slope.
    pub(super) fn learn(
        &mut self,
        batch: &Batch<'_>,
        learn: &(dyn Fn(&Sample, f32, &mut [f32]) -> f32 + Sync),
    ) -> (f64, &[f32]) {
        let &Batch { samples, order, target, threads } = batch;
        let part = order.len().div_ceil(PARTS).max(1);
        let mut jobs: Vec<(&mut Vec<f32>, &[u32], f64)> = self
            .0
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
                            *loss += f64::from(learn(sample, target(sample), slope));
                        }
                    }
                });
            }
        });
        let loss = jobs.iter().map(|(_, _, loss)| loss).sum();
        (loss, self.mean(order.len()))
    }

    /// The mean slope of a batch, in the first row.
    fn mean(&mut self, samples: usize) -> &[f32] {
        let Some((first, rest)) = self.0.split_first_mut() else { return &[] };
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
}
