//! Iterative deepening with alpha-beta: a table, quiescence over captures, killers and history.

use super::control::{Meter, Searched, Stopped};
use super::event::{Answer, Event, Report};
use super::line::{Line, Window, extend};
use super::ordering::{Experience, Picker};
use super::path::Path;
use super::score::{Bound, MAX_PLY, Score};
use super::table::Known;
use super::{Limits, QUIET_SPELL, Task};
use crate::board::{Move, Position};
use crate::eval::Evaluate;

/// Searches until a limit is reached or the search is stopped, and tells what it finds on the way.
///
/// At least one line is told, and every search completes its first iteration, so that there is always an answer.
pub fn search<E: Evaluate>(task: &Task<'_>, evaluation: &E, tell: &mut dyn FnMut(Event)) -> Answer {
    task.table.age();
    Search::new(task, evaluation).deepen(tell)
}

struct Search<'a, E: Evaluate> {
    task: &'a Task<'a>,
    evaluation: &'a E,
    meter: Meter<'a>,
    path: Path,
    experience: Experience,
    deepest: usize,
    /// The first iteration is completed whatever the limits say.
    bound_to_finish: bool,
}

impl<'a, E: Evaluate> Search<'a, E> {
    fn new(task: &'a Task<'a>, evaluation: &'a E) -> Self {
        Self {
            task,
            evaluation,
            meter: Meter::new(task.control, task.limits, task.overhead),
            path: Path::new(task.game),
            experience: Experience::new(),
            deepest: 0,
            bound_to_finish: true,
        }
    }

    fn deepen(mut self, tell: &mut dyn FnMut(Event)) -> Answer {
        let Limits { depth, infinite, .. } = *self.task.limits;
        let mut moves = self.task.root_moves();
        let mut best = Line::new();
        let last = depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        for depth in 1..=last {
            if moves.is_empty() {
                tell(self.report(0, Score::loss_in(0), &best));
                break;
            }
            self.deepest = 0;
            let Ok((score, line)) = self.iterate(depth, &mut moves, &mut best, tell) else { break };
            best = line;
            tell(self.report(depth, score, &best));
            self.bound_to_finish = false;
            if !self.meter.has_time_for_more() || self.is_settled(score, depth, moves.len()) {
                break;
            }
        }
        self.task.control.wait(infinite);
        Answer { best: best.first().copied(), ponder: best.get(1).copied(), nodes: self.meter.nodes() }
    }

    /// Whether nothing more can change the answer of a search on a clock.
    fn is_settled(&self, score: Score, depth: usize, choices: usize) -> bool {
        self.meter.may_answer_early() && (score.is_proved_within(depth) || choices == 1)
    }

    fn report(&self, depth: usize, score: Score, line: &Line) -> Event {
        Event::Line(Report {
            depth,
            selective_depth: self.deepest.max(depth),
            rank: 1,
            score,
            bound: Bound::Exact,
            nodes: self.meter.nodes(),
            table_hits: 0,
            hash_full: self.task.table.fill(),
            time: self.task.control.elapsed(),
            line: line.to_vec(),
        })
    }

    /// One iteration over the root moves, which end up with the best in front. When it is stopped, a better move that
    /// it has found so far is in `best`.
    fn iterate(
        &mut self,
        depth: usize,
        moves: &mut [Move],
        best: &mut Line,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(Score, Line), Stopped> {
        let root = *self.task.game.position();
        let mut window = Window::FULL;
        let mut chosen = Line::new();
        for number in 0..moves.len() {
            let Some(&mv) = moves.get(number) else { break };
            if self.task.control.elapsed() >= QUIET_SPELL {
                tell(Event::Trying { depth, mv, number: number + 1 });
            }
            let mut line = Line::new();
            let score = self.try_move(&root, mv, number, depth, 0, window, &mut line)?;
            if score > window.alpha {
                window.alpha = score;
                extend(&mut chosen, mv, &line);
                best.clone_from(&chosen);
                if number > 0 {
                    tell(self.report(depth, score, best));
                }
                if let Some(front) = moves.get_mut(..=number) {
                    front.rotate_right(1);
                }
            }
        }
        let known = Known {
            score: window.alpha,
            bound: Bound::Exact,
            depth,
            best: chosen.first().map_or(0, |mv| mv.signature()),
        };
        if self.task.limits.search_moves.is_empty() {
            self.task.table.keep(root.key(), 0, known);
        }
        Ok((window.alpha, chosen))
    }

    /// The score of a move, for the side that makes it.
    fn after(
        &mut self,
        position: &Position,
        mv: Move,
        depth: usize,
        ply: usize,
        window: Window,
        line: &mut Line,
    ) -> Searched {
        let next = position.after(mv);
        self.path.push(mv, &next);
        let score = self.node(&next, depth - 1, ply + 1, window.swapped(), line);
        self.path.pop();
        Ok(-score?)
    }

    fn node(
        &mut self,
        position: &Position,
        depth: usize,
        ply: usize,
        mut window: Window,
        line: &mut Line,
    ) -> Searched {
        line.clear();
        if self.path.is_draw() && position.can_move() {
            return Ok(Score::DRAW);
        }
        if depth == 0 || ply >= MAX_PLY - 1 {
            return self.quiesce(position, ply, window);
        }
        if self.meter.count() && !self.bound_to_finish {
            return Err(Stopped);
        }
        let known = self.task.table.find(position.key(), ply);
        if let Some(known) = known
            && known.depth >= depth
            && window.is_null()
            && known.bound.settles(known.score, window)
        {
            return Ok(known.score);
        }
        let mut picker = Picker::new();
        picker.fill(position, known.map_or(0, |known| known.best), &self.experience, ply);
        if picker.is_empty() {
            return Ok(Score::loss_in(ply));
        }
        let alpha = window.alpha;
        let mut best = (Score::LOWEST, 0);
        let mut below = Line::new();
        for (number, mv) in picker.by_ref().enumerate() {
            let score = self.try_move(position, mv, number, depth, ply, window, &mut below)?;
            if score > best.0 {
                best = (score, mv.signature());
            }
            if score > window.alpha {
                window.alpha = score;
                extend(line, mv, &below);
            }
            if window.alpha >= window.beta {
                if !mv.is_capture() {
                    self.experience.learn(position.side(), mv, &[], depth, ply);
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
        self.task.table.keep(position.key(), ply, Known { score, bound, depth, best });
        Ok(score)
    }

    /// The first move gets the whole window; the others have to show that they are better at all before they do.
    #[expect(clippy::too_many_arguments, reason = "a move's place in the tree is all of this")]
    fn try_move(
        &mut self,
        position: &Position,
        mv: Move,
        number: usize,
        depth: usize,
        ply: usize,
        window: Window,
        line: &mut Line,
    ) -> Searched {
        if number > 0 && !window.is_null() {
            let probe = Window::above(window.alpha);
            let score = self.after(position, mv, depth, ply, probe, line)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        self.after(position, mv, depth, ply, window, line)
    }

    /// Plays out captures, which are compulsory, and judges the first position without any.
    fn quiesce(&mut self, position: &Position, ply: usize, mut window: Window) -> Searched {
        if self.meter.count() && !self.bound_to_finish {
            return Err(Stopped);
        }
        self.deepest = self.deepest.max(ply);
        if !position.must_capture() {
            if !position.can_move() {
                return Ok(Score::loss_in(ply));
            }
            return Ok(Score::evaluation(self.evaluation.evaluate(position)));
        }
        let mut best = Score::LOWEST;
        for mv in position.captures() {
            let score = -self.quiesce(&position.after(mv), ply + 1, window.swapped())?;
            best = best.max(score);
            window.alpha = window.alpha.max(score);
            if window.alpha >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}
