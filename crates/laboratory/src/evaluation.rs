//! Static evaluations in units of their own.

use kelso_draughts::board::Position;
use kelso_engine::eval::{EvaluationKind, LIMIT};

/// A static evaluation, in units of its own.
pub trait Evaluation: Sync {
    /// Returns the value for the side to move.
    fn value(&self, position: &Position) -> i32;

    /// Returns the value of a man.
    fn man(&self) -> i32;
}

/// The engine's evaluations.
impl Evaluation for EvaluationKind {
    fn value(&self, position: &Position) -> i32 {
        self.evaluation().evaluate(position)
    }

    fn man(&self) -> i32 {
        100
    }
}

/// Converts a value to hundredths of a man.
pub(crate) fn hundredths(value: i32, man: i32) -> i32 {
    let scaled = i64::from(value) * 100 / i64::from(man.max(1));
    i32::try_from(scaled).unwrap_or(LIMIT).clamp(-LIMIT, LIMIT)
}
