//! The evaluations that can be chosen by name.

use std::path::Path;
use std::sync::LazyLock;

use super::level::Level;
use super::searcher::Searcher;
use super::weights::{WeightsError, read_learned};
use crate::board::Position;
use crate::eval::alex::{Alex, Ending, Function};
use crate::eval::network::Weights;
use crate::eval::peterson::{V1, V2, V3};
use crate::eval::{Classic, Evaluate, Lam, Learned, Made, Material, Network, Patterns, Presser, Sheet};
use crate::search::{Answer, Event, Task};

/// An evaluation, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// The one learned from the engine's own games: a network, or whatever form the weights of a file have.
    #[default]
    Network,
    /// The hand-made one.
    Classic,
    /// Pieces alone.
    Material,
    /// One of a published study.
    Published(Place),
}

/// A place in the list of published evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(u8);

/// An evaluation of a published study.
struct Published {
    name: &'static str,
    evaluation: &'static dyn Evaluate,
}

const fn published(name: &'static str, evaluation: &'static dyn Evaluate) -> Published {
    Published { name, evaluation }
}

const fn alex(function: Function, ending: Option<Ending>) -> Alex {
    Alex { function, ending }
}

const SUM: Option<Ending> = Some(Ending::SumOfDistances);
const FARTHEST: Option<Ending> = Some(Ending::FarthestPair);

/// The published evaluations, as `crate::eval` describes them. At most 256.
static PUBLISHED: [Published; 17] = [
    published("v1", &V1),
    published("v2", &V2::PUBLISHED),
    published("v3", &V3),
    published("alex1", &alex(Function::PieceValue, None)),
    published("alex1-sum", &alex(Function::PieceValue, SUM)),
    published("alex1-far", &alex(Function::PieceValue, FARTHEST)),
    published("alex2", &alex(Function::PieceAndHalf, None)),
    published("alex2-sum", &alex(Function::PieceAndHalf, SUM)),
    published("alex2-far", &alex(Function::PieceAndHalf, FARTHEST)),
    published("alex3", &alex(Function::PieceAndRow, None)),
    published("alex3-sum", &alex(Function::PieceAndRow, SUM)),
    published("alex3-far", &alex(Function::PieceAndRow, FARTHEST)),
    published("alex4", &alex(Function::Normalised, None)),
    published("alex4-sum", &alex(Function::Normalised, SUM)),
    published("alex4-far", &alex(Function::Normalised, FARTHEST)),
    published("lam", &Lam::PUBLISHED),
    published("presser", &Presser::PUBLISHED),
];

/// The engine's own evaluations.
const OWN: [(Evaluation, &str); 3] =
    [(Evaluation::Network, "network"), (Evaluation::Classic, "classic"), (Evaluation::Material, "material")];

/// The weights that are compiled in; a test holds that they are some.
static COMPILED_IN_BYTES: &[u8] = include_bytes!("../eval/data/default.net");

/// The network that is compiled in.
static COMPILED_IN: LazyLock<Network> = LazyLock::new(|| {
    Network::new(Weights::from_bytes(COMPILED_IN_BYTES).unwrap_or_else(|_| Weights::zero()))
});

/// All names: those of the engine's own evaluations, then the published ones.
static NAMES: [&str; PUBLISHED.len() + OWN.len()] = {
    let mut names = [""; PUBLISHED.len() + OWN.len()];
    let mut index = 0;
    while index < OWN.len() {
        names[index] = OWN[index].1;
        index += 1;
    }
    let mut index = 0;
    while index < PUBLISHED.len() {
        names[index + OWN.len()] = PUBLISHED[index].name;
        index += 1;
    }
    names
};

impl Evaluation {
    /// The one that is used unless another is chosen.
    pub const DEFAULT: Self = Self::Network;
    /// All names.
    pub const NAMES: &[&str] = &NAMES;

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Classic => "classic",
            Self::Material => "material",
            Self::Published(Place(index)) => PUBLISHED[index as usize].name,
        }
    }

    /// The one with a name, which does not depend on case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let index = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        match OWN.get(index) {
            Some(&(evaluation, _)) => Some(evaluation),
            None => u8::try_from(index - OWN.len()).ok().map(|index| Self::Published(Place(index))),
        }
    }

    /// What it judges by; the network that is compiled in if it is a network.
    #[must_use]
    pub fn evaluator(self) -> &'static dyn Evaluate {
        match self {
            Self::Network => &*COMPILED_IN,
            Self::Classic => Classic::fitted(),
            Self::Material => &Material,
            Self::Published(Place(index)) => PUBLISHED[usize::from(index)].evaluation,
        }
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> i32 {
        self.evaluator().evaluate(position)
    }
}

/// What was learned, of either form.
#[derive(Clone, Debug)]
enum Form {
    Network(Network),
    Patterns(Patterns),
}

impl From<Learned> for Form {
    fn from(weights: Learned) -> Self {
        match weights {
            Learned::Network(weights) => Self::Network(Network::new(*weights)),
            Learned::Patterns(weights) => Self::Patterns(Patterns::new(&weights)),
        }
    }
}

/// An evaluation, with the weights that are meant if it is a learned one, and those of a hand-made one.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    pub(super) evaluation: Evaluation,
    learned: Form,
    /// The checksum of what was learned.
    checksum: Option<u32>,
    /// Takes the place of the evaluation of its name; with the checksum of its weights.
    made: Option<(Made, u32)>,
}

impl Default for Judge {
    fn default() -> Self {
        Self {
            evaluation: Evaluation::DEFAULT,
            learned: Form::Network(COMPILED_IN.clone()),
            checksum: Learned::checksum(COMPILED_IN_BYTES),
            made: None,
        }
    }
}

impl Judge {
    /// Takes the weights of a file, or those that are compiled in.
    pub(super) fn load(&mut self, path: Option<&Path>) -> Result<(), WeightsError> {
        (self.learned, self.checksum) = match path {
            None => (Form::Network(COMPILED_IN.clone()), Learned::checksum(COMPILED_IN_BYTES)),
            Some(path) => {
                let (weights, checksum) = read_learned(path)?;
                (weights.into(), checksum)
            }
        };
        Ok(())
    }

    /// Gives a hand-made evaluation its weights, or all the published ones again.
    pub(super) fn weigh(&mut self, sheet: Option<&Sheet>) {
        self.made = sheet.map(|sheet| (sheet.made(), sheet.checksum()));
    }

    /// The checksum of the evaluation's weights; none if it has none that could change.
    pub(super) fn checksum(&self) -> Option<u32> {
        match (self.evaluation, &self.made) {
            (Evaluation::Network, _) => self.checksum,
            (other, Some((made, checksum))) if made.name() == other.name() => Some(*checksum),
            (other, _) => Sheet::published(other.name()).as_ref().map(Sheet::checksum),
        }
    }

    /// The evaluation's name; that of a learned one is its form, and which weights it has.
    pub(super) fn name(&self) -> String {
        match (self.evaluation, &self.learned) {
            (Evaluation::Network, Form::Network(network)) => format!("network {}", network.weights().name),
            (Evaluation::Network, Form::Patterns(patterns)) => format!("patterns {}", patterns.name()),
            (other, _) if self.made().is_some() => format!("{} with Weights", other.name()),
            (other, _) => other.name().to_owned(),
        }
    }

    /// The evaluation with weights of its own, if it is the one that is used.
    fn made(&self) -> Option<&Made> {
        self.made.as_ref().map(|(made, _)| made).filter(|made| made.name() == self.evaluation.name())
    }

    /// What it judges by.
    pub(super) fn evaluator(&self) -> &dyn Evaluate {
        match (self.evaluation, &self.learned) {
            (Evaluation::Network, Form::Network(network)) => network,
            (Evaluation::Network, Form::Patterns(patterns)) => patterns,
            (other, _) => self.made().map_or_else(|| other.evaluator(), Made::evaluator),
        }
    }

    /// Runs a search. The code of the engine's own evaluations is made for them; the published ones share one that asks
    /// which it is at every call.
    pub(super) fn search(
        &self,
        searcher: Searcher,
        level: Option<Level>,
        task: &Task<'_>,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        match (self.evaluation, level) {
            (Evaluation::Network, None) => match &self.learned {
                Form::Network(network) => searcher.search(task, network, tell),
                Form::Patterns(patterns) => searcher.search(task, patterns, tell),
            },
            (Evaluation::Classic, None) => match self.made() {
                Some(Made::Classic(classic)) => searcher.search(task, &**classic, tell),
                _ => searcher.search(task, Classic::fitted(), tell),
            },
            (Evaluation::Material, None) => searcher.search(task, &Material, tell),
            (Evaluation::Published(_), None) => searcher.search(task, &self.evaluator(), tell),
            // Weak play has time to ask.
            (_, Some(level)) => searcher.search(task, &level.blur(&self.evaluator()), tell),
        }
    }
}

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
        assert_eq!(Evaluation::by_name(Evaluation::DEFAULT.name()), Some(Evaluation::DEFAULT));
    }

    #[test]
    fn the_compiled_in_network_is_one() {
        let weights = Weights::from_bytes(COMPILED_IN_BYTES).unwrap();
        assert_eq!(Weights::from_bytes(&weights.to_bytes()), Ok(weights));
    }

    #[test]
    fn a_man_more_is_worth_about_a_hundred_by_all_of_them() {
        let position = crate::notation::fen::parse("B:W22-32:B1-12").unwrap();
        for &name in Evaluation::NAMES {
            let value = Evaluation::by_name(name).unwrap().evaluate(&position);
            assert!((50..250).contains(&value), "{name}: {value}");
        }
    }
}
