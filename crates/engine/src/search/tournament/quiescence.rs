//! Beyond the last ply: captures are played out, since they are compulsory, and the first position without any is
//! judged.
//!
//! A side that is about to be captured from is not at rest either. But to try each of its moves first, one ply deep, was
//! worth nothing at 5,000 nodes a move and lost 15 ± 14 Elo at 15,000 (600 games each): the evaluation has learned what
//! such positions are worth. So only pruning does not trust them.

use super::Search;
use crate::eval::Evaluate;
use crate::search::control::{Searched, Stopped};
use crate::search::score::Score;
use crate::search::watch::{End, Watch};
use crate::search::window::Window;
use draughts::board::{MoveList, Position};

impl<E: Evaluate + ?Sized, W: Watch<Score>> Search<'_, E, W> {
    /// The score of a node beyond the last ply; where nothing can be captured, it ends as `rest` says.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        ply: usize,
        mut window: Window<Score>,
        rest: End,
    ) -> Searched {
        if self.is_over() {
            return Err(Stopped);
        }
        self.deepest = self.deepest.max(ply);
        if !position.must_capture() {
            if !position.can_move() {
                self.watch.end(End::Stuck);
                return Ok(Score::loss_in(ply));
            }
            if let Some(score) = self.judged_ending(position, ply) {
                self.watch.end(End::Database);
                return Ok(score);
            }
            self.watch.end(rest);
            return Ok(Score::evaluation(self.judge(position, ply)));
        }
        let mut end = End::Searched;
        let mut best = Score::LOWEST;
        let mut captures = MoveList::new();
        position.list_captures(&mut captures);
        for &mv in &captures {
            self.watch.enter(Some(mv), ply + 1, 0, window.swapped());
            let score = self.quiesce(&position.after(mv), ply + 1, window.swapped(), End::Quiescence)?;
            self.watch.leave(score);
            let score = -score;
            if score > window.alpha {
                self.watch.raise(ply, mv);
            }
            best = best.max(score);
            window.alpha = window.alpha.max(score);
            if window.alpha >= window.beta {
                end = End::Cut;
                break;
            }
        }
        self.watch.end(end);
        Ok(best)
    }
}
