//! A node inside the tree: lookups and pruning, the loop over its moves, reductions and re-searches.

use super::node_state::{ChildSearch, NodeState};
use super::singular::Singular;
use super::thread_search::ThreadSearch;
use crate::search::coordination::BusyMark;
use crate::search::line::{PvLine, set_line};
use crate::search::observer::{NodeEnd, SearchObserver};
use crate::search::ordering::MovePicker;
use crate::search::score::{Bound, MAX_PLY, Score, plies};
use crate::search::table::TableEntry;
use crate::search::tracker::{Searched, Stopped};
use crate::search::window::Window;
use kelso_draughts::board::{Move, Position};

impl<'a> ThreadSearch<'a> {
    /// Makes a move and searches the node after it. Returns the score for the side that moves.
    #[inline]
    pub(super) fn search_child(
        &mut self,
        position: &Position,
        mv: Move,
        depth: i32,
        ply: usize,
        window: Window,
        line: &mut PvLine,
    ) -> Searched {
        let next = position.after(mv);
        if depth >= self.params().tt_min_depth() {
            self.table.prefetch(next.key());
        }
        self.eval_cache.prefetch(next.key());
        self.path.push(mv, &next);
        self.observer.enter(Some(mv), ply + 1, plies(depth), window.swapped());
        let score = self.search_node(&next, depth, ply + 1, window.swapped(), line);
        self.path.pop();
        let score = score?;
        self.observer.leave(score);
        Ok(-score)
    }

    /// Returns the score of a node. If it is not known without searching moves, searches an interior node.
    pub(super) fn search_node(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        mut window: Window,
        line: &mut PvLine,
    ) -> Searched {
        line.clear();
        if self.path.is_draw() && position.can_move() {
            self.observer.end(NodeEnd::Draw);
            return Ok(self.repetition_score(position));
        }
        if depth <= 0 || ply >= MAX_PLY - 1 {
            let end = if depth < 0 { NodeEnd::Quiescence } else { NodeEnd::Depth };
            return self.quiesce(position, ply, window, end);
        }
        self.tracker.count()?;
        // Mate distance pruning: a line that is longer than a known result cannot change it.
        window.alpha = window.alpha.max(Score::loss_in(ply));
        window.beta = window.beta.min(Score::win_in(ply + 1));
        if window.alpha >= window.beta {
            self.observer.end(NodeEnd::Bounds);
            return Ok(window.alpha);
        }
        // If the side to move must capture, the static evaluation is of little use, and every move is a
        // capture.
        let is_quiet = !position.must_capture();
        // Endgame database probe.
        if is_quiet && let Some(score) = self.probe_node(position, depth, ply) {
            self.observer.end(NodeEnd::Database);
            return Ok(score);
        }
        self.search_interior_node(position, NodeState::new(depth, ply, window, is_quiet), line)
    }

    /// Searches a node that is not decided by the rules or the databases.
    #[inline]
    fn search_interior_node(
        &mut self,
        position: &Position,
        mut node_state: NodeState,
        line: &mut PvLine,
    ) -> Searched {
        let NodeState { depth, ply, window, is_quiet, .. } = node_state;
        let null_window = window.is_null();
        // Static evaluation. It precedes the table probe, to give the prefetched entry time to arrive.
        let static_eval = if null_window && is_quiet { Some(self.evaluate(position, ply)) } else { None };
        let use_tt = depth >= self.params().tt_min_depth();
        let tt_entry = if use_tt { self.table.probe(position.key(), ply) } else { None };
        // Transposition table cutoff.
        if let Some(entry) = tt_entry
            && null_window
            && entry.decides(depth, window)
        {
            self.observer.end(NodeEnd::Table);
            return Ok(entry.score);
        }
        // Reverse futility pruning and ProbCut.
        if let Some(value) = static_eval
            && let Some(score) = self.prune(position, value, depth, ply, window)?
        {
            self.observer.end(NodeEnd::Pruned);
            return Ok(score);
        }
        // Futility pruning of the moves after the first.
        node_state.prune_quiets = static_eval.is_some_and(|value| self.is_futile(value, depth, window));
        node_state.tt_move = tt_entry.and_then(|entry| entry.best_move);
        // Internal iterative reduction: without a table move, search one ply less deeply, which will store a
        // table move.
        if is_quiet && node_state.tt_move.is_none() && depth >= self.params().iir_min_depth() {
            node_state.depth -= 1;
        }
        // Singular extension and multi-cut.
        if let Some(entry) = tt_entry {
            match self.singular_extension(position, node_state, entry)? {
                Singular::Extend(plies) => node_state.extension = plies,
                Singular::MultiCut(score) => {
                    self.observer.end(NodeEnd::Pruned);
                    return Ok(score);
                }
            }
        }
        let result = self.expand_node(position, node_state, line)?;
        if use_tt {
            self.table.store(position.key(), ply, result);
        }
        Ok(result.score)
    }

    /// Searches the moves of a node, best first.
    pub(super) fn expand_node(
        &mut self,
        position: &Position,
        node_state: NodeState,
        line: &mut PvLine,
    ) -> Result<TableEntry, Stopped> {
        let NodeState { depth, ply, tt_move, .. } = node_state;
        let mut picker = MovePicker::new();
        picker.fill(position);
        picker.score_moves(position, tt_move, &self.history, ply);
        if picker.moves.is_empty() {
            self.observer.end(NodeEnd::NoMoves);
            return Ok(TableEntry {
                score: Score::loss_in(ply),
                bound: Bound::Exact,
                depth,
                best_move: None,
            });
        }
        let result = self.move_loop(position, node_state, &mut picker, line)?;
        let is_cutoff = result.bound == Bound::Lower;
        self.observer.end(if is_cutoff { NodeEnd::Cut } else { NodeEnd::Searched });
        Ok(result)
    }

    /// Searches a picker's moves until one causes a beta cutoff.
    #[inline]
    fn move_loop(
        &mut self,
        position: &Position,
        node_state: NodeState,
        picker: &mut MovePicker,
        line: &mut PvLine,
    ) -> Result<TableEntry, Stopped> {
        let NodeState { depth, mut window, prune_quiets, excluded, .. } = node_state;
        let mut result = TableEntry { score: Score::LOWEST, bound: Bound::Upper, depth, best_move: None };
        let is_forced = picker.moves.len() == 1 && self.extends_forced_move(node_state);
        let mark_busy = depth >= self.params().busy_min_depth() && self.shared.coordination.has_helpers();
        let mut child_line = PvLine::new();
        while let Some((index, mv)) = picker.next() {
            if Some(mv.id()) == excluded {
                continue;
            }
            // The excluded move comes first, and the next move counts as the first.
            let number = index.saturating_sub(usize::from(excluded.is_some()));
            // Futility pruning. The first move is always searched, so that the node has a score. The moves
            // after a quiet move that crowns no man are pruned with it, even if they crown one.
            if prune_quiets && number > 0 && !mv.is_crowning() {
                break;
            }
            let mut mark = None;
            if mark_busy && number > 0 {
                mark = self.mark_or_defer(position.after(mv).key(), picker);
                if mark.is_none() {
                    continue;
                }
            }
            let child = self.child(position, mv, number, node_state, is_forced);
            if number > 0 {
                // If the first move has not caused a cutoff, most other moves will be searched as well.
                self.prefetch_next(position, picker, child.depth - child.reduction);
            }
            let score = self.search_pv(position, mv, child, window, &mut child_line)?;
            drop(mark);
            result.score = result.score.max(score);
            if score > window.alpha {
                window.alpha = score;
                result.bound = Bound::Exact;
                result.best_move = Some(mv.id());
                self.improve_line(node_state, mv, &child_line, line);
            }
            // Beta cutoff.
            if window.alpha >= window.beta {
                result.bound = Bound::Lower;
                // With an excluded move, these moves contain it and lack the last one tried. With the moves that
                // were tried, the engine loses 7 ± 7 Elo.
                self.record_cutoff(position, node_state, mv, &picker.moves[..number]);
                break;
            }
        }
        Ok(result)
    }

    /// Reports a better move of a node and, in a node of the principal variation, records its line.
    #[inline]
    fn improve_line(&mut self, node_state: NodeState, mv: Move, child_line: &PvLine, line: &mut PvLine) {
        if node_state.excluded.is_none() {
            self.observer.improve(node_state.ply, mv);
        }
        if !node_state.window.is_null() {
            set_line(line, mv, child_line);
        }
    }

    /// Records in the history that a quiet move, unlike those before it, caused a beta cutoff.
    #[inline]
    fn record_cutoff(&mut self, position: &Position, node_state: NodeState, mv: Move, before: &[Move]) {
        let NodeState { depth, ply, is_quiet, .. } = node_state;
        if is_quiet {
            let change = self.params().history_change(depth);
            self.history.record_cutoff(position.side(), mv, before, change, ply);
        }
    }

    /// Decides how deep to search a move.
    #[inline]
    fn child(
        &self,
        position: &Position,
        mv: Move,
        number: usize,
        node_state: NodeState,
        is_forced: bool,
    ) -> ChildSearch {
        let NodeState { depth, ply, window, is_quiet, tt_move, extension, .. } = node_state;
        // Late move reduction.
        let mut reduction = 0;
        if is_quiet && !mv.is_crowning() {
            let history = self.history.permille(position.side(), mv);
            reduction = self.params().late_move_reduction(depth, number, window.is_null(), history);
        }
        // Singular extension, unless the forced move is extended.
        let is_extended = extension != 0 && !is_forced && Some(mv.id()) == tt_move;
        let extension = if is_extended { extension } else { i32::from(is_forced) };
        ChildSearch { number, depth: depth - 1 + extension, reduction, ply }
    }

    /// Returns whether a node's only legal move keeps the full depth, which helps to find combinations that
    /// begin with a sacrifice. Captures are extended only near the root, since lines are full of them.
    fn extends_forced_move(&self, NodeState { depth, ply, is_quiet, .. }: NodeState) -> bool {
        if is_quiet {
            ply < self.iteration.max_extended_ply
        } else {
            ply < self.iteration.max_extended_capture_ply && depth >= self.params().forced_capture_min_depth()
        }
    }

    /// Parallel search: marks a position as busy. If another thread is searching it, defers the move
    /// once and returns `None`.
    fn mark_or_defer(&self, key: u64, picker: &mut MovePicker) -> Option<BusyMark<'a>> {
        let busy = &self.shared.coordination.busy;
        if busy.contains(key) && picker.defer() { None } else { Some(busy.mark(key)) }
    }

    /// Prefetches the table entry of the position after the next move.
    #[inline]
    fn prefetch_next(&self, position: &Position, picker: &mut MovePicker, depth: i32) {
        if depth >= self.params().tt_min_depth()
            && let Some(then) = picker.peek()
        {
            self.table.prefetch(position.after(then).key());
        }
    }

    /// Principal variation search: returns the score of a move. The first move is searched with the full
    /// window. The other moves are searched with a null window first, and late moves initially at reduced
    /// depth.
    #[inline]
    pub(super) fn search_pv(
        &mut self,
        position: &Position,
        mv: Move,
        child: ChildSearch,
        window: Window,
        line: &mut PvLine,
    ) -> Searched {
        let ChildSearch { number, depth, reduction, ply } = child;
        if number == 0 {
            return self.search_child(position, mv, depth, ply, window, line);
        }
        let null_window = Window::above(window.alpha);
        let mut score = self.search_child(position, mv, depth - reduction, ply, null_window, line)?;
        // Re-search at full depth.
        if reduction > 0 && score > window.alpha {
            score = self.search_child(position, mv, depth, ply, null_window, line)?;
        }
        // Re-search with the full window.
        if score > window.alpha && score < window.beta {
            score = self.search_child(position, mv, depth, ply, window, line)?;
        }
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::alphabeta::SharedSearch;
    use crate::search::alphabeta::thread_search::Iteration;
    use crate::search::testing::TestSearch;
    use kelso_draughts::board::Game;

    #[test]
    fn a_table_entry_of_enough_depth_decides_a_window() {
        let test_search = TestSearch::new(Game::default(), Limits::default());
        let task = test_search.task();
        let shared = SharedSearch::of_task(&task, 1);
        let position = Position::start();
        let score = Score::evaluation(77);
        let entry = TableEntry { score, bound: Bound::Lower, depth: 4, best_move: None };
        for (depth, beta, decides) in [(4, 77, true), (4, 78, false), (5, 77, false)] {
            shared.root.table.store(position.key(), 1, entry);
            let mut search = ThreadSearch::new(&shared, 0);
            let window = Window::at_least(Score::evaluation(beta));
            let found = search.search_node(&position, depth, 1, window, &mut PvLine::new()).unwrap();
            assert_eq!((found == score, search.tracker.nodes() == 1), (decides, decides), "{depth} {beta}");
        }
    }

    #[test]
    fn forced_and_singular_moves_are_extended_and_late_quiet_moves_reduced() {
        let test_search = TestSearch::new(Game::default(), Limits::default());
        let task = test_search.task();
        let shared = SharedSearch::of_task(&task, 1);
        let mut search = ThreadSearch::new(&shared, 0);
        search.iteration =
            Iteration { max_extended_ply: 6, max_extended_capture_ply: 3, ..Iteration::default() };
        let min_depth = search.params().forced_capture_min_depth();
        for (depth, ply, is_quiet, extends) in [
            (1, 5, true, true),
            (1, 6, true, false),
            (min_depth, 2, false, true),
            (min_depth, 3, false, false),
            (min_depth - 1, 2, false, false),
        ] {
            let node_state = NodeState::new(depth, ply, Window::FULL, is_quiet);
            assert_eq!(search.extends_forced_move(node_state), extends, "{depth} {ply} {is_quiet}");
        }
        let (position, window) = (Position::start(), Window::at_least(Score::DRAW));
        let [first, second] = [0, 1].map(|index| position.moves()[index]);
        let node_state =
            NodeState { tt_move: Some(first.id()), extension: 1, ..NodeState::new(10, 1, window, true) };
        let depth = |mv, is_forced| search.child(&position, mv, 0, node_state, is_forced).depth;
        assert_eq!([depth(first, false), depth(second, false), depth(first, true)], [10, 9, 10]);
        let reduction = |number, is_quiet| {
            search.child(&position, second, number, NodeState { is_quiet, ..node_state }, false).reduction
        };
        assert!(reduction(20, true) > reduction(4, true) && reduction(20, false) == 0);
    }
}
