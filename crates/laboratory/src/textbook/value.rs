//! Values of positions.

use std::fmt;
use std::ops::Neg;

use engine::search::Scale;
use engine::search::{Score, ScoreKind};

/// A value for the side to move: an evaluation in its own units, or a proved result, beyond all evaluations, the
/// higher the fewer plies away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

impl Value {
    const WIN: i32 = 2_000_000_000;
    /// From here on a result is proved.
    const PROVED: i32 = Self::WIN - 1_000;
    /// Above every value.
    pub const HIGHEST: Self = Self(Self::WIN + 1);
    /// Below every value.
    pub const LOWEST: Self = Self(-Self::WIN - 1);

    /// Returns the value of an evaluation, kept below the proved results.
    #[must_use]
    #[inline]
    pub fn of(evaluation: i32) -> Self {
        Self(evaluation.clamp(-Self::PROVED + 1, Self::PROVED - 1))
    }

    /// Returns a loss that is complete after so many plies of the line.
    #[must_use]
    #[inline]
    pub fn loss_in(plies: usize) -> Self {
        Self(i32::try_from(plies).unwrap_or(999).min(999) - Self::WIN)
    }

    /// Returns the kind of value; evaluations are in their own units.
    #[must_use]
    pub fn kind(self) -> ScoreKind {
        let plies = |distance: i32| Some(u32::try_from(distance).unwrap_or(0));
        if self.0 >= Self::PROVED {
            ScoreKind::Win(plies(Self::WIN - self.0))
        } else if self.0 <= -Self::PROVED {
            ScoreKind::Loss(plies(Self::WIN + self.0))
        } else {
            ScoreKind::Cp(self.0)
        }
    }

    /// Returns the value one step above.
    #[must_use]
    pub(super) const fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the value one step below.
    #[must_use]
    pub(super) const fn below(self) -> Self {
        Self(self.0 - 1)
    }

    /// Returns the value so many steps above, or below, kept between the lowest and the highest.
    pub(super) fn moved(self, steps: i32) -> Self {
        Self(self.0.saturating_add(steps)).clamp(Self::LOWEST, Self::HIGHEST)
    }

    /// Returns the value between two, `share` parts of `whole` on the way from the first to the second.
    pub(super) fn between(self, other: Self, share: usize, whole: usize) -> Self {
        let (from, to) = (i64::from(self.0), i64::from(other.0));
        let part = |n: usize| i64::try_from(n).unwrap_or(1);
        let value = from + (to - from) * part(share) / part(whole).max(1);
        Self(i32::try_from(value).unwrap_or(self.0))
    }

    /// As remembered: a proved result counts its plies from the node, not from the root `ply` plies above it.
    pub(super) fn at_node(self, ply: usize) -> i32 {
        let plies = i32::try_from(ply).unwrap_or(0);
        match self.0 {
            win if win >= Self::PROVED => win + plies,
            loss if loss <= -Self::PROVED => loss - plies,
            open => open,
        }
    }

    /// As read at a node so many plies below the root.
    pub(super) fn from_root(stored: i32, ply: usize) -> Self {
        let plies = i32::try_from(ply).unwrap_or(0);
        Self(match stored {
            win if win >= Self::PROVED => win - plies,
            loss if loss <= -Self::PROVED => loss + plies,
            open => open,
        })
    }
}

impl Scale for Value {
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

/// A score of the search that plays, in hundredths of a man.
impl From<Score> for Value {
    fn from(score: Score) -> Self {
        match score.kind() {
            _ if score == Score::LOWEST => Self::LOWEST,
            _ if score == Score::HIGHEST => Self::HIGHEST,
            ScoreKind::Win(Some(plies)) => -Self::loss_in(plies as usize),
            ScoreKind::Loss(Some(plies)) => Self::loss_in(plies as usize),
            _ => Self::of(score.value()),
        }
    }
}

impl Neg for Value {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proved_values_are_beyond_all_evaluations_and_move_with_the_root() {
        let ladder = [Value::LOWEST, Value::loss_in(0), Value::loss_in(7), Value::of(i32::MIN), Value::of(0)];
        assert!(ladder.is_sorted());
        assert!(Value::of(i32::MAX) < -Value::loss_in(9) && -Value::loss_in(0) < Value::HIGHEST);
        let loss = Value::loss_in(9);
        assert_eq!(loss.kind(), ScoreKind::Loss(Some(9)));
        assert_eq!(Value::from_root(loss.at_node(4), 0), Value::loss_in(5));
        assert_eq!(Value::from_root((-loss).at_node(4), 6).kind(), ScoreKind::Win(Some(11)));
        assert_eq!(Value::from_root(Value::of(-5).at_node(4), 9), Value::of(-5));
    }

    #[test]
    fn values_between_stay_between() {
        for (low, high) in [(Value::LOWEST, Value::HIGHEST), (Value::of(-3), Value::of(4))] {
            for share in 0..=8 {
                let value = low.between(high, share, 8);
                assert!(low <= value && value <= high);
            }
        }
    }
}
