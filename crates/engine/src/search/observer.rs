//! Observation of a search, node by node.

use super::{Score, Window};
use kelso_draughts::board::Move;

/// How the score of a node was determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum NodeEnd {
    /// All moves were searched or pruned.
    Searched,
    /// A move's score reached beta.
    Cut,
    /// The transposition table had a sufficient entry.
    Table,
    /// The maximum depth was reached.
    Depth,
    /// The node was below the search depth, and no captures were left.
    Quiescence,
    /// There was no legal move.
    NoMoves,
    /// The position was a repetition, or the game was drawn for another reason.
    Draw,
    /// The endgame databases knew the result.
    Database,
    /// A shorter path to a result was already known.
    Bounds,
    /// The node was pruned before its moves were tried.
    Pruned,
}

/// An observer of a search. Calls of `enter` and `leave` are nested like brackets, except that a stopped
/// search no longer calls `leave`. A move that is searched again, deeper or with another window, counts as
/// another node. The nodes of a search that decides whether to prune a node count as below that node.
pub trait SearchObserver {
    /// Called when a node is entered, by a move or as the root, to be searched to a depth.
    fn enter(&mut self, _mv: Option<Move>, _ply: usize, _depth: usize, _window: Window) {}

    /// Called when a better move is found at the current node, which is at this ply.
    fn improve(&mut self, _ply: usize, _mv: Move) {}

    /// Called with the reason why the current node ends. The last call before `leave` counts.
    fn end(&mut self, _end: NodeEnd) {}

    /// Called when the current node is left.
    fn leave(&mut self, _score: Score) {}
}

/// The observer of a search, if any.
pub type Observation<'a> = Option<&'a mut dyn SearchObserver>;

impl SearchObserver for Observation<'_> {
    #[inline]
    fn enter(&mut self, mv: Option<Move>, ply: usize, depth: usize, window: Window) {
        if let Some(observer) = self {
            observer.enter(mv, ply, depth, window);
        }
    }

    #[inline]
    fn improve(&mut self, ply: usize, mv: Move) {
        if let Some(observer) = self {
            observer.improve(ply, mv);
        }
    }

    #[inline]
    fn end(&mut self, end: NodeEnd) {
        if let Some(observer) = self {
            observer.end(end);
        }
    }

    #[inline]
    fn leave(&mut self, score: Score) {
        if let Some(observer) = self {
            observer.leave(score);
        }
    }
}
