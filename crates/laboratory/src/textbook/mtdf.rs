//! MTD(f), by Aske Plaat: finds the value by null-window searches.
//!
//! A null-window search causes the most cutoffs. Each search returns a bound on the value, and the next
//! search tests that bound, until the lower and the upper bound meet. With a good first guess, and a table
//! that remembers earlier passes, a few passes are enough.

use super::node::Node;
use super::{Searched, Textbook};
use kelso_engine::search::{Score, Window};

impl Textbook<'_> {
    pub(super) fn mtdf(&mut self, root: &Node<'_>, guess: Option<Score>) -> Searched {
        let mut value = guess.unwrap_or_else(|| Score::evaluation(self.evaluation.raw_value(root.position)));
        let (mut lower, mut upper) = (Score::LOWEST, Score::HIGHEST);
        let mut best = None;
        while lower < upper {
            let asked = if value == lower { value.above() } else { value };
            self.best = None;
            value = self.alphabeta(root, Window::at_least(asked))?;
            if value >= asked {
                lower = value;
                // Only a move that fails high has a known value. The last such move has the value `lower`.
                best = self.best;
            } else {
                upper = value;
            }
        }
        self.best = best;
        Ok(value)
    }
}
