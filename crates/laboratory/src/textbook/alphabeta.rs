//! Alpha-beta: negamax that skips moves that cannot change the result.
//!
//! `alpha` is the score that the side to move is already sure of elsewhere in the tree, and `beta` the most
//! that the other side will allow. A value outside this window cannot reach the root: if a node has a move
//! with a value of at least beta, the other side avoids the node, so its remaining moves do not matter. The
//! root has the same value as with plain negamax.
//!
//! A value inside the window is exact. A value of at most alpha may be too high, and a value of at least beta
//! too low ("fail-soft").

use super::{Searched, Textbook, TextbookNode};
use crate::value::{LOWEST, ValueWindow};
use kelso_draughts::board::MoveList;
use kelso_engine::search::{Bound, NodeEnd};

impl Textbook<'_> {
    /// Returns the value of a node for the side to move, within the window.
    #[inline]
    pub(super) fn alphabeta(&mut self, node: &TextbookNode<'_>, window: ValueWindow) -> Searched {
        self.enter(node, window);
        if node.depth == 0 { Ok(self.leaf(node)) } else { self.alphabeta_moves(node, window) }
    }

    /// Returns the value from the table, if there is one. Otherwise, returns the value of the best move, or
    /// of the first move that reaches beta.
    fn alphabeta_moves(&mut self, node: &TextbookNode<'_>, mut window: ValueWindow) -> Searched {
        let entry = self.look_up(node);
        if let Some(value) = entry.and_then(|entry| self.decide(node, entry, &mut window)) {
            return Ok(self.done(value, NodeEnd::Table));
        }
        let mut moves = MoveList::new();
        self.list(node, &mut moves);
        if moves.is_empty() {
            return Ok(self.no_moves(node));
        }
        if let Some(entry) = entry {
            self.order(entry, &mut moves);
        }
        let mut best = LOWEST;
        let mut best_move = None;
        for &mv in &moves {
            self.count(node)?;
            let next = node.position.after(mv);
            let child = self.make(node, mv, &next);
            let rest = ValueWindow { alpha: window.alpha.max(best), ..window };
            let value = -self.alphabeta(&child, rest.swapped())?;
            if value > best {
                best = value;
                best_move = Some(mv.id());
                self.improve(node, mv);
                if value >= window.beta {
                    self.counts.cuts += 1;
                    self.store(node, best, best_move, Bound::Lower);
                    return Ok(self.done(value, NodeEnd::Cut));
                }
            }
        }
        let bound = if best > window.alpha { Bound::Exact } else { Bound::Upper };
        self.store(node, best, best_move, bound);
        Ok(self.done(best, NodeEnd::Searched))
    }
}
