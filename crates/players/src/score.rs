//! What an engine thinks of its position, whatever protocol it said it in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use engine::eval;
use engine::search::{self, ScoreKind};

/// A score from the side of the engine that gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Score {
    /// Hundredths of a man.
    Cp(i32),
    /// It wins in so many plies.
    Win(u32),
    /// It loses in so many plies.
    Loss(u32),
}

impl Score {
    /// Hundredths of a man for the other side or for this one, no further from nothing than `most`, where a proved result is.
    #[must_use]
    pub fn drawn(self, reversed: bool, most: i32) -> i32 {
        let own = match self {
            Self::Cp(cp) => cp.clamp(-most, most),
            Self::Win(_) => most,
            Self::Loss(_) => -most,
        };
        if reversed { -own } else { own }
    }

    /// Whether it is an evaluation, and no result that is proved or that a database knows.
    #[must_use]
    pub const fn is_evaluation(self) -> bool {
        matches!(self, Self::Cp(cp) if cp.unsigned_abs() <= eval::LIMIT.unsigned_abs())
    }

    /// Whether it is at least a number of hundredths.
    #[must_use]
    pub fn at_least(self, cp: i32) -> bool {
        match self {
            Self::Cp(own) => own >= cp,
            Self::Win(_) => true,
            Self::Loss(_) => false,
        }
    }

    /// The same seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(cp.saturating_neg()),
            Self::Win(plies) => Self::Loss(plies),
            Self::Loss(plies) => Self::Win(plies),
        }
    }

    /// Whether both sides are within a number of hundredths of equality.
    #[must_use]
    pub fn within(self, cp: i32) -> bool {
        matches!(self, Self::Cp(own) if own.unsigned_abs() <= cp.unsigned_abs())
    }
}

/// `+34`, `win5`, `loss12`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "{cp:+}"),
            Self::Win(plies) => write!(f, "win{plies}"),
            Self::Loss(plies) => write!(f, "loss{plies}"),
        }
    }
}

impl FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = || match text.strip_prefix("win") {
            Some(plies) => plies.parse().ok().map(Self::Win),
            None => match text.strip_prefix("loss") {
                Some(plies) => plies.parse().ok().map(Self::Loss),
                None => text.parse().ok().map(Self::Cp),
            },
        };
        number().ok_or_else(|| format!("score \"{text}\", expected +34, win5 or loss5"))
    }
}

impl From<search::Score> for Score {
    fn from(score: search::Score) -> Self {
        let plies = |plies: usize| u32::try_from(plies).unwrap_or(u32::MAX);
        match score.kind() {
            ScoreKind::Open(value) => Self::Cp(value),
            ScoreKind::Win(distance) => Self::Win(plies(distance)),
            ScoreKind::Loss(distance) => Self::Loss(plies(distance)),
        }
    }
}

impl From<Score> for String {
    fn from(score: Score) -> Self {
        score.to_string()
    }
}

impl TryFrom<String> for Score {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for score in [Score::Cp(0), Score::Cp(34), Score::Cp(-120), Score::Win(5), Score::Loss(0)] {
            assert_eq!(score.to_string().parse(), Ok(score));
        }
        assert!("win".parse::<Score>().is_err() && "x".parse::<Score>().is_err());
    }

    #[test]
    fn bands_are_ordered() {
        assert!(Score::Win(3).at_least(10_000) && !Score::Loss(3).at_least(-10_000));
        assert!(Score::Cp(5).within(5) && !Score::Cp(-6).within(5) && !Score::Win(1).within(i32::MAX));
        assert_eq!(Score::Loss(4).reversed(), Score::Win(4));
    }
}
