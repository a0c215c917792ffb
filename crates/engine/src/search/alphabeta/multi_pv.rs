//! `MultiPV`: finds the best move, then the best of the other moves, and so on. Each rank searches the
//! remaining moves, so all scores are exact.

use super::ThreadSearch;
use super::databases::true_score;
use super::root::{RootMove, RootSearch, arrange};
use crate::search::line::{ScoredLine, ScoredLines};
use crate::search::{Score, SearchEvent, Stopped};

impl ThreadSearch<'_> {
    /// Searches one iteration for several lines, and reports them together at its end, in order of score. If
    /// the iteration is stopped, the ranks that it completed, or a better first move, precede the lines of
    /// the previous iteration.
    pub(super) fn multi_pv(
        &mut self,
        root: &mut RootSearch,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> Result<(), Stopped> {
        let RootSearch { moves, lines, line_count } = root;
        let line_count = *line_count;
        let mut new_lines = ScoredLines::with_capacity(line_count);
        let mut stopped = Ok(());
        for rank in 0..line_count {
            let last_score = lines.get(rank).map_or(Score::DRAW, |line| line.score);
            let candidates = best_ranked(&mut moves[rank..]);
            let mut best = ScoredLine::nothing(self.iteration);
            match self.aspiration_search(last_score, candidates, &mut best, &mut |event| {
                if let SearchEvent::Trying { depth, mv, number } = event {
                    on_event(SearchEvent::Trying { depth, mv, number: number + rank });
                }
            }) {
                Ok(line) => new_lines.push(line),
                Err(stop) => {
                    // A partial result counts only for the first rank.
                    new_lines.extend((rank == 0 && !best.moves.is_empty()).then_some(best));
                    stopped = Err(stop);
                    break;
                }
            }
        }
        if new_lines.is_empty() {
            return stopped;
        }
        let position = *self.task.game.position();
        for line in &mut new_lines {
            if let Some(&mv) = line.moves.first() {
                line.score = true_score(self.task.databases, &position, mv, line.score);
            }
        }
        if stopped.is_ok() {
            // A later rank may turn out to have a better score.
            new_lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        }
        lines.retain(|old| new_lines.iter().all(|new| new.moves.first() != old.moves.first()));
        new_lines.append(lines);
        new_lines.truncate(line_count);
        arrange(moves, &new_lines);
        *lines = new_lines;
        self.report_all(lines, on_event);
        stopped
    }
}

/// Returns the moves at the beginning of the list that have the same database rank as the first.
pub(super) fn best_ranked(moves: &mut [RootMove]) -> &mut [RootMove] {
    let Some(rank) = moves.first().map(|first| first.rank) else { return moves };
    let count = moves.iter().take_while(|choice| choice.rank == rank).count();
    &mut moves[..count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Classic;
    use crate::search::Limits;
    use crate::search::alphabeta::SharedSearch;
    use crate::search::testing::TestSearch;
    use draughts::board::Game;

    #[test]
    fn a_stopped_iteration_keeps_the_lines_of_the_one_before() {
        let mut test_search = TestSearch::new(Game::default(), Limits::default());
        test_search.options.multi_pv = 3;
        let task = test_search.task();
        let shared = SharedSearch::new(&task, Classic::fitted(), 1);
        let (mut search, mut root) = (ThreadSearch::new(&shared, 0, None), RootSearch::new(&shared));
        let mut reported = 0;
        assert!(search.complete_iteration(4, &mut root, &mut |_| reported += 1));
        assert_eq!(reported, 3);
        assert!(root.lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)));
        let first_moves =
            |root: &RootSearch| -> Vec<_> { root.lines.iter().map(|line| line.moves[0]).collect() };
        let before = first_moves(&root);
        assert_eq!(root.moves.iter().map(|choice| choice.mv).take(3).collect::<Vec<_>>(), before);
        test_search.control.stop();
        assert!(!search.tracker.has_time_for_more(None));
        assert!(!search.complete_iteration(5, &mut root, &mut |_| reported += 1));
        assert_eq!((first_moves(&root), reported), (before, 3));
        assert!(root.lines.iter().all(|line| line.depth == 4));
    }

    #[test]
    fn only_moves_of_the_best_rank_compete() {
        let mv = draughts::Position::start().moves()[0];
        let ranked = |ranks: &[i64]| {
            let mut moves: Vec<_> = ranks.iter().map(|&rank| RootMove { mv, rank, nodes: 0 }).collect();
            best_ranked(&mut moves).len()
        };
        assert_eq!([ranked(&[2, 2, 1, 2]), ranked(&[5]), ranked(&[])], [2, 1, 0]);
    }
}
