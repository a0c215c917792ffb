//! The scores of a search.

use std::fmt;
use std::ops::Neg;

use crate::eval;
use kelso_draughts::result::{KnownValue, Wdl};
use kelso_draughts::score::ReportedScore;

/// Maximum length of a line in plies.
pub const MAX_PLY: usize = 128;

/// Maximum depth of a search.
pub const MAX_DEPTH: usize = MAX_PLY - 1;

/// A value for the side to move. Evaluations are in hundredths of a man. Known results lie beyond all
/// evaluations; the sooner a win, the higher its score. Every score fits in 16 bits.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

const _: () = assert!(Score::WIN < i16::MAX as i32);

impl Score {
    const WIN: i32 = 32_000;
    /// The longest proved win in plies, far longer than any line.
    const MAX_WIN_PLIES: i32 = 999;
    /// The lowest score of a proved win.
    const PROVED: i32 = Self::WIN - Self::MAX_WIN_PLIES - 1;
    /// The score of a database win without a distance and with all pieces, before an evaluation is added.
    const ENDING: i32 = 20_000;
    /// The bonus for each piece less than a full board has, since exchanges make progress.
    const ENDING_PIECE: i32 = 80;
    const ALL_PIECES: u32 = 24;
    /// The largest evaluation that is added, and the divisor by which it is added: together less than two
    /// pieces.
    const ENDING_EVALUATION: i32 = 600;
    const ENDING_DIVISOR: i32 = 4;
    /// Penalty per ply before a database win is reached, so that the winner takes the shortest path and the
    /// loser the longest.
    const ENDING_PLY: i32 = 4;
    /// The plies after which the penalty no longer grows, so that the score stays a win.
    const ENDING_MAX_PLY: usize = 200;

    /// A draw, or an even position.
    pub const DRAW: Self = Self(0);
    /// Higher than every other score.
    pub const HIGHEST: Self = Self(Self::WIN + 1);
    /// Lower than every other score.
    pub const LOWEST: Self = Self(-Self::WIN - 1);

    /// Creates a score from an evaluation, clamped below the known results.
    #[inline]
    pub fn evaluation(value: i32) -> Self {
        Self(value.clamp(-eval::LIMIT, eval::LIMIT))
    }

    /// Returns a proved win after a given number of plies.
    pub fn win_in(plies: usize) -> Self {
        let max = Self::MAX_WIN_PLIES;
        Self(Self::WIN - i32::try_from(plies).unwrap_or(max).min(max))
    }

    /// Returns a proved loss after a given number of plies.
    #[inline]
    pub fn loss_in(plies: usize) -> Self {
        -Self::win_in(plies)
    }

    /// Returns the score of a known value. Without a distance, it depends on the number of pieces, on the
    /// evaluation, and on the ply.
    pub fn known(known: KnownValue, pieces: u32, value: i32, ply: usize) -> Self {
        match (known.wdl, known.plies) {
            (Wdl::Draw, _) => Self::DRAW,
            (Wdl::Win, Some(plies)) => Self::win_in(ply.saturating_add(plies as usize)),
            (Wdl::Win, None) => Self::database_win(pieces, value, ply),
            (Wdl::Loss, plies) => -Self::known(KnownValue::new(Wdl::Win, plies), pieces, -value, ply),
        }
    }

    /// Returns the score of a win that a database knows without its distance. It is higher with fewer pieces,
    /// fewer plies and a better evaluation.
    pub fn database_win(pieces: u32, value: i32, ply: usize) -> Self {
        let fewer = Self::ALL_PIECES.saturating_sub(pieces).cast_signed();
        let value = value.clamp(-Self::ENDING_EVALUATION, Self::ENDING_EVALUATION) / Self::ENDING_DIVISOR;
        let penalty = Self::ENDING_PLY * signed(ply.min(Self::ENDING_MAX_PLY));
        Self(Self::ENDING + Self::ENDING_PIECE * fewer + value - penalty)
    }

    /// Returns whether the score is an evaluation rather than a known result.
    #[must_use]
    pub const fn is_evaluation(self) -> bool {
        self.0.abs() <= eval::LIMIT
    }

    pub fn reported(self) -> ReportedScore {
        let plies = self.is_proved().then(|| Self::WIN.abs_diff(self.0.abs()));
        match self.0 {
            value if self.is_evaluation() => ReportedScore::Cp(value),
            1.. => ReportedScore::Win(plies),
            _ => ReportedScore::Loss(plies),
        }
    }

    #[must_use]
    pub const fn is_proved(self) -> bool {
        self.0.abs() >= Self::PROVED
    }

    /// Returns whether the result is proved within a depth, so that no deeper search can change it.
    #[must_use]
    pub fn is_proved_within(self, depth: usize) -> bool {
        matches!(self.reported(), ReportedScore::Win(Some(plies)) | ReportedScore::Loss(Some(plies)) if plies as usize <= depth)
    }

    /// Returns a number that preserves the order of scores: the value of an evaluation, and a number between
    /// 18,000 and 24,000 for a win by a database without its distance.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Returns the score one step above.
    pub const fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the score one step below.
    pub const fn below(self) -> Self {
        Self(self.0 - 1)
    }

    /// Returns the score a given number of steps above or below, clamped to the range of scores.
    pub fn moved(self, steps: i32) -> Self {
        Self(self.0.saturating_add(steps)).clamp(Self::LOWEST, Self::HIGHEST)
    }

    /// Converts a score for storing in a table, where known results count plies from the position, not from
    /// the root.
    #[inline]
    pub fn at_node(self, ply: usize) -> Self {
        self.shifted(signed(ply))
    }

    /// Converts a score from a table at a position `ply` plies below the root.
    #[inline]
    pub fn from_node(self, ply: usize) -> Self {
        self.shifted(-signed(ply))
    }

    #[inline]
    fn shifted(self, plies: i32) -> Self {
        if self.is_evaluation() {
            self
        } else if self.is_proved() {
            Self((self.0 + plies * self.0.signum()).clamp(-Self::WIN, Self::WIN))
        } else {
            Self(self.0 + plies * Self::ENDING_PLY * self.0.signum())
        }
    }

    /// Packs the score into 16 bits.
    #[inline]
    pub(super) const fn packed(self) -> u16 {
        #[expect(clippy::cast_possible_truncation, reason = "every score fits")]
        (self.0 as i16).cast_unsigned()
    }

    #[inline]
    pub(super) fn unpacked(bits: u16) -> Self {
        Self(bits.cast_signed().into())
    }
}

impl From<ReportedScore> for Score {
    fn from(kind: ReportedScore) -> Self {
        match kind {
            ReportedScore::Cp(value) => Self::evaluation(value),
            ReportedScore::Win(plies) => Self::known(KnownValue::new(Wdl::Win, plies), 0, 0, 0),
            ReportedScore::Loss(plies) => -Self::from(ReportedScore::Win(plies)),
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
        write!(f, "{:?}", self.reported())
    }
}

/// How a score relates to the true score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum Bound {
    /// The score is exact.
    Exact = 1,
    /// The true score may be higher.
    Lower = 2,
    /// The true score may be lower.
    Upper = 3,
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "at most the longest line of a search"
)]
const fn signed(ply: usize) -> i32 {
    ply as i32
}

/// Returns the plies of a remaining depth, which reductions can take below 0.
#[inline]
pub(super) fn plies(depth: i32) -> usize {
    depth.max(0).cast_unsigned() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_bands_are_ordered() {
        let ladder = [
            Score::LOWEST,
            Score::loss_in(0),
            Score::loss_in(7),
            Score::evaluation(-i32::MAX),
            Score::DRAW,
            Score::evaluation(1),
            Score::evaluation(i32::MAX),
            Score::database_win(24, -10_000, 500),
            Score::database_win(6, 0, 10),
            Score::database_win(2, 10_000, 0),
            Score::win_in(999),
            Score::win_in(3),
            Score::HIGHEST,
        ];
        assert!(ladder.is_sorted());
        assert_eq!(Score::win_in(3).reported(), ReportedScore::Win(Some(3)));
        assert_eq!(Score::loss_in(0).reported(), ReportedScore::Loss(Some(0)));
        assert_eq!(Score::evaluation(-7).reported(), ReportedScore::Cp(-7));
        assert_eq!(Score::database_win(6, 0, 10).reported(), ReportedScore::Win(None));
        assert_eq!((-Score::database_win(6, 0, 10)).reported(), ReportedScore::Loss(None));
    }

    #[test]
    fn database_results_are_reported_beyond_all_evaluations() {
        assert_eq!(Score::evaluation(-eval::LIMIT).value(), -eval::LIMIT);
        let results = [Score::database_win(24, -10_000, 500), Score::database_win(2, 10_000, 0)];
        for score in
            results.into_iter().flat_map(|score| [score, score.at_node(MAX_PLY), score.from_node(MAX_PLY)])
        {
            assert!((18_000..24_000).contains(&score.value()), "{score:?}");
            assert_eq!((-score).value(), -score.value());
        }
    }

    #[test]
    fn known_results_convert_between_plies_and_fit_16_bits() {
        let score = Score::win_in(9);
        assert_eq!(score.at_node(4).from_node(4), score);
        assert_eq!(score.at_node(4), Score::win_in(5));
        assert_eq!(Score::evaluation(-5).at_node(4).from_node(9), Score::evaluation(-5));
        for score in [Score::DRAW, Score::evaluation(-eval::LIMIT), score, Score::database_win(6, 50, 10)] {
            assert_eq!([score, -score].map(|score| Score::unpacked(score.packed())), [score, -score]);
        }
    }
}
