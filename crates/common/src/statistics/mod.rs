//! Statistics of matches: estimates of a difference in strength with their errors, and the SPRT. Beside them, the area under
//! the ROC curve for evaluations.
//!
//! All are computed from counts of results. Two games on one opening with exchanged colours are one observation, a pair: the
//! bias of the opening cancels in it, so that the error is smaller. This is the pentanomial model, which is used if there are
//! complete pairs.

mod auc;
mod counts;
mod estimate;
mod normal;
mod sprt;

pub use auc::auc;
pub use counts::{Pairs, Wdl};
pub use estimate::{Estimate, Interval, elo_of_score, score_of_elo};
pub use sprt::{Decision, Model, Sprt, SprtError};

/// Converts a count to a real number.
#[expect(clippy::cast_precision_loss, reason = "counts of games are far below 2^53")]
pub fn real(count: u64) -> f64 {
    count as f64
}
