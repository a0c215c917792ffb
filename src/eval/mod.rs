//! What a position is worth when nothing more is searched.

mod classic;
mod material;

pub use classic::Classic;
pub use material::Material;

use crate::board::Position;

/// Judges positions. An evaluation sees the position alone: no clock, no history, no search.
pub trait Evaluate: Sync {
    /// The value for the side to move, in hundredths of a man.
    ///
    /// A position and its [flip](Position::flipped) have the same value.
    fn evaluate(&self, position: &Position) -> i32;
}

/// The largest value that an evaluation may return, and its negative the smallest; beyond are proved results.
pub const LIMIT: i32 = 15_000;
