//! MTD(f), by Aske Plaat: find the value by asking only "is it at least this much?".
//!
//! Each question is an alpha-beta search with a window without width, which cuts more than any other, and its answer is
//! a bound. The next question is asked at that bound, until the bounds meet. With a good first guess and a table, which
//! spares each pass what the ones before it found out, a few passes are enough.

use super::node::Node;
use super::{Searched, Textbook};
use engine::search::{Score, Window};

impl Textbook<'_> {
    /// Returns the value of the root.
    pub(super) fn mtdf(&mut self, root: &Node<'_>, guess: Option<Score>) -> Searched {
        let mut value = guess.unwrap_or_else(|| Score::own_units(self.evaluation.value(root.position)));
        let (mut lower, mut upper) = (Score::LOWEST, Score::HIGHEST);
        let mut best = None;
        while lower < upper {
            let asked = if value == lower { value.above() } else { value };
            self.best = None;
            value = self.window_search(root, Window::at_least(asked))?;
            if value >= asked {
                lower = value;
                // Only a move that is good enough is known to be good at all. The last such is worth `lower`.
                best = self.best;
            } else {
                upper = value;
            }
        }
        self.best = best;
        Ok(value)
    }
}
