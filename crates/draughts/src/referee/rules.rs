//! When a game is drawn.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::Move;
use crate::notation::quoted::Quoted;

/// What counts as progress; a game without it for long enough is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// A capture or a man's move (WCDF rules), 80 plies
    #[default]
    Standard,
    /// A capture or a crowning (Peterson 2023), 40 plies
    Paper,
    /// A capture (Alex), 80 plies
    Alex,
}

impl DrawRule {
    /// Its name, in options and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Paper => "paper",
            Self::Alex => "alex",
        }
    }

    /// The number of plies that goes with the rule.
    #[must_use]
    pub const fn plies(self) -> u32 {
        match self {
            Self::Standard | Self::Alex => 80,
            Self::Paper => 40,
        }
    }

    pub(super) fn is_progress(self, mv: Move) -> bool {
        match self {
            Self::Standard => mv.is_irreversible(),
            Self::Paper => mv.is_capture() || mv.is_crowning(),
            Self::Alex => mv.is_capture(),
        }
    }
}

/// What ends a game that nobody wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draws {
    /// What counts as progress.
    pub rule: DrawRule,
    /// Plies without progress that make a draw.
    pub plies: u32,
    /// Whether the third repetition makes one too.
    pub repetition: bool,
    /// The longest game; longer ones are drawn.
    pub most: Option<u32>,
}

/// The longest wait for a capture that may be asked for.
const MOST_PLIES: u32 = 10_000;

/// Why a text is no rule of draws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawRuleError(String);

impl fmt::Display for DrawRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "bad rule of draws {}: expected \"paper\", \"rules\", or \"plies\" and a number from 1 to {MOST_PLIES}",
            Quoted(&self.0)
        )
    }
}

impl std::error::Error for DrawRuleError {}

impl Draws {
    /// Those of the game: the third repetition, or 80 plies without a capture or a man's move.
    pub const STANDARD: Self =
        Self { rule: DrawRule::Standard, plies: DrawRule::Standard.plies(), repetition: true, most: None };
    /// Peterson's: 40 plies without a capture or a crowning, and nothing else.
    pub const PAPER: Self =
        Self { rule: DrawRule::Paper, plies: DrawRule::Paper.plies(), repetition: false, most: None };

    /// So many plies without a capture, and nothing else.
    #[must_use]
    pub const fn captures(plies: u32) -> Self {
        Self { rule: DrawRule::Alex, plies, repetition: false, most: None }
    }

    /// Reads the rule of an experiment: `paper`, `rules`, or `plies N`.
    ///
    /// # Errors
    ///
    /// When it is none of these.
    pub fn parse(text: &str) -> Result<Self, DrawRuleError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let draws = match words[..] {
            ["paper"] => Some(Self::PAPER),
            ["rules"] => Some(Self::STANDARD),
            ["plies", number] => {
                number.parse().ok().filter(|plies| (1..=MOST_PLIES).contains(plies)).map(Self::captures)
            }
            _ => None,
        };
        draws.ok_or_else(|| DrawRuleError(text.into()))
    }
}

impl Default for Draws {
    fn default() -> Self {
        Self::STANDARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_nothing_else() {
        for (text, draws) in
            [("paper", Draws::PAPER), ("rules", Draws::STANDARD), ("plies 80", Draws::captures(80))]
        {
            assert_eq!(Draws::parse(text), Ok(draws));
        }
        for text in ["", "plies", "plies 0", "plies 10001", "plies x", "paper 40", "plies 80 80", "wcdf"] {
            let error = Draws::parse(text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("bad rule of draws \"{text}\": expected \"paper\"")),
                "{error}"
            );
        }
    }
}
