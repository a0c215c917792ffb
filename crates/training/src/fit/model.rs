//! What every form of an evaluation can do while it learns.

use std::fmt;

use super::descent::Descent;
use crate::sample::Sample;
use engine::eval::Learned;

/// A form of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Form {
    /// A network: [`engine::eval::network`].
    #[default]
    Network,
    /// Patterns: [`engine::eval::patterns`].
    Patterns,
    /// A network of several layers: [`engine::eval::deep`].
    Deep,
}

impl Form {
    /// Whether a fit can begin from weights of a form: its own, or one that it grows out of.
    #[must_use]
    pub fn begins_from(self, weights: Self) -> bool {
        self == weights || (self, weights) == (Self::Deep, Self::Network)
    }

    /// That of weights.
    #[must_use]
    pub const fn of(weights: &Learned) -> Self {
        match weights {
            Learned::Network(_) => Self::Network,
            Learned::Deep(_) => Self::Deep,
            Learned::Patterns(_) => Self::Patterns,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Network => "network",
            Self::Patterns => "patterns",
            Self::Deep => "deep",
        })
    }
}

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

/// An evaluation in floating point. Its parameters are kept elsewhere, together with what else has to be when a fit is put down.
pub(super) trait Model: fmt::Debug {
    /// One step down, by a batch. Returns the sum of the losses before.
    fn learn(&mut self, parameters: &mut [f32], descent: &mut Descent, batch: &Batch<'_>, rate: f32) -> f64;

    /// The output for a sample, before it becomes expected points.
    fn output(&self, parameters: &[f32], sample: &Sample) -> f32;

    /// The weights in whole numbers.
    fn weights(&self, parameters: &[f32], scale: i32, name: &str) -> Learned;
}
