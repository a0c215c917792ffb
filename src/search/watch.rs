//! Watching the [tournament](super::tournament) search. Whoever only wants the answer searches [`Unwatched`], for which
//! the compiler leaves it all out.

use super::Score;
use crate::board::Move;

/// What brought a node its score, other than its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The position repeats, or the game is drawn otherwise.
    Draw,
    /// Shorter ways to a result are known already.
    Bounds,
    /// The databases know the result.
    Database,
    /// The table knew enough.
    Table,
    /// It was so far outside its window that it was given up.
    GivenUp,
    /// The depth was used up.
    Depth,
}

/// Hears what a search does. Nodes are entered and left like brackets, except that a search which is stopped leaves no
/// node any more. A move that is searched again, deeper or with another window, is a node again; what is looked at to
/// decide whether a node can be given up belongs to that node.
pub trait Watch {
    /// A node is entered by a move, or as a root, to be searched to a depth, with a window from alpha to beta.
    #[inline]
    fn enter(&mut self, _mv: Option<Move>, _ply: usize, _depth: i32, _window: (Score, Score)) {}

    /// A move of the node entered last, at this ply, is better than those before it.
    #[inline]
    fn raise(&mut self, _ply: usize, _mv: Move) {}

    /// The node entered last ends here.
    #[inline]
    fn end(&mut self, _end: End) {}

    /// The node entered last is left.
    #[inline]
    fn leave(&mut self, _score: Score) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}

impl<W: Watch> Watch for &mut W {
    #[inline]
    fn enter(&mut self, mv: Option<Move>, ply: usize, depth: i32, window: (Score, Score)) {
        (**self).enter(mv, ply, depth, window);
    }

    #[inline]
    fn raise(&mut self, ply: usize, mv: Move) {
        (**self).raise(ply, mv);
    }

    #[inline]
    fn end(&mut self, end: End) {
        (**self).end(end);
    }

    #[inline]
    fn leave(&mut self, score: Score) {
        (**self).leave(score);
    }
}
