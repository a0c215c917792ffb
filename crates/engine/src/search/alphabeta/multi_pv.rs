//! `MultiPV`: finds the best move, then the best of the other moves, and so on. Each line is
//! searched among the remaining moves, so all scores are exact.

use super::root::{RootSearch, RootState, arrange};
use super::thread_search::ThreadSearch;

impl ThreadSearch<'_> {
    /// Searches one iteration for several lines, in order of score. If the iteration is stopped, the lines
    /// that it completed, or a better first move, precede the lines of the previous iteration.
    ///
    /// Returns `false` if it was stopped.
    pub(super) fn multi_pv(&mut self, root: &mut RootState) -> bool {
        let mut new_lines = Vec::with_capacity(root.line_count);
        let mut is_complete = true;
        for place in 0..root.line_count {
            match self.aspiration_search(root, place) {
                RootSearch::Complete(line) => new_lines.push(line),
                RootSearch::Stopped(best) => {
                    // A partial result counts only for the first place.
                    new_lines.extend(best.filter(|_| place == 0));
                    is_complete = false;
                    break;
                }
            }
        }
        if new_lines.is_empty() {
            return is_complete;
        }
        for line in &mut new_lines {
            if let Some(&mv) = line.moves.first() {
                line.score = self.root_move_score(mv, line.score);
            }
        }
        if is_complete {
            // A later line may turn out to have a better score.
            new_lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        }
        root.lines.retain(|old| new_lines.iter().all(|new| new.moves.first() != old.moves.first()));
        new_lines.append(&mut root.lines);
        new_lines.truncate(root.line_count);
        arrange(&mut root.moves, &new_lines);
        root.lines = new_lines;
        is_complete
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
    fn a_stopped_iteration_keeps_the_lines_of_the_one_before() {
        let mut test_search = TestSearch::new(Game::default(), Limits::default());
        test_search.options.multi_pv = 3;
        let task = test_search.task();
        let shared = SharedSearch::of_task(&task, 1);
        let mut search = ThreadSearch::new(&shared, 0);
        let mut root = RootState::new(&shared);
        assert!(search.complete_iteration(4, &mut root));
        assert_eq!(root.lines.len(), 3);
        assert!(root.lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)));
        let first_moves =
            |root: &RootState| -> Vec<_> { root.lines.iter().map(|line| line.moves[0]).collect() };
        let before = first_moves(&root);
        assert_eq!(root.moves.iter().map(|choice| choice.mv).take(3).collect::<Vec<_>>(), before);
        test_search.control.stop();
        assert!(!search.tracker.has_time_for_more(None));
        assert!(!search.complete_iteration(5, &mut root));
        assert_eq!(first_moves(&root), before);
        assert!(root.lines.iter().all(|line| line.depth == 4));
    }
}
