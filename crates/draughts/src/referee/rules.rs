//! Draw rules.

use std::fmt;

use crate::board::{Move, NO_PROGRESS_PLIES};

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DrawRules {
    /// Moves that count as progress.
    #[cfg_attr(feature = "serde", serde(rename = "draw_rule"))]
    pub rule: ProgressRule,
    /// Plies without progress that make a draw.
    #[cfg_attr(feature = "serde", serde(rename = "draw_plies"))]
    pub no_progress_plies: u32,
    /// Whether the third repetition is a draw.
    #[cfg_attr(feature = "serde", serde(default = "counts", skip_serializing_if = "is_counted"))]
    pub repetition: bool,
    /// The maximum length of a game, after which it is a draw.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub max_plies: Option<u32>,
}

/// Matches saved by earlier versions counted repetitions with every rule.
#[cfg(feature = "serde")]
const fn counts() -> bool {
    true
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde expects")]
const fn is_counted(repetition: &bool) -> bool {
    *repetition
}

impl DrawRules {
    /// The rules of the game: the third repetition, or 80 plies without a capture or a man's move.
    pub const STANDARD: Self = Self::of(ProgressRule::Standard);

    /// Returns the draw rules for a progress rule, with its usual number of plies. Only the standard rule
    /// counts repetitions.
    #[must_use]
    pub const fn of(rule: ProgressRule) -> Self {
        let repetition = matches!(rule, ProgressRule::Standard);
        Self { rule, no_progress_plies: rule.plies(), repetition, max_plies: None }
    }
}

impl DrawRules {
    /// The text that [`Self::parse`] accepts, for messages.
    pub const EXPECTED: &str =
        "\"standard\", \"paper\", \"alex\", \"rules\" or \"plies N\" with N from 1 to 10000";
    const MAX_PLIES: u32 = 10_000;

    /// Parses the name of a [`ProgressRule`], `rules` for the standard rule, or `plies N` for N plies without a
    /// capture.
    ///
    /// ```
    /// use kelso_draughts::referee::DrawRules;
    ///
    /// let draws = DrawRules::parse("plies 40").unwrap();
    /// assert_eq!((draws.no_progress_plies, draws.repetition), (40, false));
    /// assert_eq!(draws.to_string(), "alex 40");
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["rules"] => Some(Self::STANDARD),
            [name] => ProgressRule::ALL.into_iter().find(|rule| rule.name() == name).map(Self::of),
            ["plies", number] => {
                let no_progress_plies = number.parse().ok()?;
                let is_valid = (1..=Self::MAX_PLIES).contains(&no_progress_plies);
                is_valid.then_some(Self { no_progress_plies, ..Self::of(ProgressRule::Alex) })
            }
            _ => None,
        }
    }
}

/// Formats the rule and its plies, such as `standard 80`, followed by what is unusual for the rule.
impl fmt::Display for DrawRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rule.name(), self.no_progress_plies)?;
        if self.repetition != Self::of(self.rule).repetition {
            f.write_str(if self.repetition { " with repetition" } else { " without repetition" })?;
        }
        self.max_plies.map_or(Ok(()), |plies| write!(f, ", {plies} plies"))
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
        let plies = |no_progress_plies| DrawRules { no_progress_plies, ..DrawRules::of(ProgressRule::Alex) };
        let named = ProgressRule::ALL.map(|rule| (rule.name(), DrawRules::of(rule)));
        let others = [("rules", DrawRules::STANDARD), ("plies 80", plies(80)), ("plies 81", plies(81))];
        for (text, draws) in named.into_iter().chain(others) {
            assert_eq!(DrawRules::parse(text), Some(draws));
        }
        for text in ["", "plies", "plies 0", "plies 10001", "plies x", "paper 40", "plies 80 80", "wcdf"] {
            assert_eq!(DrawRules::parse(text), None, "{text}");
        }
        for rule in ProgressRule::ALL {
            assert!(DrawRules::EXPECTED.contains(&format!("\"{}\"", rule.name())));
        }
        let unusual =
            DrawRules { repetition: true, max_plies: Some(220), ..DrawRules::of(ProgressRule::Paper) };
        assert_eq!(unusual.to_string(), "paper 40 with repetition, 220 plies");
    }
}
