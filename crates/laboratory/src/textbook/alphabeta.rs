//! Alpha-beta: negamax without the moves that cannot change the result.
//!
//! `alpha` is the score that the side to move has for certain elsewhere in the tree, `beta` that of the other side. A value
//! outside the window between them cannot reach the root: the other side does not allow a move of at least beta, so the
//! remaining moves of the node do not matter. The value at the root is that of plain negamax.
//!
//! Inside the window the value of a node is exact; a value of at most alpha may be too high, one of at least beta too low
//! ("fail-soft").

use super::node::Node;
use super::{Searched, Textbook};
use draughts::board::MoveList;
use engine::search::{NodeEnd, Score, Window};

impl Textbook<'_> {
    /// Returns the value of a node for the side to move, within the window.
    #[inline]
    pub(super) fn alphabeta(&mut self, node: &Node<'_>, window: Window) -> Searched {
        self.enter(node, window);
        if node.depth == 0 { Ok(self.leaf(node)) } else { self.alphabeta_moves(node, window) }
    }

    /// Returns the value of the best move, or of the first that reaches beta.
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
