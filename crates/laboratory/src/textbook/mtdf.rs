//! MTD(f), by Aske Plaat: finds the value by null-window searches.
//!
//! A null-window search causes the most cutoffs. Each search returns a bound on the value, and the next
//! search tests that bound, until the lower and the upper bound meet. With a good first guess, and a table
//! that remembers earlier passes, a few passes are enough.

use super::{Searched, Textbook, TextbookNode};
use crate::value::{HIGHEST, LOWEST, Value, ValueWindow};

impl Textbook<'_> {
    pub(super) fn mtdf(&mut self, root: &TextbookNode<'_>, guess: Option<Value>) -> Searched {
        let mut value = guess.unwrap_or_else(|| self.evaluation.value(root.position));
        let mut lower = LOWEST;
        let mut upper = HIGHEST;
        let mut best = None;
        while lower < upper {
            let asked = if value == lower { value + 1 } else { value };
            self.best = None;
            value = self.alphabeta(root, ValueWindow::at_least(asked))?;
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
