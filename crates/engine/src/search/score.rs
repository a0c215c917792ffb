//! The scores of the engine's own search.

use std::fmt;
use std::ops::Neg;

use super::scorekind::ScoreKind;
use crate::eval;

/// Most plies that a line of a search may have.
pub const MAX_PLY: usize = 128;

/// A value for the side to move, in ordered bands: evaluations in hundredths of a man, and beyond them proved results,
/// the higher the fewer plies away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

const _: () = assert!(Score::PROVED as i32 > eval::LIMIT && size_of::<Score>() == 2);

impl Score {
    const WIN: i16 = 32_000;
    /// Around this lie results that a database knows, without the way to them.
    const ENDING: i16 = 20_000;
    /// The penalty of a database win for each ply on the way to it, so that the winner goes straight and the loser
    /// holds out.
    const ENDING_PLY: i16 = 4;
    /// From here on a result is proved.
    const PROVED: i16 = Self::WIN - 1_000;

    /// A drawn game, or an even one.
    pub const DRAW: Self = Self(0);
    /// Above every score.
    pub const HIGHEST: Self = Self(Self::WIN + 1);
    /// Below every score.
    pub const LOWEST: Self = Self(-Self::WIN - 1);

    /// Returns the score of an evaluation, kept inside its band.
    #[must_use]
    pub fn evaluation(value: i32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "clamped to the band")]
        Self(value.clamp(-eval::LIMIT, eval::LIMIT) as i16)
    }

    /// Returns a win proved to be complete after so many plies.
    #[must_use]
    pub fn win_in(plies: usize) -> Self {
        Self(Self::WIN - i16::try_from(plies).unwrap_or(999).min(999))
    }

    /// Returns a loss proved to be complete after so many plies.
    #[must_use]
    pub fn loss_in(plies: usize) -> Self {
        -Self::win_in(plies)
    }

    /// Returns a win that a database knows, with so many pieces left, in a position that is worth so much to the
    /// winner.
    #[must_use]
    pub fn ending_won(pieces: u32, value: i32, ply: usize) -> Self {
        let pieces = i32::try_from(pieces).unwrap_or(24).min(24);
        let ply = i32::try_from(ply).unwrap_or(0).min(200);
        let bonus = (24 - pieces) * 80 + value.clamp(-600, 600) / 4 - i32::from(Self::ENDING_PLY) * ply;
        #[expect(clippy::cast_possible_truncation, reason = "a few thousand at the most")]
        Self(Self::ENDING + bonus as i16)
    }

    /// Returns whether it is an evaluation and no known result.
    #[must_use]
    pub const fn is_evaluation(self) -> bool {
        self.0.unsigned_abs() as i32 <= eval::LIMIT
    }

    /// Returns the score as it is reported.
    #[must_use]
    pub fn kind(self) -> ScoreKind {
        let plies = self.is_proved().then(|| u32::from(Self::WIN.abs_diff(self.0.saturating_abs())));
        match self.0 {
            value if self.is_evaluation() => ScoreKind::Cp(value.into()),
            1.. => ScoreKind::Win(plies),
            _ => ScoreKind::Loss(plies),
        }
    }

    /// Returns whether the result is proved.
    #[must_use]
    pub fn is_proved(self) -> bool {
        self.0.abs() >= Self::PROVED
    }

    /// Returns whether the result is complete within a depth, so that no deeper search can change it.
    #[must_use]
    pub(super) fn is_proved_within(self, depth: usize) -> bool {
        match self.kind() {
            ScoreKind::Win(Some(plies)) | ScoreKind::Loss(Some(plies)) => plies as usize <= depth,
            _ => false,
        }
    }

    /// Returns the score in hundredths of a man. Known results lie beyond all evaluations, where only the order
    /// counts.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// Returns the score one step above.
    #[must_use]
    pub fn above(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Returns the score one step below.
    #[must_use]
    pub(super) fn below(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Returns a bound so much above or below, in the band of this score.
    #[must_use]
    pub(super) fn moved(self, by: i32) -> Self {
        if self.is_evaluation() {
            return Self::evaluation(self.value() + by);
        }
        let by = i16::try_from(by).unwrap_or(if by < 0 { i16::MIN } else { i16::MAX });
        Self(self.0.saturating_add(by).clamp(Self::LOWEST.0, Self::HIGHEST.0))
    }

    /// As stored in a table: a known result counts its plies from the position, not from the root `ply` plies above.
    #[must_use]
    pub(super) fn stored_at(self, ply: usize) -> i16 {
        self.shifted(i16::try_from(ply).unwrap_or(0))
    }

    /// As read from a table at a position `ply` plies below the root.
    #[must_use]
    pub(super) fn restored_at(stored: i16, ply: usize) -> Self {
        Self(Self(stored).shifted(-i16::try_from(ply).unwrap_or(0)))
    }

    fn shifted(self, plies: i16) -> i16 {
        if self.is_evaluation() {
            self.0
        } else if self.is_proved() {
            self.0.saturating_add(plies * self.0.signum()).clamp(-Self::WIN, Self::WIN)
        } else {
            self.0.saturating_add(plies * Self::ENDING_PLY * self.0.signum())
        }
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind())
    }
}

/// How a score stands to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The score is the true one.
    Exact = 1,
    /// The true one may be higher.
    Lower = 2,
    /// The true one may be lower.
    Upper = 3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_ordered() {
        let ladder = [
            Score::LOWEST,
            Score::loss_in(0),
            Score::loss_in(7),
            Score::evaluation(-1_000_000),
            Score::DRAW,
            Score::evaluation(1),
            Score::evaluation(1_000_000),
            Score::ending_won(24, -10_000, 500),
            Score::ending_won(6, 0, 10),
            Score::ending_won(2, 10_000, 0),
            Score::win_in(999),
            Score::win_in(3),
            Score::HIGHEST,
        ];
        assert!(ladder.is_sorted());
        assert_eq!(Score::win_in(3).kind(), ScoreKind::Win(Some(3)));
        assert_eq!(Score::loss_in(0).kind(), ScoreKind::Loss(Some(0)));
        assert_eq!(Score::evaluation(-7).kind(), ScoreKind::Cp(-7));
        assert_eq!(Score::ending_won(6, 0, 10).kind(), ScoreKind::Win(None));
        assert_eq!((-Score::ending_won(6, 0, 10)).kind(), ScoreKind::Loss(None));
    }

    #[test]
    fn proved_scores_move_with_the_root() {
        let score = Score::win_in(9);
        assert_eq!(Score::restored_at(score.stored_at(4), 4), score);
        assert_eq!(Score::restored_at(score.stored_at(4), 0), Score::win_in(5));
        assert_eq!(Score::restored_at(Score::evaluation(50).stored_at(4), 9), Score::evaluation(50));
    }
}
