//! Alpha-beta with a transposition table: a position reached by several move orders is searched only once.
//!
//! If the entry of a position is deep enough and exact, its value is returned. A bound raises alpha or lowers
//! beta; if that empties the window, the bound is returned. The root is always searched, since its best move
//! is needed.
//!
//! An entry may come from a deeper search than required, so the value may differ from that of a search
//! without a table.

use super::transpositions::{Transposition, first};
use super::{Textbook, TextbookNode};
use crate::profiler::Phase;
use crate::value::{Value, ValueWindow};
use kelso_draughts::board::{Move, MoveId};
use kelso_engine::search::Bound;

impl Textbook<'_> {
    /// Returns the entry of a node, if there is a table.
    #[inline]
    pub(super) fn look_up(&mut self, node: &TextbookNode<'_>) -> Option<Transposition> {
        if !self.config.table {
            return None;
        }
        self.begin(Phase::Table);
        let entry = self.table.probe(node.position.key(), node.ply);
        self.begin(Phase::Rest);
        entry
    }

    /// Narrows the window using an entry that is deep enough. Returns the entry's value if it decides the
    /// node.
    #[inline]
    pub(super) fn decide(
        &mut self,
        node: &TextbookNode<'_>,
        entry: Transposition,
        window: &mut ValueWindow,
    ) -> Option<Value> {
        let Transposition { value, bound, depth, .. } = entry;
        if usize::from(depth) < node.depth || node.ply == 0 {
            return None;
        }
        match bound {
            Bound::Exact => {
                self.counts.table_exact += 1;
                return Some(value);
            }
            Bound::Lower => window.alpha = window.alpha.max(value),
            Bound::Upper => window.beta = window.beta.min(value),
        }
        let is_cutoff = window.alpha >= window.beta;
        self.counts.table_cuts += u64::from(is_cutoff);
        is_cutoff.then_some(value)
    }

    /// Moves the table move to the front.
    #[inline]
    pub(super) fn order(&mut self, entry: Transposition, moves: &mut [Move]) {
        if self.config.ordering {
            self.begin(Phase::Ordering);
            first(moves, entry.best);
            self.begin(Phase::Rest);
        }
    }

    /// Stores the value of a node, unless only some of its moves were searched.
    #[inline]
    pub(super) fn store(
        &mut self,
        node: &TextbookNode<'_>,
        value: Value,
        best: Option<MoveId>,
        bound: Bound,
    ) {
        if !self.config.table || node.ply == 0 && !self.only.is_empty() {
            return;
        }
        let depth = u8::try_from(node.depth).unwrap_or(u8::MAX);
        let entry = Transposition { value, bound, depth, best };
        self.begin(Phase::Table);
        self.table.store(node.position.key(), node.ply, entry);
        self.begin(Phase::Rest);
    }
}
