//! A node inside the tree: what is known already, what can be given up, and the moves.

use super::Search;
use super::margins::{
    CAPTURE_DEPTH, CLAIM_DEPTH, FUTILITY_DEPTH, STRANGE_DEPTH, SURPLUS_DEPTH, TABLE_DEPTH, VERIFY_DEPTH,
};
use super::singular::Weight;
use crate::board::{Move, Position};
use crate::eval::Evaluate;
use crate::search::control::{Searched, Stopped};
use crate::search::line::{Line, extend};
use crate::search::ordering::Picker;
use crate::search::score::{Bound, MAX_PLY, Score};
use crate::search::table::Known;
use crate::search::watch::{End, Watch};
use crate::search::window::Window;

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) window: Window<Score>,
    /// Nothing can be captured.
    calm: bool,
    /// Quiet moves can hardly lift the score into the window.
    futile: bool,
    /// The signature of the move to try first, 0 if there is none.
    best: u16,
    /// Plies more that this move gets.
    more: i32,
    /// This move is left out.
    others: bool,
}

impl Place {
    /// The same node without its best move, to ask what the others are worth.
    pub(super) const fn others(self, depth: i32, window: Window<Score>) -> Self {
        Self { depth, window, futile: false, others: true, ..self }
    }
}

impl<E: Evaluate, W: Watch<Score>> Search<'_, E, W> {
    /// The score of a move, for the side that makes it.
    #[inline]
    pub(super) fn after(
        &mut self,
        position: &Position,
        mv: Move,
        depth: i32,
        ply: usize,
        window: Window<Score>,
        line: &mut Line,
    ) -> Searched {
        let next = position.after(mv);
        if depth >= TABLE_DEPTH {
            self.task.table.prefetch(next.key());
        }
        self.path.push(mv, &next);
        self.watch.enter(Some(mv), ply + 1, usize::try_from(depth).unwrap_or(0), window.swapped());
        let score = self.node(&next, depth, ply + 1, window.swapped(), line);
        self.path.pop();
        let score = score?;
        self.watch.leave(score);
        Ok(-score)
    }

    fn node(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        mut window: Window<Score>,
        line: &mut Line,
    ) -> Searched {
        line.clear();
        if self.path.is_draw() && position.can_move() {
            self.watch.end(End::Draw);
            return Ok(Score::DRAW);
        }
        if depth <= 0 || ply >= MAX_PLY - 1 {
            let rest = if depth < 0 { End::Quiescence } else { End::Depth };
            return self.quiesce(position, ply, window, rest);
        }
        if self.is_over() {
            return Err(Stopped);
        }
        // A line that is longer than a result known already can't change it.
        window.alpha = window.alpha.max(Score::loss_in(ply));
        window.beta = window.beta.min(Score::win_in(ply + 1));
        if window.alpha >= window.beta {
            self.watch.end(End::Bounds);
            return Ok(window.alpha);
        }
        // With a capture on the board an evaluation says nothing, and every move is a capture.
        let calm = !position.must_capture();
        if calm && let Some(score) = self.known_ending(position, ply) {
            self.watch.end(End::Database);
            return Ok(score);
        }
        let quick = window.is_null();
        // Judged before the table is asked: its entry is on its way from memory meanwhile.
        let standing = if quick && calm { Some(self.judge(position, ply)) } else { None };
        let kept = depth >= TABLE_DEPTH;
        let known = if kept { self.task.table.find(position.key(), ply) } else { None };
        if let Some(known) = known
            && quick
            && i32::try_from(known.depth).is_ok_and(|known| known >= depth)
            && known.bound.settles(known.score, window)
        {
            self.watch.end(End::Table);
            return Ok(known.score);
        }
        if let Some(value) = standing
            && let Some(score) = self.give_up(position, value, depth, ply, window)?
        {
            self.watch.end(End::Pruned);
            return Ok(score);
        }
        let futile = standing.is_some_and(|value| {
            depth <= FUTILITY_DEPTH
                && window.alpha.is_evaluation()
                && Score::evaluation(value + self.task.options.margins.futility() * depth) <= window.alpha
        });
        let best = known.map_or(0, |known| known.best);
        // Nobody has thought this node worth a search before, or no move of it was good enough: it can do with a ply
        // less, after which there may be a move to begin with.
        let depth = if calm && best == 0 && depth >= STRANGE_DEPTH { depth - 1 } else { depth };
        let mut place = Place { depth, ply, window, calm, futile, best, more: 0, others: false };
        if let Some(known) = known {
            match self.weigh(position, place, known)? {
                Weight::More(more) => place.more = more,
                Weight::Enough(score) => {
                    self.watch.end(End::Pruned);
                    return Ok(score);
                }
            }
        }
        let found = self.expand(position, place, line)?;
        if kept {
            self.task.table.keep(position.key(), ply, found);
        }
        Ok(found.score)
    }

    /// Tries the moves of a node, best first.
    pub(super) fn expand(
        &mut self,
        position: &Position,
        place: Place,
        line: &mut Line,
    ) -> Result<Known, Stopped> {
        let Place { depth, ply, mut window, calm, futile, best, more, others } = place;
        let kept_depth = usize::try_from(depth).unwrap_or(0);
        let mut picker = Picker::new();
        picker.fill(position, best, &self.experience, ply);
        if picker.is_empty() {
            self.watch.end(End::Stuck);
            return Ok(Known { score: Score::loss_in(ply), bound: Bound::Exact, depth: kept_depth, best: 0 });
        }
        // A side without a choice gets its reply for nothing; with a capture, of which lines are full, only near
        // the root: combinations are found that were given up for what they cost at first.
        let room = if calm { self.longest } else { self.iteration / 2 };
        let forced = picker.is_single() && ply < room && (calm || depth >= CAPTURE_DEPTH);
        let below_depth = if forced { depth } else { depth - 1 };
        if others {
            // The remembered move, which comes first.
            let _ = picker.next();
        }
        let mut known = Known { score: Score::LOWEST, bound: Bound::Upper, depth: kept_depth, best: 0 };
        let quick = window.is_null();
        // With the remembered move left out, the next one is the first.
        let first = usize::from(others);
        let shared = depth >= CLAIM_DEPTH && self.crew.is_several();
        let mut below = Line::new();
        while let Some(mv) = picker.next() {
            let number = picker.place() - first;
            let quiet = calm && !mv.is_crowning();
            if futile && quiet && number > 0 {
                // The first move keeps the score honest; it stands for the ones that are left out.
                break;
            }
            let mut claim = None;
            if shared && number > 0 {
                let (claims, key) = (&self.crew.claims, position.after(mv).key());
                if claims.is_taken(key) && picker.put_off() {
                    continue;
                }
                claim = Some(claims.take(key));
            }
            let less = if quiet {
                let proof = self.experience.proof(position.side(), mv);
                self.task.options.margins.reduction(depth, number, quick, proof)
            } else {
                0
            };
            if number > 0
                && below_depth - less >= TABLE_DEPTH
                && let Some(then) = picker.peek()
            {
                // Once the first move has failed to end the node, the others will all be needed.
                self.task.table.prefetch(position.after(then).key());
            }
            let more = if more != 0 && !forced && mv.signature() == best { more } else { 0 };
            let depths = (below_depth + more, less, ply);
            let score = self.try_move(position, mv, number, depths, window, &mut below)?;
            drop(claim);
            known.score = known.score.max(score);
            if score > window.alpha {
                known.bound = Bound::Exact;
                known.best = mv.signature();
                if !others {
                    self.watch.raise(ply, mv);
                }
                window.alpha = score;
                if !quick {
                    extend(line, mv, &below);
                }
            }
            if window.alpha >= window.beta {
                known.bound = Bound::Lower;
                if calm {
                    // One that was left out is among them, instead of the last: to spare it cost 24 ± 18 Elo.
                    let before = picker.tried().get(..number).unwrap_or_default();
                    self.experience.learn(position.side(), mv, before, kept_depth, ply);
                }
                break;
            }
        }
        let cut = known.bound == Bound::Lower;
        self.watch.end(if cut { End::Cut } else { End::Searched });
        Ok(known)
    }

    /// The first move gets the whole window; the others have to show that they are better at all before they do, and
    /// late ones at less depth before that.
    fn try_move(
        &mut self,
        position: &Position,
        mv: Move,
        number: usize,
        (depth, less, ply): (i32, i32, usize),
        window: Window<Score>,
        line: &mut Line,
    ) -> Searched {
        if number == 0 {
            return self.after(position, mv, depth, ply, window, line);
        }
        let better = Window::above(window.alpha);
        let mut score = self.after(position, mv, depth - less, ply, better, line)?;
        if less > 0 && score > window.alpha {
            score = self.after(position, mv, depth, ply, better, line)?;
        }
        if score > window.alpha && score < window.beta {
            score = self.after(position, mv, depth, ply, window, line)?;
        }
        Ok(score)
    }

    /// A node whose evaluation is far outside the window is not worth its depth: near the leaves it is given up at once,
    /// further up if a shallower search agrees.
    ///
    /// With a known result for a bound, margins mean nothing: there the shallower search alone decides, or to make sure
    /// that every move loses would take a search without any pruning.
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
        window: Window<Score>,
    ) -> Result<Option<Score>, Stopped> {
        let among = window.alpha.is_evaluation() && window.beta.is_evaluation();
        if depth <= SURPLUS_DEPTH {
            let enough = among
                && Score::evaluation(value - self.task.options.margins.surplus() * depth) >= window.beta;
            return Ok((enough && !position.is_threatened()).then(|| Score::evaluation(value)));
        }
        if depth < VERIFY_DEPTH {
            return Ok(None);
        }
        let margins = &self.task.options.margins;
        let mut line = Line::new();
        let above = if among { window.beta.moved(margins.verify_above()) } else { window.beta };
        if Score::evaluation(value) >= above {
            let score = self.node(
                position,
                depth - margins.verify_less(),
                ply,
                Window::above(above.below()),
                &mut line,
            )?;
            return Ok((score >= above).then_some(window.beta));
        }
        let under = if among { window.alpha.moved(-margins.verify_under()) } else { window.alpha };
        if Score::evaluation(value) <= under {
            let score =
                self.node(position, depth - margins.verify_less(), ply, Window::above(under), &mut line)?;
            return Ok((score <= under).then_some(window.alpha));
        }
        Ok(None)
    }
}
