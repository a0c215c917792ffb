//! Negamax: the value of a position is the best of what its moves lead to, and what is good for one side is as bad for
//! the other.
//!
//! Nothing is left out, so from the start position a search of depth d makes perft(1) + ... + perft(d) moves.

use super::node::Node;
use super::observe::Observe;
use super::{Searched, Textbook, Value, Why, Window};
use crate::board::MoveList;

impl<O: Observe> Textbook<'_, O> {
    /// The value of a node for the side to move.
    pub(super) fn negamax(&mut self, node: &Node) -> Searched {
        self.enter(node, Window::FULL);
        if node.depth == 0 {
            return Ok(self.leaf(node));
        }
        let mut moves = MoveList::new();
        self.list(node, &mut moves);
        if moves.is_empty() {
            return Ok(self.stuck(node));
        }
        let mut best = Value::LOWEST;
        for &mv in &moves {
            self.count(node)?;
            let child = self.make(node, mv);
            let value = -self.negamax(&child)?;
            if value > best {
                best = value;
                self.raise(node, mv);
            }
        }
        Ok(self.done(best, Why::Searched))
    }
}
