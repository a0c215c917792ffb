//! A node inside the tree: what is known already, what can be given up, and the moves.

use super::Search;
use super::margins::{
    FUTILITY, FUTILITY_DEPTH, REDUCE_DEPTH, SURPLUS, SURPLUS_DEPTH, VERIFY, VERIFY_DEPTH, VERIFY_LESS,
};
use crate::board::{Move, Position};
use crate::eval::Evaluate;
use crate::search::control::{Searched, Stopped};
use crate::search::line::{Line, Window, extend};
use crate::search::ordering::Picker;
use crate::search::score::{Bound, MAX_PLY, Score};
use crate::search::table::Known;

impl<E: Evaluate> Search<'_, E> {
    /// The score of a move, for the side that makes it.
    #[inline]
    pub(super) fn after(
        &mut self,
        position: &Position,
        mv: Move,
        depth: i32,
        ply: usize,
        window: Window,
        line: &mut Line,
    ) -> Searched {
        let next = position.after(mv);
        self.task.table.prefetch(next.key());
        self.path.push(mv, &next);
        let score = self.node(&next, depth, ply + 1, window.swapped(), line);
        self.path.pop();
        Ok(-score?)
    }

    fn node(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        mut window: Window,
        line: &mut Line,
    ) -> Searched {
        line.clear();
        if self.path.is_draw() && position.can_move() {
            return Ok(Score::DRAW);
        }
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiesce(position, ply, window);
        }
        if self.is_over() {
            return Err(Stopped);
        }
        // A line that is longer than a result known already can't change it.
        window.alpha = window.alpha.max(Score::loss_in(ply));
        window.beta = window.beta.min(Score::win_in(ply + 1));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let quick = window.is_null();
        let known = self.task.table.find(position.key(), ply);
        if let Some(known) = known
            && quick
            && i32::try_from(known.depth).is_ok_and(|known| known >= depth)
            && known.bound.settles(known.score, window)
        {
            return Ok(known.score);
        }
        // With a capture on the board an evaluation says nothing, and every move is a capture.
        let calm = !position.must_capture();
        let mut standing = None;
        if quick && calm && !window.alpha.is_proved() && !window.beta.is_proved() {
            let value = self.evaluation.evaluate(position);
            standing = Some(value);
            if let Some(score) = self.give_up(position, value, depth, ply, window)? {
                return Ok(score);
            }
        }
        let moves = position.moves();
        if moves.is_empty() {
            return Ok(Score::loss_in(ply));
        }
        let forced = moves.len() == 1;
        let futile = standing.is_some_and(|value| {
            depth <= FUTILITY_DEPTH && Score::evaluation(value + FUTILITY * depth) <= window.alpha
        });
        let alpha = window.alpha;
        let mut best = (Score::LOWEST, 0);
        let mut below = Line::new();
        let picker =
            Picker::new(moves, known.map_or(0, |known| known.best), &self.experience, position.side(), ply);
        for (number, mv) in picker.enumerate() {
            let quiet = calm && !mv.is_crowning();
            if futile && quiet && number > 0 {
                // The first move keeps the score honest; it stands for the ones that are left out.
                break;
            }
            // A side without a choice gets its reply for nothing.
            let below_depth = if forced && ply < self.longest { depth } else { depth - 1 };
            let score = if number == 0 {
                self.after(position, mv, below_depth, ply, window, &mut below)?
            } else {
                let less = if quiet && depth >= REDUCE_DEPTH { reduction(depth, number, quick) } else { 0 };
                let mut score = self.after(
                    position,
                    mv,
                    below_depth - less,
                    ply,
                    Window::above(window.alpha),
                    &mut below,
                )?;
                if less > 0 && score > window.alpha {
                    score =
                        self.after(position, mv, below_depth, ply, Window::above(window.alpha), &mut below)?;
                }
                if score > window.alpha && score < window.beta && !quick {
                    score = self.after(position, mv, below_depth, ply, window, &mut below)?;
                }
                score
            };
            if score > best.0 {
                best = (score, mv.signature());
            }
            if score > window.alpha {
                window.alpha = score;
                if !quick {
                    extend(line, mv, &below);
                }
            }
            if window.alpha >= window.beta {
                if calm {
                    self.experience.learn(position.side(), mv, usize::try_from(depth).unwrap_or(0), ply);
                }
                break;
            }
        }
        let (score, mv) = best;
        let bound = if score >= window.beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best = if bound == Bound::Upper { 0 } else { mv };
        let depth = usize::try_from(depth).unwrap_or(0);
        self.task.table.keep(position.key(), ply, Known { score, bound, depth, best });
        Ok(score)
    }

    /// A node whose evaluation is far outside the window is not worth its depth: near the leaves it is given up at once,
    /// further up if a shallower search agrees.
    ///
    /// Sound here because a quiet side can nearly always hold what it has: there is no zugzwang test by passing in a
    /// game where passing is worth so much, so the shallow search makes real moves; and with a capture at hand for
    /// either side the evaluation is not trusted near the leaves.
    fn give_up(
        &mut self,
        position: &Position,
        value: i32,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        if depth <= SURPLUS_DEPTH {
            let enough = Score::evaluation(value - SURPLUS * depth) >= window.beta;
            return Ok((enough && !position.is_threatened()).then(|| Score::evaluation(value)));
        }
        if depth < VERIFY_DEPTH {
            return Ok(None);
        }
        let mut line = Line::new();
        let above = Score::evaluation(window.beta.value() + VERIFY);
        if Score::evaluation(value) >= above {
            let score =
                self.again(position, depth - VERIFY_LESS, ply, Window::above(above.below()), &mut line)?;
            return Ok((score >= above).then_some(window.beta));
        }
        let under = Score::evaluation(window.alpha.value() - VERIFY);
        if Score::evaluation(value) <= under {
            let score = self.again(position, depth - VERIFY_LESS, ply, Window::above(under), &mut line)?;
            return Ok((score <= under).then_some(window.alpha));
        }
        Ok(None)
    }

    /// The same node with another depth and window.
    fn again(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        window: Window,
        line: &mut Line,
    ) -> Searched {
        self.node(position, depth, ply, window, line)
    }
}

/// Plies that a late move is searched less.
fn reduction(depth: i32, number: usize, quick: bool) -> i32 {
    let late = match number {
        0..=2 => return 0,
        3..=5 => 1,
        _ => 2,
    };
    let deep = i32::from(depth >= 8);
    (late + deep - i32::from(!quick)).max(0)
}
