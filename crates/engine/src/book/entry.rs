//! Entries of an opening book.

use std::fmt;
use std::ops::Neg;

use kelso_draughts::score::ReportedScore;

/// The score of a position for its side to move: hundredths of a man, or a known result.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BookScore(i16);

impl BookScore {
    /// A known win for the side to move.
    pub const WON: Self = Self(20_000);
    /// A known loss for the side to move.
    pub const LOST: Self = Self(-20_000);
    /// Maximum evaluation.
    const MAX_POINTS: i16 = 10_000;

    /// Creates a score from an evaluation in hundredths of a man.
    pub fn points(points: i32) -> Self {
        let max = i32::from(Self::MAX_POINTS);
        Self(i16::try_from(points.clamp(-max, max)).unwrap_or(Self::MAX_POINTS))
    }

    /// Decodes a score from a file. Returns `None` if it is invalid.
    #[must_use]
    pub fn read(number: i16) -> Option<Self> {
        let score = Self(number);
        (number.unsigned_abs() <= Self::MAX_POINTS.unsigned_abs() || score.is_known()).then_some(score)
    }

    /// Encodes the score for a file.
    #[must_use]
    pub const fn number(self) -> i16 {
        self.0
    }

    /// Returns whether the score is a known win or loss.
    #[must_use]
    pub fn is_known(self) -> bool {
        self == Self::WON || self == Self::LOST
    }

    pub fn reported(self) -> ReportedScore {
        match self {
            Self::WON => ReportedScore::Win(None),
            Self::LOST => ReportedScore::Loss(None),
            Self(points) => ReportedScore::Cp(points.into()),
        }
    }

    /// Returns the drop of a move with the score `other` in a position whose best move has the score `self`.
    #[must_use]
    pub fn drop_to(self, other: Self) -> ScoreDrop {
        let drop = i32::from(self.0) - i32::from(other.0);
        ScoreDrop(u8::try_from(drop.max(0)).unwrap_or(u8::MAX))
    }

    /// Returns the score after a move with this drop, or an upper bound on that score.
    pub const fn below(self, drop: ScoreDrop) -> Self {
        match (self, drop.is_most()) {
            // Compared with a win, the drop to any other result is too large to be stored.
            (Self::WON, true) => Self(Self::MAX_POINTS),
            _ => Self(self.0.saturating_sub(drop.0 as i16)),
        }
    }

    /// Returns the score after a move with this drop, for the side that makes it, or `None` if it is unknown.
    #[must_use]
    pub fn less(self, drop: ScoreDrop) -> Option<Self> {
        (!drop.is_most()).then(|| self.below(drop))
    }
}

impl Neg for BookScore {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Formats the score as `+0.12`, `won` or `lost`.
impl fmt::Display for BookScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::WON => f.pad("won"),
            Self::LOST => f.pad("lost"),
            Self(points) => f.pad(&format!("{:+.2}", f64::from(points) / 100.0)),
        }
    }
}

/// How much worse a move is than the best move, in hundredths of a man. 255 stands for 255 or more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ScoreDrop(pub u8);

impl ScoreDrop {
    /// Returns whether the true drop may be larger.
    #[must_use]
    pub const fn is_most(self) -> bool {
        self.0 == u8::MAX
    }
}

/// Formats the drop as `-0.12`, or `-2.55 or more`.
impl fmt::Display for ScoreDrop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.is_most() { " or more" } else { "" };
        f.pad(&format!("{:.2}{suffix}", -f64::from(self.0) / 100.0))
    }
}

/// The book entry of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The score of the position, which equals the score of its best move.
    pub score: BookScore,
    /// Depth: the plies of best play in the book plus the depth of the search at its end.
    pub depth: u8,
    /// The drop of each legal move, in the order of [`moves`](super::moves).
    pub drops: Vec<ScoreDrop>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_drops_round_trip() {
        for (best, other, drop, text) in [
            (12, 12, 0, "-0.00"),
            (12, -3, 15, "-0.15"),
            (100, -154, 254, "-2.54"),
            (100, -155, 255, "-2.55 or more"),
            (-20, 5, 0, "-0.00"),
        ] {
            let (best, other) = (BookScore::points(best), BookScore::points(other));
            let dropped = best.drop_to(other);
            assert_eq!((dropped, dropped.to_string().as_str()), (ScoreDrop(drop), text));
            if best >= other {
                assert_eq!(best.less(dropped), (drop < 255).then_some(other));
            }
        }
        assert_eq!(BookScore::WON.drop_to(BookScore::points(900)), ScoreDrop(255));
        assert_eq!(-BookScore::WON, BookScore::LOST);
        for (score, text) in
            [(BookScore::WON, "won"), (BookScore::points(-7), "-0.07"), (BookScore::points(0), "+0.00")]
        {
            assert_eq!(score.to_string(), text);
            assert_eq!(BookScore::read(score.number()), Some(score));
        }
        assert_eq!(BookScore::read(19_999), None);
    }
}
