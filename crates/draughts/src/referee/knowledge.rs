//! What is known for certain about how a game ends.

use super::result::GameResult;
use crate::board::Position;
use crate::egdb::Databases;

/// Something that knows endgames for certain.
pub trait Oracle: Send + Sync {
    /// How a position ends with best play, if it is known.
    fn result(&self, position: &Position) -> Option<GameResult>;
}

impl Oracle for Databases {
    fn result(&self, position: &Position) -> Option<GameResult> {
        if !self.covers(position.piece_count()) {
            return None;
        }
        self.probe(position).map(|value| GameResult::of(value, position.side()))
    }
}
