//! Exact results of positions.

use super::result::GameResult;
use crate::board::Position;

/// A source of exact results, such as endgame databases.
pub trait Oracle: Send + Sync {
    /// Returns the result of a position with best play, if it is known.
    fn result(&self, position: &Position) -> Option<GameResult>;
}
