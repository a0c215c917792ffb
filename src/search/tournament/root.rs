//! The root: iterations, windows around the last score, and what is told of them.

use std::time::Duration;

use super::Search;
use super::endings::keep_result;
use super::margins::{ASPIRATION, ASPIRATION_DEPTH};
use crate::board::Move;
use crate::eval::Evaluate;
use crate::search::control::Stopped;
use crate::search::event::{Answer, Event, Report};
use crate::search::line::{Line, Window, extend};
use crate::search::score::{Bound, MAX_PLY, Score, Verdict};
use crate::search::table::Known;

/// Root moves are told of one by one after this time.
const QUIET_SPELL: Duration = Duration::from_secs(1);

/// What an iteration came to.
struct Iteration {
    score: Score,
    line: Line,
}

impl<E: Evaluate> Search<'_, E> {
    /// Iterations, one deeper than the other.
    pub(super) fn deepen(mut self, tell: &mut dyn FnMut(Event)) -> Answer {
        let limits = self.task.limits;
        let mut moves = self.root_moves();
        let mut best = Line::new();
        let mut last = Score::DRAW;
        if moves.is_empty() {
            tell(self.report(0, Score::loss_in(0), Bound::Exact, &best));
        } else {
            let deepest = limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
            for depth in 1..=deepest {
                self.deepest = 0;
                self.longest = (depth * 2 + 8).min(MAX_PLY - 1);
                let Ok(found) = self.aspire(depth, last, &mut moves, &mut best, tell) else { break };
                best = found.line;
                last = found.score;
                tell(self.report(depth, last, Bound::Exact, &best));
                self.bound_to_finish = false;
                if !self.meter.has_time_for_more() || self.is_settled(last, depth, moves.len()) {
                    break;
                }
            }
        }
        self.task.control.wait(limits.infinite);
        Answer { best: best.first().copied(), ponder: best.get(1).copied(), nodes: self.meter.nodes() }
    }

    /// Whether nothing more can change the answer of a search on a clock.
    fn is_settled(&self, score: Score, depth: usize, choices: usize) -> bool {
        let proved = match score.verdict() {
            Verdict::Win(plies) | Verdict::Loss(plies) => plies <= depth,
            Verdict::Open(_) => false,
        };
        self.meter.may_answer_early() && (proved || choices == 1)
    }

    fn root_moves(&self) -> Vec<Move> {
        let wanted = &self.task.limits.search_moves;
        let legal = self.task.game.position().moves();
        let moves = legal.into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect();
        keep_result(self.task.databases, self.task.game.position(), moves)
    }

    fn report(&self, depth: usize, score: Score, bound: Bound, line: &Line) -> Event {
        Event::Line(Report {
            depth,
            selective_depth: self.deepest.max(depth),
            rank: 1,
            score,
            bound,
            nodes: self.meter.nodes(),
            table_hits: self.table_hits,
            hash_full: self.task.table.fill(),
            time: self.task.control.elapsed(),
            line: line.to_vec(),
        })
    }

    /// An iteration in a window around the last score, which is widened where the score falls outside.
    fn aspire(
        &mut self,
        depth: usize,
        last: Score,
        moves: &mut [Move],
        best: &mut Line,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Iteration, Stopped> {
        let mut reach = ASPIRATION;
        let narrow = i32::try_from(depth).is_ok_and(|depth| depth >= ASPIRATION_DEPTH) && !last.is_proved();
        let mut window = if narrow { around(last, reach, reach) } else { Window::FULL };
        loop {
            let found = self.iterate(depth, window, moves, best, tell)?;
            if found.score <= window.alpha && window.alpha > Score::LOWEST {
                tell(self.report(depth, found.score, Bound::Upper, best));
                reach *= 4;
                window.alpha = around(found.score, reach, 0).alpha;
            } else if found.score >= window.beta && window.beta < Score::INFINITE {
                tell(self.report(depth, found.score, Bound::Lower, &found.line));
                reach *= 4;
                window.beta = around(found.score, 0, reach).beta;
            } else {
                return Ok(found);
            }
        }
    }

    /// One pass over the root moves, which end up with the best in front. When it is stopped, a better move that it has
    /// found so far is in `best`.
    fn iterate(
        &mut self,
        depth: usize,
        mut window: Window,
        moves: &mut [Move],
        best: &mut Line,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Iteration, Stopped> {
        let root = *self.task.game.position();
        let plies = i32::try_from(depth).unwrap_or(i32::MAX);
        let alpha = window.alpha;
        let mut found = Iteration { score: Score::LOWEST, line: Line::new() };
        let mut line = Line::new();
        for number in 0..moves.len() {
            let Some(&mv) = moves.get(number) else { break };
            if self.task.control.elapsed() >= QUIET_SPELL {
                tell(Event::Trying { depth, mv, number: number + 1 });
            }
            let score = if number == 0 {
                self.after(&root, mv, plies - 1, 0, window, &mut line)?
            } else {
                let score = self.after(&root, mv, plies - 1, 0, Window::above(window.alpha), &mut line)?;
                if score > window.alpha && score < window.beta {
                    self.after(&root, mv, plies - 1, 0, window, &mut line)?
                } else {
                    score
                }
            };
            found.score = found.score.max(score);
            if score > window.alpha {
                window.alpha = score;
                extend(&mut found.line, mv, &line);
                if let Some(front) = moves.get_mut(..=number) {
                    front.rotate_right(1);
                }
                best.clone_from(&found.line);
                if number > 0 && score < window.beta {
                    tell(self.report(depth, score, Bound::Exact, best));
                }
            }
            if window.alpha >= window.beta {
                break;
            }
        }
        if self.task.limits.search_moves.is_empty() && found.score > alpha {
            let bound = if found.score >= window.beta { Bound::Lower } else { Bound::Exact };
            let best = found.line.first().map_or(0, |mv| mv.signature());
            self.task.table.keep(root.key(), 0, Known { score: found.score, bound, depth, best });
        }
        Ok(found)
    }
}

/// A window around a score; far outside the evaluations it is open.
fn around(score: Score, below: i32, above: i32) -> Window {
    let Verdict::Open(value) = score.verdict() else { return Window::FULL };
    let wide = |reach: i32| reach > 1000;
    Window {
        alpha: if wide(below) { Score::LOWEST } else { Score::evaluation(value - below) },
        beta: if wide(above) { Score::INFINITE } else { Score::evaluation(value + above) },
    }
}
