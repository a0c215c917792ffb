//! The searchers that can be chosen by name.

use crate::eval::Evaluate;
use crate::search::{Answer, Event, Task, alphabeta, tournament};

/// A searcher, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Searcher {
    /// The one that plays.
    #[default]
    Tournament,
    /// Alpha-beta with a table and little else.
    AlphaBeta,
}

impl Searcher {
    /// The one that is used unless another is chosen.
    pub const DEFAULT: Self = Self::Tournament;
    /// All names.
    pub const NAMES: &[&str] = &[Self::Tournament.name(), Self::AlphaBeta.name()];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tournament => "tournament",
            Self::AlphaBeta => "alphabeta",
        }
    }

    /// The one with a name, which does not depend on case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Tournament, Self::AlphaBeta].into_iter().find(|s| s.name().eq_ignore_ascii_case(name))
    }

    /// Runs it.
    pub(super) fn search<E: Evaluate>(
        self,
        task: &Task<'_>,
        evaluation: &E,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        match self {
            Self::Tournament => tournament(task, evaluation, tell),
            Self::AlphaBeta => alphabeta(task, evaluation, tell),
        }
    }
}
