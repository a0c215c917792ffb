//! Beyond the last ply: captures are played out, since they are compulsory, and the first position without any is
//! judged.
//!
//! A side that is about to be captured from is not at rest either. But to try each of its moves first, one ply deep,
//! was worth nothing at 5,000 nodes a move and lost 15 ± 14 Elo at 15,000 (600 games each): the evaluation has learned
//! what such positions are worth. So only pruning does not trust them.

use super::ThreadSearch;
use crate::search::control::{Searched, Stopped};
use crate::search::observer::{NodeEnd, SearchObserver};
use crate::search::score::Score;
use crate::search::window::Window;
use draughts::board::{MoveList, Position};

impl ThreadSearch<'_> {
    /// Returns the score of a node beyond the last ply; where nothing can be captured, it ends as `rest` says.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        ply: usize,
        mut window: Window,
        rest: NodeEnd,
    ) -> Searched {
        if self.should_stop() {
            return Err(Stopped);
        }
        self.selective_depth = self.selective_depth.max(ply);
        if !position.must_capture() {
            if !position.can_move() {
                self.observer.end(NodeEnd::NoMoves);
                return Ok(Score::loss_in(ply));
            }
            if let Some(score) = self.evaluate_ending(position, ply) {
                self.observer.end(NodeEnd::Database);
                return Ok(score);
            }
            self.observer.end(rest);
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
