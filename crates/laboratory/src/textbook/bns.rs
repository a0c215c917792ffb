//! Best node search, by Dmitrijs Rutko: finds the best move without its value.
//!
//! All moves are tested by null-window searches against a guess. If exactly one move reaches the guess, it is
//! the best. If several do, the next guess is higher; if none does, the next guess is lower. Each guess is
//! chosen so that one of the remaining moves is expected to score above it. While only one end of the range
//! of values is known, the guess moves away from that end in growing steps.
//!
//! The bounds returned by the searches narrow the range.

use super::node::Node;
use super::{Textbook, TextbookResult};
use kelso_draughts::board::{Move, MoveList};
use kelso_engine::search::{NodeEnd, Score, Stopped, Window};

impl Textbook<'_> {
    /// Returns the best move at the root, and a bound on the move's value.
    pub(super) fn best_node_search(
        &mut self,
        root: &Node<'_>,
        guess: Option<Score>,
    ) -> Result<TextbookResult, Stopped> {
        let mut moves = MoveList::new();
        self.list(root, &mut moves);
        if moves.len() < 2 {
            // A single legal move is best, so only its value is needed.
            let value = self.alphabeta(root, Window::FULL)?;
            return Ok(TextbookResult { best: self.best, value, exact: true, depth: root.depth });
        }
        let (mut lower, mut upper) = (Score::LOWEST, Score::HIGHEST);
        let mut candidates = moves.len();
        let mut step = self.evaluation.raw_man();
        let mut best = None;
        let mut test = guess.unwrap_or_else(|| Score::evaluation(self.evaluation.raw_value(root.position)));
        loop {
            let (better_count, highest) = self.test_moves(root, &moves, test)?;
            if better_count > 0 {
                // This is a lower bound on the move's value.
                lower = highest;
                best = self.best;
                candidates = better_count;
            } else {
                upper = highest.above();
            }
            let is_exact = lower.above() >= upper;
            if is_exact || better_count == 1 {
                return Ok(TextbookResult {
                    best: best.or(self.best),
                    value: lower,
                    exact: is_exact,
                    depth: root.depth,
                });
            }
            // Stay within the known bounds, to avoid repeating a test.
            test = if lower == Score::LOWEST {
                upper.moved(-step)
            } else if upper == Score::HIGHEST {
                lower.moved(step)
            } else {
                between(lower, upper, candidates)
            };
            test = test.max(lower.above()).min(upper.below());
            step = step.saturating_mul(4);
        }
    }

    /// Tests every move against a guess. Returns how many moves reach it, and the highest value found.
    fn test_moves(
        &mut self,
        root: &Node<'_>,
        moves: &[Move],
        test: Score,
    ) -> Result<(usize, Score), Stopped> {
        let window = Window::at_least(test);
        self.enter(root, window);
        let (mut better_count, mut highest) = (0, Score::LOWEST);
        for &mv in moves {
            self.count(root)?;
            let next = root.position.after(mv);
            let child = self.make(root, mv, &next);
            let value = -self.alphabeta(&child, window.swapped())?;
            if value > highest {
                highest = value;
                self.improve(root, mv);
            }
            better_count += usize::from(value >= test);
        }
        Ok((better_count, self.done(highest, NodeEnd::Searched)))
    }
}

/// Returns the score that one move is expected to exceed if the scores of the moves are evenly spread.
fn between(lower: Score, upper: Score, candidates: usize) -> Score {
    let count = i64::try_from(candidates).unwrap_or(1);
    let range = i64::from(upper.value()) - i64::from(lower.value());
    lower.moved(i32::try_from(range * (count - 1) / count.max(1)).unwrap_or(i32::MAX))
}
