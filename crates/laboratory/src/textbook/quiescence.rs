//! The ends of lines. In the middle of an exchange an evaluation counts a piece that is about to be captured, so a line
//! whose depth runs out while a capture is due is extended.
//!
//! The rule is Peterson's: if a capture is due at the last ply, search one ply more, until no capture is due. Captures
//! are compulsory, so these plies have few moves, and each removes a piece, so that they end.
//!
//! The paper could also mean that the last move was a capture. The counts decide: by that reading Table 1 would have half
//! as many beta cuts as published, by this one it has about as many.

use super::Textbook;
use draughts::board::Position;

impl Textbook<'_> {
    /// Returns the depth to which a position is searched, when without quiescence it would be `depth`.
    #[inline]
    pub(super) fn quiet_depth(&self, position: &Position, depth: usize) -> usize {
        if depth == 0 && self.config.quiescence && position.must_capture() { 1 } else { depth }
    }
}
