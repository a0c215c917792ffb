//! What a match shows: estimates of a difference in strength, how sure they are, and when a test is decided.
//!
//! Everything is computed from counts alone, so that a report can be made again from any record of the games. Games of
//! one opening played with both colours are one observation (a pair): the opening's own bias cancels within it, and
//! the error bars shrink accordingly. That is the pentanomial model, used wherever complete pairs exist.

mod counts;
mod estimate;
mod normal;
mod sprt;

pub use counts::{Pairs, Wdl};
pub use estimate::{Estimate, Interval, elo_of_score, score_of_elo};
pub use sprt::{Decision, Model, Sprt, SprtError};

/// A count as a real number.
#[expect(clippy::cast_precision_loss, reason = "counts of games are far below 2^53")]
#[must_use]
pub fn real(count: u64) -> f64 {
    count as f64
}
