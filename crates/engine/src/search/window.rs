//! The window of a node: the scores that matter to it.

use super::score::{Bound, Score};

/// The scores that matter to a node: from above alpha to below beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The score that the side to move has already.
    pub alpha: Score,
    /// The score that the other side does not allow.
    pub beta: Score,
}

impl Window {
    /// Everything matters.
    pub const FULL: Self = Self { alpha: Score::LOWEST, beta: Score::HIGHEST };

    /// Returns the null window that asks: is it more than this?
    #[must_use]
    #[inline]
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha.above() }
    }

    /// Returns the null window that asks: is it at least this much?
    #[must_use]
    #[inline]
    pub fn at_least(beta: Score) -> Self {
        Self { alpha: beta.below(), beta }
    }

    /// Returns the same window as the other side sees it.
    #[must_use]
    #[inline]
    pub fn swapped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Returns the window of the next move as the other side sees it, once a move of this score is found.
    #[must_use]
    #[inline]
    pub fn below(self, best: Score) -> Self {
        Self { alpha: self.alpha.max(best), ..self }.swapped()
    }

    /// Returns whether no score lies inside.
    #[must_use]
    #[inline]
    pub fn is_null(self) -> bool {
        self.alpha.above() >= self.beta
    }
}

impl Bound {
    /// Returns whether a score with this bound answers for a window.
    #[must_use]
    #[inline]
    pub fn settles(self, score: Score, window: Window) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= window.beta,
            Self::Upper => score <= window.alpha,
        }
    }
}
