//! Singular extension: the other moves of a node are searched at half the depth, with a null window slightly
//! below the score of the table move. If no other move reaches that window, the table move is extended by a
//! ply. If another move also exceeds the node's own window, the node is cut (multi-cut); if only the table
//! move exceeds it, that move is reduced by a ply.
//!
//! Positions in which only one move does not lose are common in a game with compulsory captures.

use super::node_state::NodeState;
use super::thread_search::ThreadSearch;
use crate::search::line::PvLine;
use crate::search::table::TableEntry;
use crate::search::{Bound, Score, Stopped, Window};
use kelso_draughts::board::{GOLDEN, MoveId, Position};

pub(super) enum Singular {
    /// The table move is extended by a number of plies, or reduced if the number is negative.
    Extend(i32),
    /// The node is cut with this score.
    MultiCut(Score),
}

impl ThreadSearch<'_> {
    /// Compares the table move with the other moves.
    pub(super) fn singular_extension(
        &mut self,
        position: &Position,
        node_state: NodeState,
        tt_entry: TableEntry,
    ) -> Result<Singular, Stopped> {
        let NodeState { depth, ply, window, .. } = node_state;
        let params = self.params();
        let is_trusted = tt_entry.bound != Bound::Upper
            && tt_entry.score.is_evaluation()
            && tt_entry.depth >= depth - params.singular_tt_depth_margin();
        if depth < params.singular_min_depth() || !is_trusted || ply >= self.iteration.depth {
            return Ok(Singular::Extend(0));
        }
        let Some(tt_move) = tt_entry.best_move else { return Ok(Singular::Extend(0)) };
        let target = tt_entry.score.moved(-params.singular_margin() * depth);
        let other_moves = NodeState {
            depth: depth - depth / 2,
            window: Window::at_least(target),
            prune_quiets: false,
            excluded: Some(tt_move),
            ..node_state
        };
        let score = if self.shared.coordination.has_helpers() {
            self.search_shared(position, other_moves, tt_move)?
        } else {
            Some(self.expand_node(position, other_moves, &mut PvLine::new())?.score)
        };
        let Some(score) = score else { return Ok(Singular::Extend(0)) };
        Ok(if score < target {
            Singular::Extend(1)
        } else if window.is_null() && score >= window.beta {
            Singular::MultiCut(score)
        } else {
            Singular::Extend(-i32::from(tt_entry.score >= window.beta))
        })
    }

    /// Searches the moves other than the table move, unless another thread is searching them or has finished.
    fn search_shared(
        &mut self,
        position: &Position,
        others: NodeState,
        excluded: MoveId,
    ) -> Result<Option<Score>, Stopped> {
        let table = self.table;
        let busy = &self.shared.coordination.busy;
        // The key of the position without this move.
        let key = position.key() ^ u64::from(excluded.get()).wrapping_mul(GOLDEN);
        if let Some(entry) = table.probe(key, others.ply)
            && entry.decides(others.depth, others.window)
        {
            return Ok(Some(entry.score));
        }
        if busy.contains(key) {
            return Ok(None);
        }
        let mark = busy.mark(key);
        let result = self.expand_node(position, others, &mut PvLine::new())?;
        drop(mark);
        table.store(key, others.ply, result);
        Ok(Some(result.score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::alphabeta::SharedSearch;
    use crate::search::testing::TestSearch;
    use kelso_draughts::board::Game;

    #[test]
    fn a_table_move_is_extended_if_it_is_far_better_than_the_others() {
        let test_search = TestSearch::new(Game::default(), Limits::default());
        let task = test_search.task();
        let shared = SharedSearch::of_task(&task, 1);
        let mut search = ThreadSearch::new(&shared, 0);
        search.iteration.depth = 12;
        let position = Position::start();
        let best_move = Some(position.moves()[0].id());
        let mut compare = |depth, score, bound, beta| {
            let window = Window::at_least(Score::evaluation(beta));
            let node_state = NodeState { tt_move: best_move, ..NodeState::new(depth, 1, window, true) };
            let entry = TableEntry { score: Score::evaluation(score), bound, depth, best_move };
            search.singular_extension(&position, node_state, entry).unwrap()
        };
        assert!(matches!(compare(9, 500, Bound::Lower, 0), Singular::Extend(1)));
        // The other moves exceed the window, too.
        assert!(matches!(compare(9, -500, Bound::Lower, -500), Singular::MultiCut(_)));
        // The table move may be worse than its score, or the node is too shallow.
        assert!(matches!(compare(9, 500, Bound::Upper, 0), Singular::Extend(0)));
        assert!(matches!(compare(8, 500, Bound::Lower, 0), Singular::Extend(0)));
        // Only the table move exceeds the window.
        assert!(matches!(compare(9, 10, Bound::Lower, 10), Singular::Extend(-1)));
    }
}
