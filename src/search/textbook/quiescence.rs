//! Where a line may end. An evaluation in the middle of an exchange counts a piece that is about to be taken back, so a
//! line that runs out of depth on a capture is worth a look further.
//!
//! The rule is Peterson's: when the depth runs out on a capture, search one ply more, and again as long as the last
//! move of the line is a capture. All moves are searched there, not captures alone: whoever may capture must, so where
//! there is anything to take, all moves are captures anyhow.

use super::Textbook;
use super::observe::Observe;
use crate::board::Move;
use crate::search::score::MAX_PLY;

impl<O: Observe> Textbook<'_, O> {
    /// The depth of the node that a move leads to, when the depth without quiescence is `depth`.
    #[inline]
    pub(super) fn depth_after(&self, mv: Move, depth: usize, ply: usize) -> usize {
        let unsettled = depth == 0 && mv.is_capture() && ply < MAX_PLY;
        if self.config.quiescence && unsettled { 1 } else { depth }
    }
}
