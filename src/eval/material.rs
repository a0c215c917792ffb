//! Pieces alone, for teaching and as the yardstick for everything better.

use super::Evaluate;
use crate::board::Position;

/// A man is 100, a king 150.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Material;

impl Evaluate for Material {
    fn evaluate(&self, position: &Position) -> i32 {
        let count = |color| {
            position.men(color).len().cast_signed() * 100 + position.kings(color).len().cast_signed() * 150
        };
        count(position.side()) - count(!position.side())
    }
}
