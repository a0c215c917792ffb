//! Alpha-beta: negamax that leaves out what can't change the result.
//!
//! `alpha` is what the side to move has for certain elsewhere in the tree, `beta` what the other side has. A value
//! outside the window between them can't reach the root: a move worth at least beta will not be allowed, so the rest of
//! the node's moves don't matter. The value at the root is that of plain negamax.
//!
//! Inside the window a node's value is exact; at most alpha it may be too high, at least beta too low ("fail-soft").

use super::node::Node;
use super::{Searched, Textbook};
use draughts::board::MoveList;
use engine::search::{NodeEnd, Score, Window};

impl Textbook<'_> {
    /// Returns the value of a node for the side to move, as far as the window asks.
    #[inline]
    pub(super) fn alphabeta(&mut self, node: &Node<'_>, window: Window) -> Searched {
        self.enter(node, window);
        if node.depth == 0 { Ok(self.leaf(node)) } else { self.alphabeta_moves(node, window) }
    }

    /// Returns the best of a node's moves, or the first that is good enough.
    fn alphabeta_moves(&mut self, node: &Node<'_>, window: Window) -> Searched {
        let mut moves = MoveList::new();
        self.list(node, &mut moves);
        if moves.is_empty() {
            return Ok(self.no_moves(node));
        }
        let mut best = Score::LOWEST;
        for &mv in &moves {
            self.count(node)?;
            let next = node.position.after(mv);
            let child = self.make(node, mv, &next);
            let value = -self.alphabeta(&child, window.below(best))?;
            if value > best {
                best = value;
                self.improve(node, mv);
                if best >= window.beta {
                    self.counts.cuts += 1;
                    return Ok(self.done(best, NodeEnd::Cut));
                }
            }
        }
        Ok(self.done(best, NodeEnd::Searched))
    }
}
