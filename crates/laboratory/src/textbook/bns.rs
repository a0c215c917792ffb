//! Best node search, by Dmitrijs Rutko: finds the best move without its value.
//!
//! All moves are tested by null-window searches against a guess. If exactly one move reaches the guess, it is
//! the best. If several do, the next guess is higher; if none does, the next guess is lower. Each guess is
//! chosen so that one of the remaining moves is expected to score above it. While only one end of the range
//! of values is known, the guess moves away from that end in growing steps.
//!
//! The bounds returned by the searches narrow the range.

use super::{Textbook, TextbookNode, TextbookResult};
use crate::value::{HIGHEST, LOWEST, Value, ValueWindow, moved};
use kelso_draughts::board::{Move, MoveList};
use kelso_engine::search::{NodeEnd, Stopped};

impl Textbook<'_> {
    /// Returns the best move at the root, and a bound on the move's value.
    pub(super) fn best_node_search(
        &mut self,
        root: &TextbookNode<'_>,
        guess: Option<Value>,
    ) -> Result<TextbookResult, Stopped> {
        let mut moves = MoveList::new();
        self.list(root, &mut moves);
        if moves.len() < 2 {
            // A single legal move is best, so only its value is needed.
            let value = self.alphabeta(root, ValueWindow::FULL)?;
            return Ok(TextbookResult { best: self.best, value, exact: true, depth: root.depth });
        }
        let mut lower = LOWEST;
        let mut upper = HIGHEST;
        let mut candidates = moves.len();
        let mut step = self.evaluation.man();
        let mut best = None;
        let mut test = guess.unwrap_or_else(|| self.evaluation.value(root.position));
        loop {
            let (better_count, highest) = self.test_moves(root, &moves, test)?;
            if better_count > 0 {
                // This is a lower bound on the move's value.
                lower = highest;
                best = self.best;
                candidates = better_count;
            } else {
                upper = highest + 1;
            }
            let is_exact = lower + 1 >= upper;
            if is_exact || better_count == 1 {
                return Ok(TextbookResult {
                    best: best.or(self.best),
                    value: lower,
                    exact: is_exact,
                    depth: root.depth,
                });
            }
            // Stay within the known bounds, to avoid repeating a test.
            test = if lower == LOWEST {
                moved(upper, -step)
            } else if upper == HIGHEST {
                moved(lower, step)
            } else {
                between(lower, upper, candidates)
            };
            test = test.max(lower + 1).min(upper - 1);
            step = step.saturating_mul(4);
        }
    }

    /// Tests every move against a guess. Returns how many moves reach it, and the highest value found.
    fn test_moves(
        &mut self,
        root: &TextbookNode<'_>,
        moves: &[Move],
        test: Value,
    ) -> Result<(usize, Value), Stopped> {
        let window = ValueWindow::at_least(test);
        self.enter(root, window);
        let mut better_count = 0;
        let mut highest = LOWEST;
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

/// Returns the value that one move is expected to exceed if the values of the moves are evenly spread.
fn between(lower: Value, upper: Value, candidates: usize) -> Value {
    let count = i64::try_from(candidates).unwrap_or(1);
    let range = i64::from(upper) - i64::from(lower);
    moved(lower, i32::try_from(range * (count - 1) / count.max(1)).unwrap_or(i32::MAX))
}
