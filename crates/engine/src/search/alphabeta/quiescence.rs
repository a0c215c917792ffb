//! Quiescence search: captures, which are compulsory, are played out before the position is evaluated.
//!
//! Positions in which the other side threatens to capture are evaluated too, which the evaluation has
//! learned. Only pruning treats them specially.

use super::thread_search::ThreadSearch;
use crate::search::tracker::Searched;
use crate::search::{NodeEnd, Score, SearchObserver, Window};
use kelso_draughts::board::{MoveList, Position};

impl ThreadSearch<'_> {
    /// Returns the score of a node beyond the last ply. `quiet_end` is the reason reported for positions
    /// without captures.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        ply: usize,
        mut window: Window,
        quiet_end: NodeEnd,
    ) -> Searched {
        self.tracker.count()?;
        self.iteration.selective_depth = self.iteration.selective_depth.max(ply);
        if !position.must_capture() {
            if !position.can_move() {
                self.observer.end(NodeEnd::NoMoves);
                return Ok(Score::loss_in(ply));
            }
            if let Some(score) = self.probe_leaf(position, ply) {
                self.observer.end(NodeEnd::Database);
                return Ok(score);
            }
            self.observer.end(quiet_end);
            return Ok(Score::evaluation(self.evaluate(position, ply)));
        }
        let mut end = NodeEnd::Searched;
        let mut best = Score::LOWEST;
        let mut captures = MoveList::new();
        position.list_captures(&mut captures);
        for &mv in &captures {
            self.observer.enter(Some(mv), ply + 1, 0, window.swapped());
            let score = self.quiesce(&position.after(mv), ply + 1, window.swapped(), NodeEnd::Quiescence)?;
            self.observer.leave(score);
            let score = -score;
            if score > window.alpha {
                self.observer.improve(ply, mv);
            }
            best = best.max(score);
            window.alpha = window.alpha.max(score);
            if window.alpha >= window.beta {
                end = NodeEnd::Cut;
                break;
            }
        }
        self.observer.end(end);
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::search::Limits;
    use crate::search::alphabeta::SharedSearch;
    use crate::search::testing::TestSearch;
    use kelso_draughts::board::Game;
    use kelso_draughts::notation::fen;

    fn quiesced(position: Position) -> Score {
        let search = TestSearch::new(Game::new(position), Limits::default());
        let task = search.task();
        let shared = SharedSearch::of_task(&task, 1);
        let mut search = ThreadSearch::new(&shared, 0);
        search.quiesce(&position, 0, Window::FULL, NodeEnd::Quiescence).unwrap()
    }

    #[test]
    fn captures_are_played_out_before_the_evaluation() {
        let start = Position::start();
        assert_eq!(quiesced(start), Score::evaluation(Evaluation::classic().evaluate(&start)));
        // Black captures the last man.
        assert_eq!(quiesced(fen::parse("B:W18:B14").unwrap()), Score::win_in(1));
        assert_eq!(quiesced(fen::parse("B:W18,26:B14").unwrap()), Score::win_in(1));
    }
}
