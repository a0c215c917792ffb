//! Evaluation of positions without a search.
//!
//! [`Network`] is learned and plays by default; [`Classic`] is made by hand and played the first games to learn from. A
//! [`Catalog`](crate::Catalog) may add others. The weights of hand-made evaluations can be changed ([`TermWeights`]).

pub mod classic;
mod explain;
mod material;
pub mod network;
mod part;
pub mod steps;
mod term_weights;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod view;
mod weight_table;

pub use classic::Classic;
pub use explain::{Explanation, PieceValue};
pub use material::Material;
pub use network::{Accumulators, Network, NetworkError};
pub use part::Part;
pub use term_weights::TermWeights;
pub use weight_table::{TermWeightsError, WeightTable};

use draughts::board::Position;

/// Judges positions. An evaluation sees the position alone: no clock, no history, no search.
pub trait Evaluate: Send + Sync {
    /// Returns the value for the side to move, in hundredths of a man.
    ///
    /// A position and its [flip](Position::flipped) have the same value, except by a published evaluation that says
    /// otherwise.
    fn evaluate(&self, position: &Position) -> i32 {
        hundredths(self.value(position), self.man())
    }

    /// Returns the same value, for a search that evaluates one position after the other: cached sums in `memory` may
    /// make it quicker.
    #[inline]
    fn evaluate_incremental(&self, _memory: &mut Accumulators, position: &Position, _ply: usize) -> i32 {
        self.evaluate(position)
    }

    /// Returns the value in the evaluation's own units, as its author published it. The textbook searchers compare
    /// these, so that no term is lost by rounding.
    fn value(&self, position: &Position) -> i32;

    /// Returns the value of a man in the evaluation's own units, to show values in hundredths of a man.
    fn man(&self) -> i32 {
        100
    }

    /// Returns the parts of the value of a position, as far as the evaluation reports them: rounded, so that the sum
    /// may be off by a little. Slow, for people.
    fn parts(&self, _position: &Position) -> Vec<Part> {
        Vec::new()
    }
}

/// The largest value that an evaluation may return, and its negative the smallest; beyond are proved results.
pub const LIMIT: i32 = 15_000;

/// Returns a value in hundredths of a man, given a man's worth in the same units.
#[must_use]
pub fn hundredths(value: i32, man: i32) -> i32 {
    let scaled = i64::from(value) * 100 / i64::from(man.max(1));
    // Searches add margins to it.
    i32::try_from(scaled.clamp(-1_000_000_000, 1_000_000_000)).unwrap_or(0)
}
