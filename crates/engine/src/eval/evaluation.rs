//! The evaluations that can be chosen by name: one table.

use std::sync::LazyLock;

use super::alex::{Alex, Ending, Function};
use super::network::{Network, Weights};
use super::peterson::{V1, V2, V3, v2};
use super::weightlist::WeightList;
use super::{Classic, Evaluate, Lam, Material, Presser, classic, lam, presser};

/// An evaluation, by its place in the table.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation(&'static Entry);

/// An evaluation of the table.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    family: Family,
    evaluator: fn() -> &'static dyn Evaluate,
    /// Weights that can be changed.
    weights: Option<&'static WeightList>,
}

/// What kind of evaluation it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// The network, learned from the engine's own games.
    Learned,
    /// The hand-made one.
    Classic,
    /// Pieces alone.
    Material,
    /// One of a published study.
    Published,
}

const fn published(name: &'static str, evaluator: fn() -> &'static dyn Evaluate) -> Entry {
    Entry { name, family: Family::Published, evaluator, weights: None }
}

const fn alex(function: Function, ending: Option<Ending>) -> Alex {
    Alex { function, ending }
}

const SUM: Option<Ending> = Some(Ending::SumOfDistances);
const FARTHEST: Option<Ending> = Some(Ending::FarthestPair);

/// All evaluations: the engine's own, then those of published studies.
static TABLE: [Entry; 20] = [
    Entry { name: "network", family: Family::Learned, evaluator: || &*COMPILED_IN, weights: None },
    Entry {
        name: "classic",
        family: Family::Classic,
        evaluator: || Classic::fitted(),
        weights: Some(&classic::WEIGHTS),
    },
    Entry { name: "material", family: Family::Material, evaluator: || &Material, weights: None },
    published("v1", || &V1),
    Entry { weights: Some(&v2::WEIGHTS), ..published("v2", || &V2::PUBLISHED) },
    published("v3", || &V3),
    published("alex1", || &const { alex(Function::PieceValue, None) }),
    published("alex1-sum", || &const { alex(Function::PieceValue, SUM) }),
    published("alex1-far", || &const { alex(Function::PieceValue, FARTHEST) }),
    published("alex2", || &const { alex(Function::PieceAndHalf, None) }),
    published("alex2-sum", || &const { alex(Function::PieceAndHalf, SUM) }),
    published("alex2-far", || &const { alex(Function::PieceAndHalf, FARTHEST) }),
    published("alex3", || &const { alex(Function::PieceAndRow, None) }),
    published("alex3-sum", || &const { alex(Function::PieceAndRow, SUM) }),
    published("alex3-far", || &const { alex(Function::PieceAndRow, FARTHEST) }),
    published("alex4", || &const { alex(Function::Normalised, None) }),
    published("alex4-sum", || &const { alex(Function::Normalised, SUM) }),
    published("alex4-far", || &const { alex(Function::Normalised, FARTHEST) }),
    Entry { weights: Some(&lam::WEIGHTS), ..published("lam", || &Lam::PUBLISHED) },
    Entry { weights: Some(&presser::WEIGHTS), ..published("presser", || &Presser::PUBLISHED) },
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

/// The weights that are compiled in; a test holds that they are some.
static COMPILED_IN_BYTES: &[u8] = include_bytes!("data/default.net");

/// The network that is compiled in.
static COMPILED_IN: LazyLock<Network> = LazyLock::new(|| {
    Network::new(Weights::from_bytes(COMPILED_IN_BYTES).unwrap_or_else(|_| Weights::zero()))
});

impl Evaluation {
    /// The one that is used unless another is chosen.
    pub const NETWORK: Self = Self(&TABLE[0]);
    /// All names.
    pub const NAMES: &[&str] = &NAMES;

    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(Self)
    }

    /// The one with a name, which does not depend on case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|evaluation| evaluation.name().eq_ignore_ascii_case(name))
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// What kind of evaluation it is.
    #[must_use]
    pub const fn family(self) -> Family {
        self.0.family
    }

    /// What it judges by; the network that is compiled in if it is a network.
    #[must_use]
    pub fn evaluator(self) -> &'static dyn Evaluate {
        (self.0.evaluator)()
    }

    /// Its weights, if there are any that can be changed.
    pub(super) const fn weights(self) -> Option<&'static WeightList> {
        self.0.weights
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[must_use]
    pub fn evaluate(self, position: &draughts::board::Position) -> i32 {
        self.evaluator().evaluate(position)
    }
}

/// The network that is compiled in.
#[must_use]
pub fn compiled_in() -> &'static Network {
    &COMPILED_IN
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::NETWORK
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Evaluation {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_names_itself() {
        for &name in Evaluation::NAMES {
            let found = Evaluation::by_name(&name.to_uppercase()).unwrap();
            assert_eq!(found.name(), name);
        }
        assert_eq!(Evaluation::by_name("v4"), None);
        assert_eq!(Evaluation::by_name("network"), Some(Evaluation::default()));
    }

    #[test]
    fn the_compiled_in_network_is_one() {
        let weights = Weights::from_bytes(COMPILED_IN_BYTES).unwrap();
        assert_eq!(Weights::from_bytes(&weights.to_bytes()), Ok(weights));
    }

    #[test]
    fn a_man_more_is_worth_about_a_hundred_by_all_of_them() {
        let position = draughts::notation::fen::parse("B:W22-32:B1-12").unwrap();
        for &name in Evaluation::NAMES {
            let value = Evaluation::by_name(name).unwrap().evaluate(&position);
            assert!((50..250).contains(&value), "{name}: {value}");
        }
    }
}
