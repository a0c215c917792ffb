//! The searchers that can be chosen by name.

use crate::eval::Evaluate;
use crate::search::textbook::{self, Config, Method};
use crate::search::{Answer, Event, Task, tournament};

/// A searcher, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Searcher {
    /// The one that plays.
    #[default]
    Tournament,
    /// One of the textbook.
    Textbook(Place),
}

/// A place in the list of the textbook's searchers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(u8);

const PLAIN: Config = Config {
    method: Method::AlphaBeta,
    table: false,
    quiescence: false,
    deepening: false,
    ordering: false,
    stuck: textbook::Stuck::Loss,
};

/// All that helps, for the methods that need it.
const FULL: Config = Config { table: true, quiescence: true, deepening: true, ordering: true, ..PLAIN };

/// The textbook searchers in teaching order. At most 256.
static TEXTBOOK: [(&str, Config); 8] = [
    ("negamax", Config { method: Method::Negamax, ..PLAIN }),
    ("ab", PLAIN),
    ("ab-tt", Config { table: true, ..PLAIN }),
    ("ab-q", Config { quiescence: true, ..PLAIN }),
    ("ab-tt-q", Config { table: true, quiescence: true, ..PLAIN }),
    ("deepening", FULL),
    ("mtdf", Config { method: Method::Mtdf, ..FULL }),
    ("bns", Config { method: Method::Bns, ..FULL }),
];

/// All names: those of the engine's own searchers, then the textbook's.
static NAMES: [&str; TEXTBOOK.len() + 1] = {
    let mut names = [""; TEXTBOOK.len() + 1];
    names[0] = "tournament";
    let mut index = 0;
    while index < TEXTBOOK.len() {
        names[index + 1] = TEXTBOOK[index].0;
        index += 1;
    }
    names
};

impl Searcher {
    /// The one that is used unless another is chosen.
    pub const DEFAULT: Self = Self::Tournament;
    /// All names.
    pub const NAMES: &[&str] = &NAMES;

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tournament => "tournament",
            Self::Textbook(Place(index)) => TEXTBOOK[index as usize].0,
        }
    }

    /// The one with a name, which does not depend on case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let index = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        match index {
            0 => Some(Self::Tournament),
            _ => u8::try_from(index - 1).ok().map(|index| Self::Textbook(Place(index))),
        }
    }

    /// The switches behind a name of the textbook.
    #[must_use]
    pub fn config(self) -> Option<Config> {
        match self {
            Self::Tournament => None,
            Self::Textbook(Place(index)) => Some(TEXTBOOK[usize::from(index)].1),
        }
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
            Self::Textbook(Place(index)) => {
                textbook::search(TEXTBOOK[usize::from(index)].1, task, evaluation, tell)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_names_itself() {
        for &name in Searcher::NAMES {
            assert_eq!(Searcher::by_name(&name.to_uppercase()).map(Searcher::name), Some(name));
        }
        assert_eq!(Searcher::by_name("minimax"), None);
    }
}
