//! Singular extension: whether the move that the table remembers stands alone. The node's other moves are searched at
//! half the depth, to a score a little below the one remembered: if none reaches it, everything hangs on that move,
//! and it gets a ply more. If others exceed the node's window as well, the node is as good as decided (multi-cut); if
//! only that move may do so, it can do with a ply less.
//!
//! Sound here as elsewhere, since nothing is passed over: the other moves are all made. Positions in which one move
//! holds and the others lose are common where captures are compulsory.
//!
//! From depth 7 on and to any ply, 2,200 games at 10,000 nodes a move gave 25 ± 8 Elo, and 700 at 20 ms a move 15 ± 10,
//! but trees grew four times as large. Within the limits below, and with forced captures extended, 600 games at 10,000
//! nodes gave 10 ± 14. From depth 5, 5 for [`SINGULAR_MARGIN`], or without what it teaches about the order of moves
//! (see [`ThreadSearch::search_moves`]): -22 ± 14, -14 ± 13 and -10 ± 13.

use super::ThreadSearch;
use super::node_state::NodeState;
use crate::search::control::Stopped;
use crate::search::line::Line;
use crate::search::score::{Bound, Score};
use crate::search::table::TableEntry;
use crate::search::window::Window;
use draughts::board::Position;

/// From this depth it is worth knowing.
const SINGULAR_DEPTH: i32 = 9;
/// The table's entry may be shallower by at most so many plies.
const SINGULAR_TRUST: i32 = 3;
/// How far below it the others must stay, in hundredths of a man for each ply.
const SINGULAR_MARGIN: i32 = 2;

/// The result of the comparison.
pub(super) enum Singular {
    /// It gets so many plies more.
    Extend(i32),
    /// They are good enough to end the node, with this score.
    MultiCut(Score),
}

impl ThreadSearch<'_> {
    /// Compares the remembered move with the others.
    pub(super) fn singular_extension(
        &mut self,
        position: &Position,
        node_state: NodeState,
        known: TableEntry,
    ) -> Result<Singular, Stopped> {
        let NodeState { depth, ply, window, .. } = node_state;
        let trusted = known.best != 0
            && known.bound != Bound::Upper
            && known.score.is_evaluation()
            && i32::try_from(known.depth).is_ok_and(|known| known >= depth - SINGULAR_TRUST);
        if depth < SINGULAR_DEPTH || !trusted || ply >= self.iteration {
            return Ok(Singular::Extend(0));
        }
        let target = known.score.moved(-SINGULAR_MARGIN * depth);
        let others = node_state.excluding_best(depth - depth / 2, Window::above(target.below()));
        let found = if self.shared_state.is_several() {
            self.search_shared(position, others, known.best)?
        } else {
            Some(self.search_moves(position, others, &mut Line::new())?.score)
        };
        let Some(found) = found else { return Ok(Singular::Extend(0)) };
        Ok(if found < target {
            Singular::Extend(1)
        } else if window.is_null() && found >= window.beta {
            Singular::MultiCut(found)
        } else {
            Singular::Extend(-i32::from(known.score >= window.beta))
        })
    }

    /// Searches the other moves, unless another thread has a result or is searching them.
    ///
    /// A thread that is alone comes back too seldom to gain by what it knows: with this, 1,800 games gave -1 ± 7 Elo.
    fn search_shared(
        &mut self,
        position: &Position,
        others: NodeState,
        left_out: u16,
    ) -> Result<Option<Score>, Stopped> {
        let (table, claims) = (&self.task.table, &self.shared_state.claims);
        // A key of its own: the position without this move.
        let key = position.key() ^ u64::from(left_out).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if let Some(known) = table.probe(key, others.ply)
            && i32::try_from(known.depth).is_ok_and(|known| known >= others.depth)
            && known.bound.settles(known.score, others.window)
        {
            return Ok(Some(known.score));
        }
        if claims.is_taken(key) {
            return Ok(None);
        }
        let claim = claims.take(key);
        let found = self.search_moves(position, others, &mut Line::new())?;
        drop(claim);
        table.store(key, others.ply, found);
        Ok(Some(found.score))
    }
}
