//! Lines of play, what they are worth, and a window of scores.

use arrayvec::ArrayVec;

use super::score::{Bound, MAX_PLY, Score};
use crate::board::Move;

/// Moves played one after the other.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// Makes `line` a move and what follows it.
pub(super) fn extend(line: &mut Line, mv: Move, rest: &Line) {
    line.clear();
    line.push(mv);
    line.extend(rest.iter().copied().take(MAX_PLY - 1));
}

/// A line of play from the root, with its score and the iteration that found them.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) depth: usize,
    pub(super) score: Score,
    pub(super) line: Line,
}

impl Found {
    pub(super) const fn nothing(depth: usize) -> Self {
        Self { depth, score: Score::LOWEST, line: Line::new_const() }
    }
}

/// What a search comes to: the best line first, and as many as were wanted. None without a legal move.
pub(super) type Lines = Vec<Found>;

/// The scores that matter to a node: from above alpha to below beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: Score::LOWEST, beta: Score::INFINITE };

    /// The smallest window, which asks whether a score is above another.
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha.above() }
    }

    /// The same window as the other side sees it.
    pub(super) fn swapped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether no score lies inside.
    pub(super) fn is_null(self) -> bool {
        self.alpha.above() >= self.beta
    }
}

impl Bound {
    /// Whether a score with this bound says all that a window asks.
    pub(super) fn settles(self, score: Score, window: Window) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= window.beta,
            Self::Upper => score <= window.alpha,
        }
    }
}
