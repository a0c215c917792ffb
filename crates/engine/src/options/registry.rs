//! The evaluations and searchers that can be chosen by name. A program can add its own to those of the
//! engine.

use std::fmt;

use crate::eval::{Classic, Evaluation, MaterialEvaluation, Network, WeightTable, classic};
use crate::search::{AlphaBeta, Searcher};

/// An evaluation that can be chosen by name.
#[derive(Clone, Copy)]
pub struct NamedEvaluation {
    /// The name, which is not case-sensitive.
    pub name: &'static str,
    /// Returns the evaluation with its default weights.
    pub build: fn() -> &'static dyn Evaluation,
    /// The weights that can be changed.
    pub weights: Option<&'static WeightTable>,
}

/// A searcher that can be chosen by name.
#[derive(Clone, Copy)]
pub struct NamedSearcher {
    /// The name, which is not case-sensitive.
    pub name: &'static str,
    pub searcher: &'static dyn Searcher,
}

/// The evaluations and searchers of an engine. By default, only those built into this crate.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    /// All evaluations, in the order in which they are listed.
    pub evaluations: &'static [NamedEvaluation],
    /// All searchers, in the order in which they are listed.
    pub searchers: &'static [NamedSearcher],
}

impl Default for Registry {
    fn default() -> Self {
        const EVALUATIONS: &[NamedEvaluation] =
            &[NamedEvaluation::NETWORK, NamedEvaluation::CLASSIC, NamedEvaluation::MATERIAL];
        Self { evaluations: EVALUATIONS, searchers: &[NamedSearcher::ALPHABETA] }
    }
}

impl Registry {
    /// Looks up an evaluation by its case-insensitive name.
    #[must_use]
    pub fn evaluation(self, name: &str) -> Option<NamedEvaluation> {
        self.evaluations.iter().copied().find(|evaluation| evaluation.name.eq_ignore_ascii_case(name))
    }

    /// Looks up a searcher by its case-insensitive name.
    #[must_use]
    pub fn searcher(self, name: &str) -> Option<NamedSearcher> {
        self.searchers.iter().copied().find(|searcher| searcher.name.eq_ignore_ascii_case(name))
    }

    /// Returns the names of all evaluations.
    #[must_use]
    pub fn evaluation_names(self) -> Vec<&'static str> {
        self.evaluations.iter().map(|evaluation| evaluation.name).collect()
    }

    /// Returns the names of all searchers.
    #[must_use]
    pub fn searcher_names(self) -> Vec<&'static str> {
        self.searchers.iter().map(|searcher| searcher.name).collect()
    }
}

impl NamedEvaluation {
    /// The network, which is used by default.
    pub const NETWORK: Self = Self::without_weights("network", || Network::compiled_in());
    /// The handcrafted evaluation.
    pub const CLASSIC: Self =
        Self { weights: Some(&classic::WEIGHTS), ..Self::without_weights("classic", || Classic::fitted()) };
    /// Material only.
    pub const MATERIAL: Self = Self::without_weights("material", || &MaterialEvaluation);

    /// Returns an entry for an evaluation whose weights cannot be changed.
    #[must_use]
    pub const fn without_weights(name: &'static str, build: fn() -> &'static dyn Evaluation) -> Self {
        Self { name, build, weights: None }
    }

    /// Returns the evaluation with its default weights.
    #[must_use]
    pub fn build(self) -> &'static dyn Evaluation {
        (self.build)()
    }
}

impl NamedSearcher {
    /// The engine's own search, which is used by default.
    pub const ALPHABETA: Self = Self { name: "alphabeta", searcher: &AlphaBeta };
}

/// Compares and shows entries by their names.
macro_rules! by_name {
    ($($entry:ident, $default:expr;)*) => {
        $(
            impl PartialEq for $entry {
                fn eq(&self, other: &Self) -> bool {
                    self.name == other.name
                }
            }

            impl Eq for $entry {}

            impl fmt::Debug for $entry {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.name)
                }
            }

            impl Default for $entry {
                fn default() -> Self {
                    $default
                }
            }
        )*
    };
}

by_name! {
    NamedEvaluation, Self::NETWORK;
    NamedSearcher, Self::ALPHABETA;
}
