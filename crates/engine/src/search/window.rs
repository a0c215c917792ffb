//! The alpha-beta window of a node.

use super::score::{Bound, Score};

/// The range of scores that matter to a node: above `alpha` and below `beta`.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The score that the side to move can already achieve.
    pub alpha: Score,
    /// The score at or above which the other side avoids this node.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Self = Self { alpha: Score::LOWEST, beta: Score::HIGHEST };

    /// Returns the null window that tests whether a score is above `alpha`.
    #[inline]
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha.above() }
    }

    /// Returns the null window that tests whether a score is at least `beta`.
    #[inline]
    pub fn at_least(beta: Score) -> Self {
        Self { alpha: beta.below(), beta }
    }

    /// Returns the window from the other side's point of view.
    #[inline]
    pub fn swapped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Returns whether no score lies strictly inside the window.
    #[must_use]
    #[inline]
    pub fn is_null(self) -> bool {
        self.alpha.above() >= self.beta
    }
}

impl Bound {
    /// Returns whether a score with this bound is enough to decide a window.
    #[must_use]
    #[inline]
    pub fn decides(self, score: Score, window: Window) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= window.beta,
            Self::Upper => score <= window.alpha,
        }
    }
}
