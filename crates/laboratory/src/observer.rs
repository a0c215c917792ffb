//! Observation of a search, node by node, with values instead of scores.

use crate::value::{Value, ValueWindow, of_score};
use kelso_draughts::board::Move;
use kelso_engine::search::{NodeEnd, Score, SearchObserver, Window};

/// An observer of a textbook search or of the engine's own. The calls are those of [`SearchObserver`].
pub trait TreeObserver {
    /// Called when a node is entered, by a move or as the root, to be searched to a depth.
    fn enter(&mut self, _mv: Option<Move>, _ply: usize, _depth: usize, _window: ValueWindow) {}

    /// Called when a better move is found at the current node, which is at this ply.
    fn improve(&mut self, _ply: usize, _mv: Move) {}

    /// Called with the reason why the current node ends. The last call before `leave` counts.
    fn end(&mut self, _end: NodeEnd) {}

    /// Called when the current node is left.
    fn leave(&mut self, _value: Value) {}
}

/// Observes the engine's own search.
pub(crate) struct EngineObserver<'a>(pub(crate) &'a mut dyn TreeObserver);

impl SearchObserver for EngineObserver<'_> {
    fn enter(&mut self, mv: Option<Move>, ply: usize, depth: usize, window: Window) {
        self.0.enter(mv, ply, depth, window.into());
    }

    fn improve(&mut self, ply: usize, mv: Move) {
        self.0.improve(ply, mv);
    }

    fn end(&mut self, end: NodeEnd) {
        self.0.end(end);
    }

    fn leave(&mut self, score: Score) {
        self.0.leave(of_score(score));
    }
}
