//! Draw rules.

use crate::board::{Move, NO_PROGRESS_PLIES};
use crate::syntax::WordError;

/// Moves that count as progress. A game without progress for a number of plies is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum ProgressRule {
    /// A capture or a man's move, within 80 plies (WCDF rules).
    #[default]
    Standard,
    /// A capture or a crowning, within 40 plies (Peterson 2023).
    Paper,
    /// A capture, within 80 plies (Alex).
    Alex,
}

impl ProgressRule {
    /// All draw rules.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Paper, Self::Alex];

    /// Returns the name in options and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// Returns the usual number of plies without progress that make a draw.
    #[must_use]
    pub const fn plies(self) -> u32 {
        self.facts().1
    }

    /// Returns the name and the plies.
    const fn facts(self) -> (&'static str, u32) {
        match self {
            Self::Standard => ("standard", NO_PROGRESS_PLIES),
            Self::Paper => ("paper", 40),
            Self::Alex => ("alex", NO_PROGRESS_PLIES),
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

/// The conditions under which a game is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRules {
    /// Moves that count as progress.
    pub rule: ProgressRule,
    /// Plies without progress that make a draw.
    pub plies: u32,
    /// Whether the third repetition is a draw.
    pub repetition: bool,
    /// The maximum length of a game, after which it is a draw.
    pub max_plies: Option<u32>,
}

const MAX_PLIES: u32 = 10_000;

impl DrawRules {
    /// The rules of the game: the third repetition, or 80 plies without a capture or a man's move.
    pub const STANDARD: Self = Self::of(ProgressRule::Standard);
    /// Peterson's rule: 40 plies without a capture or a crowning.
    pub const PAPER: Self = Self::of(ProgressRule::Paper);

    /// Returns the draw rules for a progress rule, with its usual number of plies. Only the standard rule
    /// counts repetitions.
    const fn of(rule: ProgressRule) -> Self {
        let repetition = matches!(rule, ProgressRule::Standard);
        Self { rule, plies: rule.plies(), repetition, max_plies: None }
    }

    /// Returns a rule that draws a game after the given number of plies without a capture.
    #[must_use]
    pub const fn captures(plies: u32) -> Self {
        Self { plies, ..Self::of(ProgressRule::Alex) }
    }

    /// Parses the rule of an experiment: the name of a [`ProgressRule`], `rules` for the standard rule, or
    /// `plies N`.
    ///
    /// # Errors
    ///
    /// If the text has none of these forms.
    pub fn parse(text: &str) -> Result<Self, WordError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let draws = match words[..] {
            ["rules"] => Some(Self::STANDARD),
            [name] => ProgressRule::ALL.into_iter().find(|rule| rule.name() == name).map(Self::of),
            ["plies", number] => {
                number.parse().ok().filter(|plies| (1..=MAX_PLIES).contains(plies)).map(Self::captures)
            }
            _ => None,
        };
        draws.ok_or_else(|| {
            let names = ProgressRule::ALL.map(ProgressRule::name).join("\", \"");
            let expected = format!("\"{names}\", \"rules\" or \"plies N\" with N from 1 to {MAX_PLIES}");
            WordError::unknown("draw rule", text, expected)
        })
    }
}

impl Default for DrawRules {
    fn default() -> Self {
        Self::STANDARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draw_rules_are_parsed() {
        let named = ProgressRule::ALL.map(|rule| (rule.name(), DrawRules::of(rule)));
        let others = [
            ("paper", DrawRules::PAPER),
            ("rules", DrawRules::STANDARD),
            ("plies 80", DrawRules::captures(80)),
        ];
        for (text, draws) in named.into_iter().chain(others) {
            assert_eq!(DrawRules::parse(text), Ok(draws));
        }
        assert_eq!((DrawRules::captures(81).plies, DrawRules::captures(81).rule), (81, ProgressRule::Alex));
        for text in ["", "plies", "plies 0", "plies 10001", "plies x", "paper 40", "plies 80 80", "wcdf"] {
            let error = DrawRules::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("unknown draw rule \"{text}\"")), "{error}");
        }
    }
}
