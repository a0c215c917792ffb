//! Evaluation of positions without a search.
//!
//! [`Network`], the default, is trained; [`Classic`] is handcrafted. A [`Registry`](crate::Registry) can add
//! others. The weights of handcrafted evaluations can be changed ([`TermWeights`](crate::TermWeights)).

pub mod classic;
mod explain;
mod material;
pub mod network;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod weight_table;

pub use classic::Classic;
pub use explain::{EvalPart, Explanation, PieceValue};
pub use material::MaterialEvaluation;
pub use network::{Accumulators, Network, NetworkError};
pub(crate) use weight_table::MAX_WEIGHT;
pub use weight_table::{TermWeightsError, WeightTable};

use draughts::board::Position;

/// A static evaluation, which depends only on the position.
pub trait Evaluate: Send + Sync {
    /// Returns the value for the side to move, in hundredths of a man.
    ///
    /// A position and its [flip](Position::flipped) have the same value, except in some published
    /// evaluations.
    fn evaluate(&self, position: &Position) -> i32 {
        hundredths(self.value(position), self.man())
    }

    /// Like [`evaluate`](Self::evaluate), but faster in a search, whose positions are similar: reuses the
    /// sums and values in `cache`.
    #[inline]
    fn evaluate_incremental(&self, _cache: &mut Accumulators, position: &Position, _ply: usize) -> i32 {
        self.evaluate(position)
    }

    /// Returns the value in the evaluation's own units, which the textbook searchers compare without
    /// rounding.
    fn value(&self, position: &Position) -> i32;

    /// Returns the value of a man in the evaluation's own units.
    fn man(&self) -> i32 {
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

/// Converts a value to hundredths of a man, given the value of a man in the same units. The result is at most
/// [`LIMIT`].
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "clamped to the range of the type")]
pub fn hundredths(value: i32, man: i32) -> i32 {
    let scaled = i64::from(value) * 100 / i64::from(man.max(1));
    scaled.clamp((-LIMIT).into(), LIMIT.into()) as i32
}
