//! The window of a node: the scores that matter to it.

use std::ops::Neg;

use super::score::{Bound, Score};

/// A score of a search, in whatever units.
pub trait Scale: Copy + Ord + Neg<Output = Self> {
    /// Below every score.
    const LOWEST: Self;
    /// Above every score.
    const HIGHEST: Self;
    /// Returns the score one step above.
    #[must_use]
    fn above(self) -> Self;
    /// Returns the score one step below.
    #[must_use]
    fn below(self) -> Self;
}

impl Scale for Score {
    const LOWEST: Self = Self::LOWEST;
    const HIGHEST: Self = Self::HIGHEST;

    #[inline]
    fn above(self) -> Self {
        self.above()
    }

    #[inline]
    fn below(self) -> Self {
        self.below()
    }
}

/// The scores that matter to a node: from above alpha to below beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<S> {
    /// The score that the side to move has already.
    pub alpha: S,
    /// The score that the other side does not allow.
    pub beta: S,
}

impl<S: Scale> Window<S> {
    /// Everything matters.
    pub const FULL: Self = Self { alpha: S::LOWEST, beta: S::HIGHEST };

    /// Returns the null window that asks: is it more than this?
    #[must_use]
    #[inline]
    pub fn above(alpha: S) -> Self {
        Self { alpha, beta: alpha.above() }
    }

    /// Returns the null window that asks: is it at least this much?
    #[must_use]
    #[inline]
    pub fn at_least(beta: S) -> Self {
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
    pub fn below(self, best: S) -> Self {
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
    pub fn settles<S: Scale>(self, score: S, window: Window<S>) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= window.beta,
            Self::Upper => score <= window.alpha,
        }
    }
}
