//! Prunes nodes whose evaluation is far outside the window: without a search near the leaves (reverse
//! futility), and further up if a shallower search agrees (ProbCut, here both above and below the window).
//!
//! The shallow search does not use ProbCut itself. Nested reductions add up to eight or twelve plies below a
//! node that is a man ahead, so that combinations are missed at any depth. Self-play hardly shows this, since
//! both sides miss them, but test positions do (`tests/engine/problems.rs`). A `probcut_margin` of 120 finds
//! more combinations than 80 or 60, at no measurable cost.

use super::thread_search::ThreadSearch;
use crate::search::line::PvLine;
use crate::search::score::Score;
use crate::search::tracker::{Searched, Stopped};
use crate::search::window::Window;
use kelso_draughts::board::Position;

impl ThreadSearch<'_> {
    /// Returns the score of a node that is pruned: by reverse futility near the leaves, by ProbCut further
    /// up.
    ///
    /// If a bound of the window is a known result, margins are meaningless, and the shallow search alone
    /// decides. Otherwise, proving that every move loses would require a search without any pruning.
    ///
    /// Null moves are not used, since zugzwang is common in this game; the shallow search makes real moves.
    /// Near the leaves, a node is not pruned if either side can capture.
    pub(super) fn prune(
        &mut self,
        position: &Position,
        value: i32,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let bounds_are_evaluations = window.alpha.is_evaluation() && window.beta.is_evaluation();
        let params = self.params();
        // Reverse futility pruning.
        if depth <= params.rfp_max_depth() {
            let is_above = bounds_are_evaluations
                && Score::evaluation(value - params.rfp_margin() * depth) >= window.beta;
            return Ok((is_above && !position.is_threatened()).then(|| Score::evaluation(value)));
        }
        // ProbCut.
        if depth < params.probcut_min_depth() || self.in_probcut {
            return Ok(None);
        }
        let shallow_depth =
            (depth - (params.probcut_reduction() + 50) / 100).max(params.probcut_min_shallow_depth());
        let margin = if bounds_are_evaluations { params.probcut_margin() } else { 0 };
        let upper = window.beta.moved(margin);
        if Score::evaluation(value) >= upper {
            let score = self.probcut_search(position, shallow_depth, ply, Window::at_least(upper))?;
            return Ok((score >= upper).then_some(window.beta));
        }
        let lower = window.alpha.moved(-margin);
        if Score::evaluation(value) <= lower {
            let score = self.probcut_search(position, shallow_depth, ply, Window::above(lower))?;
            return Ok((score <= lower).then_some(window.alpha));
        }
        Ok(None)
    }

    /// Returns whether even a gain by a margin for each ply leaves an evaluation below the window.
    #[inline]
    pub(super) fn is_futile(&self, value: i32, depth: i32, window: Window) -> bool {
        depth <= self.params().futility_max_depth()
            && window.alpha.is_evaluation()
            && Score::evaluation(value + self.params().futility_margin() * depth) <= window.alpha
    }

    /// Searches less deeply, without ProbCut in the nodes below.
    fn probcut_search(&mut self, position: &Position, depth: i32, ply: usize, window: Window) -> Searched {
        let was_in_probcut = std::mem::replace(&mut self.in_probcut, true);
        let score = self.search_node(position, depth, ply, window, &mut PvLine::new());
        self.in_probcut = was_in_probcut;
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::alphabeta::SharedSearch;
    use crate::search::testing::TestSearch;
    use kelso_draughts::board::Game;
    use kelso_draughts::notation::fen;

    #[test]
    fn quiet_nodes_are_pruned_beyond_a_margin_for_each_ply() {
        let search = TestSearch::new(Game::default(), Limits::default());
        let task = search.task();
        let shared = SharedSearch::of_task(&task, 1);
        let mut search = ThreadSearch::new(&shared, 0);
        let (params, window) = (search.params(), Window::at_least(Score::DRAW));
        let margin = params.rfp_margin() * 2;
        let mut prune =
            |text: &str, value| search.prune(&fen::parse(text).unwrap(), value, 2, 1, window).unwrap();
        let quiet = "W:W21,22,30:B1,2,3";
        assert_eq!(prune(quiet, margin), Some(Score::evaluation(margin)));
        assert_eq!(prune(quiet, margin - 1), None);
        // Black threatens to capture.
        assert_eq!(prune("W:W21,18,30:B14,2,3", margin), None);
        let (margin, max_depth) = (params.futility_margin(), params.futility_max_depth());
        let below = window.alpha.value();
        assert!(search.is_futile(below - margin * max_depth, max_depth, window));
        assert!(!search.is_futile(below - margin * max_depth + 1, max_depth, window));
        assert!(!search.is_futile(below - 2 * margin * max_depth, max_depth + 1, window));
        assert!(!search.is_futile(below - margin, 1, Window { alpha: Score::loss_in(3), ..window }));
    }
}
