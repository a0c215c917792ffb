//! Draw rules.

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
pub struct DrawRules {
    /// Moves that count as progress.
    pub rule: ProgressRule,
    /// Plies without progress that make a draw.
    pub no_progress_plies: u32,
    /// Whether the third repetition is a draw.
    pub repetition: bool,
    /// The maximum length of a game, after which it is a draw.
    pub max_plies: Option<u32>,
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

impl Default for DrawRules {
    fn default() -> Self {
        Self::STANDARD
    }
}
