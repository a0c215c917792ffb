//! The evaluations that can be chosen by name.

use super::level::Level;
use super::searcher::Searcher;
use crate::board::Position;
use crate::eval::{Classic, Evaluate, Material};
use crate::search::{Answer, Event, Task};

/// An evaluation, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// The hand-made one.
    #[default]
    Classic,
    /// Pieces alone.
    Material,
}

impl Evaluation {
    /// The one that is used unless another is chosen.
    pub const DEFAULT: Self = Self::Classic;
    /// All names.
    pub const NAMES: &[&str] = &[Self::Classic.name(), Self::Material.name()];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Material => "material",
        }
    }

    /// The one with a name, which does not depend on case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Classic, Self::Material].into_iter().find(|e| e.name().eq_ignore_ascii_case(name))
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> i32 {
        match self {
            Self::Classic => Classic.evaluate(position),
            Self::Material => Material.evaluate(position),
        }
    }

    /// Runs a search whose code is made for the evaluation.
    pub(super) fn search(
        self,
        searcher: Searcher,
        level: Option<Level>,
        task: &Task<'_>,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        match (self, level) {
            (Self::Classic, None) => searcher.search(task, &Classic, tell),
            (Self::Material, None) => searcher.search(task, &Material, tell),
            (Self::Classic, Some(level)) => searcher.search(task, &level.blur(&Classic), tell),
            (Self::Material, Some(level)) => searcher.search(task, &level.blur(&Material), tell),
        }
    }
}
