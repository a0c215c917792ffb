//! Quiescence search. In the middle of an exchange, a static evaluation counts pieces that are about to be
//! captured. Therefore a line that reaches its depth while a capture is available is extended.
//!
//! The rule is Peterson's: while a capture is available at the last ply, search one more ply. Captures are
//! compulsory, so these plies have few moves. Each capture removes a piece, which bounds the extension.
//!
//! The paper could also mean that a line is extended if its last move was a capture. With that reading, Table
//! 1 would show half as many beta cutoffs as published; with ours, it shows about as many.

use super::Textbook;
use kelso_draughts::board::Position;

impl Textbook<'_> {
    /// Returns the depth to which to search a position, given its depth without quiescence.
    #[inline]
    pub(super) fn quiet_depth(&self, position: &Position, depth: usize) -> usize {
        if depth == 0 && self.config.quiescence && position.must_capture() { 1 } else { depth }
    }
}
