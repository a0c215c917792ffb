//! Watching a search. The searchers tell what they do; whoever only wants the answer listens with `()`, for which the
//! compiler leaves it all out.

use super::value::{Value, Window};
use crate::board::Move;

/// Why a node ended with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// All of its moves were searched.
    Searched,
    /// A move was too good for the other side to allow.
    Cut,
    /// The table knew enough.
    Table,
    /// The depth was used up.
    Depth,
    /// The depth was used up before, and the captures since then too.
    Quiescence,
    /// There was no legal move.
    Stuck,
    /// The position repeats; like all that follow, only the search that plays knows this.
    Draw,
    /// The databases knew the result.
    Database,
    /// Shorter ways to a result were known already.
    Bounds,
    /// It was so far outside its window that it was given up.
    GivenUp,
}

/// Hears what a search does. Nodes are entered and left like brackets, except that a search which is stopped leaves no
/// node any more.
pub trait Observe {
    /// A node is entered by a move, or as a root.
    #[inline]
    fn enter(&mut self, _mv: Option<Move>, _ply: usize, _depth: usize, _window: Window) {}

    /// A move of the node entered last, at this ply, is better than those before it.
    #[inline]
    fn raise(&mut self, _ply: usize, _mv: Move) {}

    /// The node entered last is left.
    #[inline]
    fn leave(&mut self, _value: Value, _why: Why) {}
}

impl Observe for () {}
