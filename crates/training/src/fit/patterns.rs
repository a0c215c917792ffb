//! Patterns while they learn: the same sums as [`engine::eval::patterns`], in floating point.
//!
//! Of nine million places most are never seen, so that only those are kept that some samples have ([`LEAST`]). A batch touches few
//! of them, and only those move. The order in which slopes are added is that of the samples, whatever the number of threads.

use std::thread;

use super::descent::Descent;
use super::model::{Batch, Model, PARTS};
use super::{loss, points};
use crate::sample::Sample;
use engine::eval::Learned;
use engine::eval::patterns::{self, Entry, FEATURES, ONE, Pieces, Weights};

/// A place that fewer samples have gets no weight of its own: what smaller patterns say of it is all that is known.
const LEAST: u8 = 3;
/// The greatest parameter that can still be written as a whole number.
const MOST: f32 = i16::MAX as f32 / ONE as f32;
/// The first steps get wider until this one. At first all slopes point the same way, and if the sixty weights of a
/// position moved at once by as much as they may, they would go much too far.
const WARM: f32 = 100.0;
/// No parameter belongs to a place.
const NONE: u32 = u32::MAX;
/// Pieces at the start, where only the opening counts.
const MOST_PIECES: f32 = 24.0;

/// Patterns that learn. Each place has two parameters, one after the other: for the opening and for the ending.
#[derive(Debug)]
pub(super) struct Patterns {
    /// The number of each place among those that are kept.
    numbers: Vec<u32>,
    /// The places that are kept.
    places: Vec<u32>,
    /// Slopes of a batch, zero in between.
    slopes: Vec<f32>,
    parts: Vec<Part>,
}

/// What a part of a batch came to.
#[derive(Default, Debug)]
struct Part {
    /// Of one sample after the other, the numbers of its places and how often each counts.
    active: Vec<(u32, f32)>,
    /// By sample: how many of these it has, and the slopes of the opening and of the ending.
    samples: Vec<(usize, [f32; 2])>,
    loss: f64,
}

fn pieces(sample: &Sample) -> Pieces {
    let &Sample { own, other, kings, .. } = sample;
    Pieces {
        own_men: own & !kings,
        other_men: other & !kings,
        own_kings: own & kings,
        other_kings: other & kings,
    }
}

/// How much the opening and the ending count.
#[expect(clippy::cast_precision_loss, reason = "at most 24")]
fn phases(sample: &Sample) -> [f32; 2] {
    let opening = sample.pieces() as f32 / MOST_PIECES;
    [opening, 1.0 - opening]
}

/// How many samples have each place, as far as a byte counts.
fn counts(samples: &[Sample], threads: usize) -> Vec<u8> {
    let part = samples.len().div_ceil(threads.clamp(1, PARTS)).max(1);
    let count = |samples: &[Sample]| {
        let mut counts = vec![0u8; FEATURES];
        for sample in samples {
            patterns::features(pieces(sample), |place, _| {
                if let Some(count) = counts.get_mut(place) {
                    *count = count.saturating_add(1);
                }
            });
        }
        counts
    };
    let parts: Vec<Vec<u8>> = thread::scope(|scope| {
        let parts: Vec<_> = samples.chunks(part).map(|samples| scope.spawn(move || count(samples))).collect();
        parts.into_iter().map(|part| part.join().unwrap_or_default()).collect()
    });
    let mut sums = vec![0u8; FEATURES];
    for part in parts {
        sums.iter_mut().zip(part).for_each(|(sum, count)| *sum = sum.saturating_add(count));
    }
    sums
}

impl Patterns {
    /// Patterns for samples, with the parameters to begin from: those of weights, else nothing.
    pub(super) fn new(samples: &[Sample], from: &[Entry], threads: usize) -> (Self, Vec<f32>) {
        let mut counts = counts(samples, threads);
        for entry in from {
            if let Some(count) = counts.get_mut(entry.index as usize) {
                *count = LEAST;
            }
        }
        let mut places = Vec::new();
        let mut numbers = vec![NONE; FEATURES];
        for ((place, number), count) in (0..).zip(&mut numbers).zip(counts) {
            if count >= LEAST {
                *number = u32::try_from(places.len()).unwrap_or(NONE);
                places.push(place);
            }
        }
        let mut parameters = vec![0.0; 2 * places.len()];
        for entry in from {
            let number = numbers.get(entry.index as usize).map_or(usize::MAX, |&number| number as usize);
            for (parameter, weight) in parameters.iter_mut().skip(number.saturating_mul(2)).zip(entry.pair) {
                *parameter = f32::from(weight) / f32::from(ONE);
            }
        }
        let parts = (0..PARTS).map(|_| Part::default()).collect();
        (Self { slopes: vec![0.0; parameters.len()], numbers, places, parts }, parameters)
    }

    /// The places of a sample that are kept, by number, with how often each counts.
    fn active(&self, sample: &Sample, mut tell: impl FnMut(u32, f32)) {
        patterns::features(pieces(sample), |place, times| {
            if let Some(&number) = self.numbers.get(place).filter(|&&number| number != NONE) {
                #[expect(clippy::cast_precision_loss, reason = "a small number")]
                tell(number, times as f32);
            }
        });
    }

    /// The output and the slopes of samples, which nothing else depends on yet.
    fn look(&self, parameters: &[f32], batch: &Batch<'_>, order: &[u32], part: &mut Part) {
        part.active.clear();
        part.samples.clear();
        part.loss = 0.0;
        for &index in order {
            let Some(sample) = batch.samples.get(index as usize) else { continue };
            let before = part.active.len();
            let mut sums = [0.0f32; 2];
            self.active(sample, |number, times| {
                part.active.push((number, times));
                let at = 2 * number as usize;
                for (sum, parameter) in sums.iter_mut().zip(parameters.get(at..at + 2).unwrap_or_default()) {
                    *sum += parameter * times;
                }
            });
            let [opening, ending] = phases(sample);
            let expected = points(sums[0] * opening + sums[1] * ending);
            let target = (batch.target)(sample);
            let error = expected - target;
            part.loss += f64::from(loss(expected, target));
            part.samples.push((part.active.len() - before, [error * opening, error * ending]));
        }
    }
}

impl Model for Patterns {
    fn learn(&mut self, parameters: &mut [f32], descent: &mut Descent, batch: &Batch<'_>, rate: f32) -> f64 {
        let mut parts = std::mem::take(&mut self.parts);
        let size = batch.order.len().div_ceil(PARTS).max(1);
        let each = PARTS.div_ceil(batch.threads.clamp(1, PARTS));
        let mut jobs: Vec<(&mut Part, &[u32])> =
            parts.iter_mut().zip(batch.order.chunks(size).chain(std::iter::repeat(&[][..]))).collect();
        thread::scope(|scope| {
            let (this, parameters) = (&*self, &*parameters);
            for jobs in jobs.chunks_mut(each) {
                scope.spawn(move || {
                    for (part, order) in jobs {
                        this.look(parameters, batch, order, part);
                    }
                });
            }
        });
        descent.steps += 1;
        #[expect(clippy::cast_precision_loss, reason = "far fewer steps than a float holds")]
        let rate = rate * (descent.steps as f32 / WARM).min(1.0);
        let mut touched = Vec::new();
        for part in &parts {
            let mut active = part.active.iter();
            for &(count, slopes) in &part.samples {
                for &(number, times) in active.by_ref().take(count) {
                    let at = 2 * number as usize;
                    let Some(sums) = self.slopes.get_mut(at..at + 2) else { continue };
                    // A sum may come back to nothing; then the place is moved twice, the second time by nothing.
                    if sums.iter().all(|&sum| sum == 0.0) {
                        touched.push(at);
                    }
                    sums.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope * times);
                }
            }
        }
        for index in touched.into_iter().flat_map(|at| [at, at + 1]) {
            if let Some(slope) = self.slopes.get_mut(index) {
                descent.nudge(parameters, index, std::mem::take(slope), rate, MOST);
            }
        }
        let loss = parts.iter().map(|part| part.loss).sum();
        self.parts = parts;
        loss
    }

    fn output(&self, parameters: &[f32], sample: &Sample) -> f32 {
        let mut output = 0.0;
        let phases = phases(sample);
        self.active(sample, |number, times| {
            let at = 2 * number as usize;
            for (parameter, phase) in parameters.get(at..at + 2).unwrap_or_default().iter().zip(phases) {
                output += parameter * phase * times;
            }
        });
        output
    }

    fn weights(&self, parameters: &[f32], scale: i32, name: &str) -> Learned {
        #[expect(clippy::cast_possible_truncation, reason = "clamped before")]
        let whole = |parameter: f32| (parameter.clamp(-MOST, MOST) * f32::from(ONE)).round() as i16;
        let pairs = parameters.as_chunks::<2>().0.iter().map(|pair| pair.map(whole));
        let entries = self.places.iter().zip(pairs).map(|(&index, pair)| Entry { index, pair });
        let entries = entries.filter(|entry| entry.pair != [0; 2]).collect();
        Learned::Patterns(Weights { name: name.to_owned(), scale, entries })
    }
}
