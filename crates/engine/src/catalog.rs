//! The evaluations and searchers that can be chosen by name. The engine has few; a program adds others by giving the
//! engine a catalog of its own.

use std::fmt;

use crate::eval::{Classic, Evaluate, Material, Network, WeightTable, classic};
use crate::search::Search;

/// A name and what it stands for.
#[derive(Debug)]
pub struct Entry<T> {
    /// The name, which does not depend on case.
    pub name: &'static str,
    /// The item of that name.
    pub item: T,
}

/// An entry of a catalog, equal to another if it has the same name.
pub struct Choice<T: 'static>(&'static Entry<T>);

/// An evaluation that was chosen by name.
pub type Evaluation = Choice<Evaluator>;

/// A searcher that was chosen by name.
pub type Searcher = Choice<Algorithm>;

/// The evaluation of an entry.
#[derive(Debug)]
pub struct Evaluator {
    /// Returns the evaluation with its published weights.
    pub published: fn() -> &'static dyn Evaluate,
    /// The weights that can be changed.
    pub weights: Option<&'static WeightTable>,
}

/// The search of an entry.
#[derive(Debug)]
pub enum Algorithm {
    /// The engine's own search.
    Tournament,
    /// A search from outside.
    Other(&'static dyn Search),
}

/// The evaluations and searchers of an engine. The default has those of the engine alone.
#[derive(Clone, Copy, Debug)]
pub struct Catalog {
    /// All evaluations, in the order in which they are listed.
    pub evaluations: &'static [Entry<Evaluator>],
    /// All searchers, in the order in which they are listed.
    pub searchers: &'static [Entry<Algorithm>],
}

/// The entry of the network.
pub const NETWORK: Entry<Evaluator> =
    Entry { name: "network", item: Evaluator { published: || Network::compiled_in(), weights: None } };

/// The entry of the hand-made evaluation.
pub const CLASSIC: Entry<Evaluator> = Entry {
    name: "classic",
    item: Evaluator { published: || Classic::fitted(), weights: Some(&classic::WEIGHTS) },
};

/// The entry of material alone.
pub const MATERIAL: Entry<Evaluator> =
    Entry { name: "material", item: Evaluator { published: || &Material, weights: None } };

/// The entry of the engine's own search.
pub const TOURNAMENT: Entry<Algorithm> = Entry { name: "tournament", item: Algorithm::Tournament };

static EVALUATIONS: [Entry<Evaluator>; 3] = [NETWORK, CLASSIC, MATERIAL];
static SEARCHERS: [Entry<Algorithm>; 1] = [TOURNAMENT];

impl Default for Catalog {
    fn default() -> Self {
        Self { evaluations: &EVALUATIONS, searchers: &SEARCHERS }
    }
}

impl Catalog {
    /// Returns the evaluation with a name, which does not depend on case.
    #[must_use]
    pub fn evaluation(self, name: &str) -> Option<Evaluation> {
        Choice::by_name(self.evaluations, name)
    }

    /// Returns the searcher with a name, which does not depend on case.
    #[must_use]
    pub fn searcher(self, name: &str) -> Option<Searcher> {
        Choice::by_name(self.searchers, name)
    }

    /// Returns the names of all evaluations.
    #[must_use]
    pub fn evaluation_names(self) -> Vec<&'static str> {
        names(self.evaluations)
    }

    /// Returns the names of all searchers.
    #[must_use]
    pub fn searcher_names(self) -> Vec<&'static str> {
        names(self.searchers)
    }
}

fn names<T>(entries: &[Entry<T>]) -> Vec<&'static str> {
    entries.iter().map(|entry| entry.name).collect()
}

impl<T> Choice<T> {
    /// Returns an entry as a choice.
    #[must_use]
    pub const fn new(entry: &'static Entry<T>) -> Self {
        Self(entry)
    }

    fn by_name(entries: &'static [Entry<T>], name: &str) -> Option<Self> {
        entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)).map(Self)
    }

    /// Returns its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }
}

impl Evaluation {
    /// The evaluation that is used by default.
    pub const NETWORK: Self = Self(&EVALUATIONS[0]);

    /// Returns the evaluation with its published weights; the network with those that are compiled in.
    #[must_use]
    pub fn evaluator(self) -> &'static dyn Evaluate {
        (self.0.item.published)()
    }

    /// Returns the weights that can be changed.
    pub(crate) const fn weights(self) -> Option<&'static WeightTable> {
        self.0.item.weights
    }
}

impl Searcher {
    /// The searcher that is used by default.
    pub const TOURNAMENT: Self = Self(&SEARCHERS[0]);

    /// Returns the search that it stands for.
    pub(crate) const fn algorithm(self) -> &'static Algorithm {
        &self.0.item
    }
}

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Choice<T> {}

impl<T> PartialEq for Choice<T> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl<T> Eq for Choice<T> {}

impl<T> fmt::Debug for Choice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::NETWORK
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::TOURNAMENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_depend_on_case() {
        let catalog = Catalog::default();
        assert_eq!(catalog.evaluation("NETWORK"), Some(Evaluation::default()));
        assert_eq!(catalog.evaluation("Classic").map(Evaluation::name), Some("classic"));
        assert_eq!(catalog.evaluation("v4"), None);
        assert_eq!(catalog.searcher("Tournament"), Some(Searcher::default()));
        assert_eq!(catalog.searcher("minimax"), None);
    }
}
