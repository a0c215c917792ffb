//! A node of the tree.

use super::{NoMoves, Textbook, TextbookNode};
use crate::profiler::Phase;
use crate::value::{Value, ValueWindow, loss_in};
use kelso_draughts::board::{Move, MoveList, Position};
use kelso_engine::search::{NodeEnd, Stopped};

impl Textbook<'_> {
    #[inline]
    pub(super) fn list(&mut self, node: &TextbookNode<'_>, moves: &mut MoveList) {
        self.begin(Phase::Moves);
        node.position.list_moves(moves);
        self.begin(Phase::Rest);
        if node.ply == 0 && !self.only.is_empty() {
            moves.retain(|mv| self.only.contains(mv));
        }
    }

    /// Counts a move that is about to be made.
    #[inline]
    pub(super) fn count(&mut self, node: &TextbookNode<'_>) -> Result<(), Stopped> {
        self.counts.explored += 1;
        self.counts.deepest = self.counts.deepest.max(node.ply + 1);
        self.tracker.count()
    }

    /// Returns the child node after a move.
    #[inline]
    pub(super) fn make<'p>(
        &self,
        node: &TextbookNode<'_>,
        mv: Move,
        position: &'p Position,
    ) -> TextbookNode<'p> {
        let left = node.depth.saturating_sub(1);
        let depth = self.quiet_depth(position, left);
        let extended = node.extended || depth > left;
        TextbookNode { position, mv: Some(mv), ply: node.ply + 1, depth, extended }
    }

    #[inline]
    pub(super) fn enter(&mut self, node: &TextbookNode<'_>, window: ValueWindow) {
        if let Some(observer) = &mut self.observer {
            observer.enter(node.mv, node.ply, node.depth, window);
        }
        if let Some(best_line) = &mut self.best_line {
            best_line.enter(node.ply);
        }
    }

    /// Evaluates a node at which the search stops.
    #[inline]
    pub(super) fn leaf(&mut self, node: &TextbookNode<'_>) -> Value {
        self.begin(Phase::Moves);
        let can_move = node.position.can_move();
        self.begin(Phase::Rest);
        if !can_move {
            return self.no_moves(node);
        }
        let value = self.evaluate(node);
        let end = if node.extended { NodeEnd::Quiescence } else { NodeEnd::Depth };
        self.done(value, end)
    }

    #[inline]
    fn evaluate(&mut self, node: &TextbookNode<'_>) -> Value {
        self.begin(Phase::Evaluation);
        let value = self.evaluation.value(node.position);
        self.begin(Phase::Rest);
        value
    }

    #[inline]
    pub(super) fn no_moves(&mut self, node: &TextbookNode<'_>) -> Value {
        let value = match self.config.no_moves {
            NoMoves::Loss => loss_in(node.ply),
            NoMoves::Evaluation => self.evaluate(node),
        };
        self.done(value, NodeEnd::NoMoves)
    }
}
