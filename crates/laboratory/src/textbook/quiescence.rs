//! Where a line may end. An evaluation in the middle of an exchange counts a piece that is about to be taken, so a line
//! that runs out of depth where a capture is due is worth a look further.
//!
//! The rule is Peterson's: when the depth runs out on a capture, search one ply more, and again until nothing can be
//! taken. Captures are compulsory, so these plies have few moves, and each takes a piece off the board, so they end.
//!
//! The paper's words could also mean that the last move was a capture. Its counts decide: with that reading
//! Table 1 would have half as many beta cuts as it has, with this one it has about as many.

use super::Textbook;
use draughts::board::Position;

impl Textbook<'_> {
    /// Returns the depth to which a position is searched, when without quiescence it would be `depth`.
    #[inline]
    pub(super) fn quiet_depth(&self, position: &Position, depth: usize) -> usize {
        if depth == 0 && self.config.quiescence && position.must_capture() { 1 } else { depth }
    }
}
