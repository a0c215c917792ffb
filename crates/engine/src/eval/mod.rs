//! Evaluation of positions without a search.
//!
//! [`Network`], the default, is trained; [`Classic`] is handcrafted. A [`Registry`](crate::Registry) can add
//! others. The weights of handcrafted evaluations can be changed ([`TermWeights`](crate::TermWeights)).
//!
//! # Units
//!
//! Values are in hundredths of a man. An evaluation may compute in finer units of its own, which are called raw:
//! [`Evaluation::evaluate`] converts raw values to hundredths of a man. Only the textbook searchers of the
//! laboratory compare raw values, so that rounding does not change their choices; a
//! [`Score`](crate::search::Score) of such a search contains raw values.

pub mod classic;
mod explain;
mod material;
pub mod network;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod weight_table;

pub use classic::Classic;
pub use explain::{EvalPart, Explanation, PieceValue};
pub(crate) use material::MAN;
pub use material::MaterialEvaluation;
pub use network::{EvalCache, Network, NetworkError};
pub(crate) use weight_table::MAX_WEIGHT;
pub use weight_table::{TermWeightsError, WeightTable};

use kelso_draughts::board::Position;

/// A static evaluation, which depends only on the position.
pub trait Evaluation: Send + Sync {
    /// Returns the value for the side to move, in hundredths of a man.
    ///
    /// A position and its [flip](Position::flipped) have the same value, except in some published
    /// evaluations.
    fn evaluate(&self, position: &Position) -> i32 {
        hundredths(self.raw_value(position), self.raw_man())
    }

    /// Like [`evaluate`](Self::evaluate), but faster in a search, whose positions are similar: reuses the
    /// sums and values in `cache`.
    #[inline]
    fn evaluate_incremental(&self, _cache: &mut EvalCache, position: &Position, _ply: usize) -> i32 {
        self.evaluate(position)
    }

    /// Returns the value for the side to move, in raw units.
    fn raw_value(&self, position: &Position) -> i32;

    /// Returns the value of a man in raw units.
    fn raw_man(&self) -> i32 {
        100
    }

    /// Returns the parts of the value of a position, if the evaluation reports them. The parts are rounded,
    /// so their sum may differ slightly from the value. This is slow.
    fn parts(&self, _position: &Position) -> Vec<EvalPart> {
        Vec::new()
    }
}

/// Maximum value of an evaluation; the minimum is its negative.
pub const LIMIT: i32 = 15_000;

/// Converts a raw value to hundredths of a man, at most [`LIMIT`].
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "clamped to the range of the type")]
pub fn hundredths(raw_value: i32, raw_man: i32) -> i32 {
    let scaled = i64::from(raw_value) * 100 / i64::from(raw_man.max(1));
    scaled.clamp((-LIMIT).into(), LIMIT.into()) as i32
}
