//! What is known for certain about how a game ends.

use super::result::GameResult;
use crate::board::Position;

/// Something that knows endgames for certain.
pub trait Oracle: Send + Sync {
    /// How a position ends with best play, if it is known.
    fn result(&self, position: &Position) -> Option<GameResult>;
}
