//! Scores as engines report them.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use crate::board::Color;
use crate::result::{KnownValue, Wdl};
use kelso_syntax::WordError;

/// A score as reported in protocols, files and messages, for the side to move or for the engine that reported
/// it.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub enum ReportedScore {
    /// Hundredths of a man.
    Cp(i32),
    /// A win: proved in this number of plies, or from a database without a distance.
    Win(Option<u32>),
    /// A loss: proved in this number of plies, or from a database without a distance.
    Loss(Option<u32>),
}

impl From<KnownValue> for ReportedScore {
    fn from(KnownValue { wdl, plies }: KnownValue) -> Self {
        match wdl {
            Wdl::Win => Self::Win(plies),
            Wdl::Draw => Self::Cp(0),
            Wdl::Loss => Self::Loss(plies),
        }
    }
}

impl ReportedScore {
    /// Formats hundredths of a man as signed men: `+0.15`.
    #[must_use]
    pub fn men(cp: i32) -> String {
        format!("{:+.2}", f64::from(cp) / 100.0)
    }

    /// Describes the score in words, from the point of view of `side`: `White +0.15`, `even`, `Black wins in
    /// 7 moves`, `Black wins (database)`.
    #[must_use]
    pub fn describe(self, side: Color) -> String {
        match self {
            Self::Cp(0) => "even".to_owned(),
            Self::Cp(cp) => {
                let leader = if cp > 0 { side } else { !side };
                format!("{} {}", leader.title(), Self::men(cp.saturating_abs()))
            }
            Self::Win(plies) => describe_win(side, plies),
            Self::Loss(plies) => describe_win(!side, plies),
        }
    }

    /// Returns whether the score is at least `cp` hundredths of a man.
    #[must_use]
    pub fn at_least(self, cp: i32) -> bool {
        match self {
            Self::Cp(own) => own >= cp,
            Self::Win(_) => true,
            Self::Loss(_) => false,
        }
    }

    /// Returns the same score seen from the other side.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(cp.saturating_neg()),
            Self::Win(plies) => Self::Loss(plies),
            Self::Loss(plies) => Self::Win(plies),
        }
    }

    /// Returns whether the score differs from 0 by at most `cp` hundredths of a man.
    #[must_use]
    pub fn within(self, cp: i32) -> bool {
        matches!(self, Self::Cp(own) if own.unsigned_abs() <= cp.unsigned_abs())
    }
}

fn describe_win(winner: Color, plies: Option<u32>) -> String {
    let winner = winner.title();
    let Some(plies) = plies else { return format!("{winner} wins (database)") };
    let moves = plies.div_ceil(2).max(1);
    let noun = if moves == 1 { "move" } else { "moves" };
    format!("{winner} wins in {moves} {noun}")
}

/// Formats the score for files: `+34`, `win5`, `loss12`, or `win` and `loss` without a distance.
impl fmt::Display for ReportedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (result, plies) = match self {
            Self::Cp(cp) => return write!(f, "{cp:+}"),
            Self::Win(plies) => ("win", plies),
            Self::Loss(plies) => ("loss", plies),
        };
        f.write_str(result)?;
        plies.map_or(Ok(()), |plies| write!(f, "{plies}"))
    }
}

impl FromStr for ReportedScore {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let score = if let Some(rest) = text.strip_prefix("win") {
            parse_plies(rest).ok().map(Self::Win)
        } else if let Some(rest) = text.strip_prefix("loss") {
            parse_plies(rest).ok().map(Self::Loss)
        } else {
            text.parse().ok().map(Self::Cp)
        };
        score.ok_or_else(|| WordError::invalid("score", text, "a score such as +34, win5 or loss"))
    }
}

/// Parses the distance of a win or a loss, which may be missing.
fn parse_plies(text: &str) -> Result<Option<u32>, ParseIntError> {
    if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
}

impl From<ReportedScore> for String {
    fn from(score: ReportedScore) -> Self {
        score.to_string()
    }
}

impl TryFrom<String> for ReportedScore {
    type Error = WordError;

    fn try_from(text: String) -> Result<Self, WordError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::ReportedScore::{Cp, Loss, Win};
    use super::*;

    #[test]
    fn file_form_round_trips() {
        for score in [Cp(0), Cp(34), Cp(-120), Win(Some(5)), Loss(Some(0)), Win(None), Loss(None)] {
            assert_eq!(score.to_string().parse(), Ok(score));
        }
        assert!("win-1".parse::<ReportedScore>().is_err() && "x".parse::<ReportedScore>().is_err());
    }

    #[test]
    fn known_results_lie_beyond_evaluations() {
        assert!(Win(None).at_least(10_000) && !Loss(Some(3)).at_least(-10_000));
        assert!(Cp(5).within(5) && !Cp(-6).within(5) && !Win(Some(1)).within(i32::MAX));
        assert_eq!(Loss(Some(4)).reversed(), Win(Some(4)));
    }

    #[test]
    fn descriptions_name_the_side_that_is_ahead() {
        for (score, side, text) in [
            (Cp(35), Color::White, "White +0.35"),
            (Cp(-35), Color::White, "Black +0.35"),
            (Cp(0), Color::White, "even"),
            (Win(Some(5)), Color::Black, "Black wins in 3 moves"),
            (Loss(Some(0)), Color::Black, "White wins in 1 move"),
            (Win(None), Color::Black, "Black wins (database)"),
        ] {
            assert_eq!(score.describe(side), text);
        }
    }
}
