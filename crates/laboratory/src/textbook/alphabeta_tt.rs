//! Alpha-beta with a transposition table: different orders of the same moves lead to the same position, which is searched
//! once.
//!
//! If the entry of a position is deep enough and exact, its value is returned. A bound raises alpha or lowers beta, and is
//! returned if the window is empty then. The root is always searched, since its move is needed.
//!
//! An entry may be deeper than required. So with a table a search of depth d can return another value than without: that
//! of a deeper search.

use super::node::Node;
use super::transpositions::{TableEntry, first};
use super::{Searched, Textbook};
use draughts::board::MoveList;
use engine::search::{Bound, NodeEnd, Score, SearchPart, Window};

impl Textbook<'_> {
    /// Returns the value of a node for the side to move, within the window.
    #[inline]
    pub(super) fn alphabeta_tt(&mut self, node: &Node<'_>, window: Window) -> Searched {
        self.enter(node, window);
        if node.depth == 0 { Ok(self.leaf(node)) } else { self.alphabeta_tt_moves(node, window) }
    }

    /// Returns the value of a node from the table, or of its best move, or of the first that reaches beta.
    fn alphabeta_tt_moves(&mut self, node: &Node<'_>, mut window: Window) -> Searched {
        self.tracker.mark(SearchPart::Table);
        let known = self.table.probe(node.position.key(), node.ply);
        self.tracker.mark(SearchPart::Rest);
        if let Some(TableEntry { value, bound, depth, .. }) = known
            && usize::from(depth) >= node.depth
            && node.ply > 0
        {
            match bound {
                Bound::Exact => {
                    self.counts.table_exact += 1;
                    return Ok(self.done(value, NodeEnd::Table));
                }
                Bound::Lower => window.alpha = window.alpha.max(value),
                Bound::Upper => window.beta = window.beta.min(value),
            }
            if window.alpha >= window.beta {
                self.counts.table_cuts += 1;
                return Ok(self.done(value, NodeEnd::Table));
            }
        }
        let mut moves = MoveList::new();
        self.list(node, &mut moves);
        if moves.is_empty() {
            return Ok(self.no_moves(node));
        }
        if self.config.ordering
            && let Some(known) = known
        {
            self.tracker.mark(SearchPart::Ordering);
            first(&mut moves, known.best);
            self.tracker.mark(SearchPart::Rest);
        }
        let mut best = (Score::LOWEST, 0);
        for &mv in &moves {
            self.count(node)?;
            let next = node.position.after(mv);
            let child = self.make(node, mv, &next);
            let value = -self.alphabeta_tt(&child, window.below(best.0))?;
            if value > best.0 {
                best = (value, mv.signature());
                self.improve(node, mv);
                if value >= window.beta {
                    self.counts.cuts += 1;
                    self.store(node, best, Bound::Lower);
                    return Ok(self.done(value, NodeEnd::Cut));
                }
            }
        }
        let bound = if best.0 > window.alpha { Bound::Exact } else { Bound::Upper };
        self.store(node, best, bound);
        Ok(self.done(best.0, NodeEnd::Searched))
    }

    #[inline]
    fn store(&mut self, node: &Node<'_>, (value, best): (Score, u16), bound: Bound) {
        if node.ply == 0 && !self.only.is_empty() {
            // Only some of the moves were searched.
            return;
        }
        let depth = u8::try_from(node.depth).unwrap_or(u8::MAX);
        let known = TableEntry { value, bound, depth, best };
        self.tracker.mark(SearchPart::Table);
        self.table.store(node.position.key(), node.ply, known);
        self.tracker.mark(SearchPart::Rest);
    }
}
