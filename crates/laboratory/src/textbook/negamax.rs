//! Negamax: the value of a position is the greatest negated value of the positions after its moves, since
//! what is good for one side is bad for the other.
//!
//! All moves are searched, so from the starting position a search of depth d makes perft(1) + ... + perft(d)
//! moves.

use super::{Searched, Textbook, TextbookNode};
use crate::value::{LOWEST, ValueWindow};
use kelso_draughts::board::MoveList;
use kelso_engine::search::NodeEnd;

impl Textbook<'_> {
    /// Returns the value of a node for the side to move.
    #[inline]
    pub(super) fn negamax(&mut self, node: &TextbookNode<'_>) -> Searched {
        self.enter(node, ValueWindow::FULL);
        if node.depth == 0 { Ok(self.leaf(node)) } else { self.negamax_moves(node) }
    }

    /// Returns the value of the best move of a node.
    fn negamax_moves(&mut self, node: &TextbookNode<'_>) -> Searched {
        let mut moves = MoveList::new();
        self.list(node, &mut moves);
        if moves.is_empty() {
            return Ok(self.no_moves(node));
        }
        let mut best = LOWEST;
        for &mv in &moves {
            self.count(node)?;
            let next = node.position.after(mv);
            let child = self.make(node, mv, &next);
            let value = -self.negamax(&child)?;
            if value > best {
                best = value;
                self.improve(node, mv);
            }
        }
        Ok(self.done(best, NodeEnd::Searched))
    }
}
