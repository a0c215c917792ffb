//! The evaluations that can be chosen by name.

use super::level::Level;
use super::searcher::Searcher;
use crate::board::Position;
use crate::eval::alex::{Alex, Ending, Function};
use crate::eval::peterson::{V1, V2, V3};
use crate::eval::{Classic, Evaluate, Lam, Material, Presser};
use crate::search::{Answer, Event, Task};

/// An evaluation, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// The hand-made one.
    #[default]
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
    published("v2", &V2),
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
    published("lam", &Lam),
    published("presser", &Presser),
];

/// All names: those of the engine's own evaluations, then the published ones.
static NAMES: [&str; PUBLISHED.len() + 2] = {
    let mut names = [""; PUBLISHED.len() + 2];
    names[0] = "classic";
    names[1] = "material";
    let mut index = 0;
    while index < PUBLISHED.len() {
        names[index + 2] = PUBLISHED[index].name;
        index += 1;
    }
    names
};

impl Evaluation {
    /// The one that is used unless another is chosen.
    pub const DEFAULT: Self = Self::Classic;
    /// All names.
    pub const NAMES: &[&str] = &NAMES;

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Material => "material",
            Self::Published(Place(index)) => PUBLISHED[index as usize].name,
        }
    }

    /// The one with a name, which does not depend on case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let index = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        match index {
            0 => Some(Self::Classic),
            1 => Some(Self::Material),
            _ => u8::try_from(index - 2).ok().map(|index| Self::Published(Place(index))),
        }
    }

    /// What it judges by.
    #[must_use]
    pub fn evaluator(self) -> &'static dyn Evaluate {
        match self {
            Self::Classic => &Classic,
            Self::Material => &Material,
            Self::Published(Place(index)) => PUBLISHED[usize::from(index)].evaluation,
        }
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> i32 {
        self.evaluator().evaluate(position)
    }

    /// Runs a search. The code of the engine's own evaluations is made for them; the published ones share one that asks
    /// which it is at every call.
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
            (Self::Published(_), None) => searcher.search(task, &self.evaluator(), tell),
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
    fn a_man_more_is_worth_about_a_hundred_by_all_of_them() {
        let position = crate::notation::fen::parse("B:W22-32:B1-12").unwrap();
        for &name in Evaluation::NAMES {
            let value = Evaluation::by_name(name).unwrap().evaluate(&position);
            assert!((50..250).contains(&value), "{name}: {value}");
        }
    }
}
