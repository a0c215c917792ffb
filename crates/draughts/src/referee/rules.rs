//! Draw rules.

use std::fmt;
use std::str::FromStr;

use crate::board::{Game, Move, NO_PROGRESS_PLIES};
use crate::result::{KnownValue, Wdl};
use kelso_syntax::WordError;

kelso_syntax::named! {
    /// Moves that count as progress. A game without progress for a number of plies is drawn. The names are
    /// those in options, reports and files: `paper` and `alex` are rules of two published studies, Peterson's
    /// paper and the one by Alex.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum ProgressRule {
        /// A capture or a man's move, within 80 plies (WCDF rules).
        #[default]
        #[cfg_attr(feature = "serde", serde(rename = "standard"))]
        Standard: "standard";
        /// A capture or a crowning, within 40 plies.
        #[cfg_attr(feature = "serde", serde(rename = "paper"))]
        CaptureOrCrowning: "paper";
        /// A capture, within 80 plies.
        #[cfg_attr(feature = "serde", serde(rename = "alex"))]
        Capture: "alex";
    }
}

impl ProgressRule {
    /// Returns the usual number of plies without progress that make a draw.
    #[must_use]
    pub const fn plies(self) -> u32 {
        match self {
            Self::Standard | Self::Capture => NO_PROGRESS_PLIES,
            Self::CaptureOrCrowning => 40,
        }
    }

    /// Describes the moves that count as progress.
    const fn progress(self) -> &'static str {
        match self {
            Self::Standard => "a capture or a man's move",
            Self::CaptureOrCrowning => "a capture or a crowning",
            Self::Capture => "a capture",
        }
    }

    /// Returns whether a move counts as progress.
    #[must_use]
    #[inline]
    pub fn is_progress(self, mv: Move) -> bool {
        match self {
            Self::Standard => mv.is_irreversible(),
            Self::CaptureOrCrowning => mv.is_capture() || mv.is_crowning(),
            Self::Capture => mv.is_capture(),
        }
    }
}

/// The conditions under which a game is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRules {
    /// Moves that count as progress.
    pub progress: ProgressRule,
    /// Plies without progress that make a draw.
    pub no_progress_plies: u32,
    /// Whether the third repetition is a draw.
    pub repetition: bool,
}

impl DrawRules {
    /// The rules of the game: the third repetition, or 80 plies without a capture or a man's move.
    pub const STANDARD: Self = Self::of(ProgressRule::Standard);

    /// Returns the draw rules for a progress rule, with its usual number of plies. Only the standard rule
    /// counts repetitions.
    #[must_use]
    pub const fn of(rule: ProgressRule) -> Self {
        let repetition = matches!(rule, ProgressRule::Standard);
        Self { progress: rule, no_progress_plies: rule.plies(), repetition }
    }

    /// Describes the text that can be parsed, for help.
    #[must_use]
    pub fn help() -> String {
        let rules = ProgressRule::ALL.map(|rule| {
            let repetition = if Self::of(rule).repetition { ", or the third repetition" } else { "" };
            format!("{} ({} plies without {}{repetition})", rule.name(), rule.plies(), rule.progress())
        });
        format!("{}, or \"plies N\" (N plies without a capture)", rules.join(", "))
    }

    /// The text that can be parsed, for messages.
    pub const EXPECTED: &str = "\"standard [N]\", \"paper [N]\", \"alex [N]\" or \"plies N\" with N from 1 to 10000; \
        after N, also \"with repetition\" or \"without repetition\"";
    const MAX_PLIES: u32 = 10_000;

    fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let (&name, words) = words.split_first()?;
        let rule = if name == "plies" { ProgressRule::Capture } else { ProgressRule::from_name(name)? };
        let mut draws = Self::of(rule);
        if let Some((number, words)) = words.split_first() {
            draws.no_progress_plies =
                number.parse().ok().filter(|plies| (1..=Self::MAX_PLIES).contains(plies))?;
            match words {
                [] => {}
                ["with", "repetition"] => draws.repetition = true,
                ["without", "repetition"] => draws.repetition = false,
                _ => return None,
            }
        } else if text.trim() == "plies" {
            return None;
        }
        Some(draws)
    }

    /// Returns the number of plies without progress at the end of a game.
    #[must_use]
    pub fn plies_without_progress(self, game: &Game) -> usize {
        game.moves().iter().rev().take_while(|&&mv| !self.progress.is_progress(mv)).count()
    }

    /// Returns whether a result that ignores draw rules certainly holds after this number of plies without
    /// progress. With the rules of the game it is taken to hold; with others, a win must end before the draw.
    #[must_use]
    pub fn permits(self, value: KnownValue, plies_without_progress: usize) -> bool {
        self == Self::STANDARD
            || value.wdl == Wdl::Draw
            || value.plies.is_some_and(|plies| {
                plies_without_progress + plies as usize <= self.no_progress_plies as usize
            })
    }
}

/// Parses the name of a [`ProgressRule`], or `plies N` for N plies without a capture. Also accepts the text
/// that formatting gives.
///
/// ```
/// use kelso_draughts::referee::DrawRules;
///
/// let draws: DrawRules = "plies 40".parse()?;
/// assert_eq!((draws.no_progress_plies, draws.repetition), (40, false));
/// assert_eq!(draws.to_string(), "alex 40");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FromStr for DrawRules {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        Self::parse(text).ok_or_else(|| WordError::unknown("draw rule", text, Self::EXPECTED))
    }
}

/// Formats the rule and its plies, such as `standard 80`, followed by what is unusual for the rule.
impl fmt::Display for DrawRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.progress.name(), self.no_progress_plies)?;
        if self.repetition != Self::of(self.progress).repetition {
            f.write_str(if self.repetition { " with repetition" } else { " without repetition" })?;
        }
        Ok(())
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
        let plies =
            |no_progress_plies| DrawRules { no_progress_plies, ..DrawRules::of(ProgressRule::Capture) };
        let named = ProgressRule::ALL.map(|rule| (rule.name(), DrawRules::of(rule)));
        let others = [("plies 80", plies(80)), ("plies 81", plies(81)), ("Alex 40", plies(40))];
        for (text, draws) in named.into_iter().chain(others) {
            assert_eq!(text.parse(), Ok(draws));
        }
        for text in [
            "",
            "plies",
            "plies 0",
            "plies 10001",
            "plies x",
            "rules",
            "plies 80 80",
            "alex 40 repetition",
            "wcdf",
        ] {
            assert!(text.parse::<DrawRules>().is_err(), "{text}");
        }
        for rule in ProgressRule::ALL {
            assert!(DrawRules::EXPECTED.contains(&format!("\"{} [N]\"", rule.name())));
        }
        let repetition = DrawRules { repetition: true, ..DrawRules::of(ProgressRule::CaptureOrCrowning) };
        for draws in [DrawRules::STANDARD, plies(40), repetition] {
            assert_eq!(draws.to_string().parse(), Ok(draws));
        }
        assert_eq!(repetition.to_string(), "paper 40 with repetition");
    }

    #[test]
    fn a_win_must_end_before_the_draw_of_another_rule() {
        let plies: DrawRules = "plies 40".parse().unwrap();
        let win = KnownValue::new(Wdl::Win, Some(31));
        assert!(plies.permits(win, 9) && !plies.permits(win, 10) && DrawRules::STANDARD.permits(win, 79));
        assert!(!plies.permits(KnownValue::new(Wdl::Loss, None), 0));
        assert!(plies.permits(KnownValue::new(Wdl::Draw, None), 39));
    }
}
