//! The searchers that can be chosen by name: one table.

use super::textbook::{Config, Method, Stuck};

/// A searcher, by its place in the table.
#[derive(Clone, Copy, Debug)]
pub struct Searcher(&'static Entry);

/// A searcher of the table.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    family: Family,
}

/// What kind of searcher it is, and what it is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// The one that plays.
    Tournament,
    /// One of the textbook, with its switches.
    Textbook(Config),
}

const fn textbook(name: &'static str, config: Config) -> Entry {
    Entry { name, family: Family::Textbook(config) }
}

const PLAIN: Config = Config {
    method: Method::AlphaBeta,
    table: false,
    quiescence: false,
    deepening: false,
    ordering: false,
    stuck: Stuck::Loss,
};

/// All that helps, for the methods that need it.
const FULL: Config = Config { table: true, quiescence: true, deepening: true, ordering: true, ..PLAIN };

/// All searchers: the one that plays, then those of the textbook in teaching order.
static TABLE: [Entry; 9] = [
    Entry { name: "tournament", family: Family::Tournament },
    textbook("negamax", Config { method: Method::Negamax, ..PLAIN }),
    textbook("ab", PLAIN),
    textbook("ab-tt", Config { table: true, ..PLAIN }),
    textbook("ab-q", Config { quiescence: true, ..PLAIN }),
    textbook("ab-tt-q", Config { table: true, quiescence: true, ..PLAIN }),
    textbook("deepening", FULL),
    textbook("mtdf", Config { method: Method::Mtdf, ..FULL }),
    textbook("bns", Config { method: Method::Bns, ..FULL }),
];

static NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        names[index] = TABLE[index].name;
        index += 1;
    }
    names
};

impl Searcher {
    /// The one that plays, and that is used unless another is chosen.
    pub const TOURNAMENT: Self = Self(&TABLE[0]);
    /// All names.
    pub const NAMES: &[&str] = &NAMES;

    /// The one with a name, which does not depend on case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)).map(Self)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// What kind of searcher it is.
    #[must_use]
    pub const fn family(self) -> Family {
        self.0.family
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::TOURNAMENT
    }
}

impl PartialEq for Searcher {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Searcher {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_names_itself() {
        for &name in Searcher::NAMES {
            assert_eq!(Searcher::by_name(&name.to_uppercase()).map(Searcher::name), Some(name));
        }
        assert_eq!(Searcher::by_name("minimax"), None);
        assert_eq!(Searcher::by_name("tournament"), Some(Searcher::default()));
    }
}
