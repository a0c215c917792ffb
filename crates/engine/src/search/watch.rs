//! Watching a search. Whoever only wants the answer searches [`Unwatched`], for which the compiler leaves it all out.

use super::window::Window;
use draughts::board::Move;

/// Why a node ended with its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All of its moves were searched, or as many as were worth it.
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
    /// The position repeats, or the game is drawn otherwise.
    Draw,
    /// The databases knew the result.
    Database,
    /// Shorter ways to a result were known already.
    Bounds,
    /// It was pruned: so far outside its window that its moves were not tried.
    Pruned,
}

/// Hears what a search does, in scores of type `S`. Nodes are entered and left like brackets, except that a search which
/// is stopped leaves no node any more. A move that is searched again, deeper or with another window, is a node again;
/// what is looked at to decide whether a node can be pruned belongs to that node.
pub trait Watch<S> {
    /// A node is entered by a move, or as a root, to be searched to a depth.
    #[inline]
    fn enter(&mut self, _mv: Option<Move>, _ply: usize, _depth: usize, _window: Window<S>) {}

    /// A move of the node entered last, at this ply, is better than those before it.
    #[inline]
    fn raise(&mut self, _ply: usize, _mv: Move) {}

    /// Why the node entered last ends; what is said last before it is left counts.
    #[inline]
    fn end(&mut self, _end: End) {}

    /// The node entered last is left.
    #[inline]
    fn leave(&mut self, _score: S) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl<S> Watch<S> for Unwatched {}

impl<S, W: Watch<S> + ?Sized> Watch<S> for &mut W {
    #[inline]
    fn enter(&mut self, mv: Option<Move>, ply: usize, depth: usize, window: Window<S>) {
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
    fn leave(&mut self, score: S) {
        (**self).leave(score);
    }
}

/// Keeps the principal variation: at each ply the best move and what follows it.
#[derive(Clone, Debug, Default)]
pub struct BestLine {
    lines: Vec<Vec<Move>>,
}

impl BestLine {
    /// The line that begins with the best move. A pass that found no move good enough leaves a line that means nothing;
    /// then the best move stands alone.
    #[must_use]
    pub fn after(&self, best: Option<Move>) -> Vec<Move> {
        match self.lines.first() {
            Some(line) if line.first() == best.as_ref() => line.clone(),
            _ => best.into_iter().collect(),
        }
    }
}

impl<S> Watch<S> for BestLine {
    fn enter(&mut self, _: Option<Move>, ply: usize, _: usize, _: Window<S>) {
        if self.lines.len() <= ply + 1 {
            self.lines.resize_with(ply + 2, Vec::new);
        }
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
    }

    fn raise(&mut self, ply: usize, mv: Move) {
        if let Some([line, rest]) = self.lines.get_mut(ply..ply + 2) {
            line.clear();
            line.push(mv);
            line.append(rest);
        }
    }
}
