//! Evaluations from published studies, each in its own file with its formula, and the names of all
//! evaluations.

pub mod alex;
mod lam;
pub mod peterson;
mod presser;
mod terms;

pub use lam::Lam;
pub use presser::Presser;

use std::fmt;

use crate::evaluation::Evaluation;
use alex::{Alex, EndingTerm, Function};
use kelso_engine::eval::EvaluationKind;
use peterson::{V1, V2, V3};

/// An evaluation that players can use.
#[derive(Clone, Copy)]
pub struct NamedEvaluation {
    pub name: &'static str,
    pub evaluation: &'static dyn Evaluation,
}

impl PartialEq for NamedEvaluation {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for NamedEvaluation {}

impl fmt::Debug for NamedEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl NamedEvaluation {
    /// The evaluation of a player that names none.
    pub const NETWORK: Self = of("network", &EvaluationKind::Network);

    /// Returns the evaluation with a name, ignoring case.
    pub fn find(name: &str) -> Option<Self> {
        EVALUATIONS.into_iter().find(|evaluation| evaluation.name.eq_ignore_ascii_case(name))
    }
}

const fn of(name: &'static str, evaluation: &'static dyn Evaluation) -> NamedEvaluation {
    NamedEvaluation { name, evaluation }
}

const fn alex(function: Function, ending: Option<EndingTerm>) -> Alex {
    Alex { function, ending }
}

const SUM: Option<EndingTerm> = Some(EndingTerm::SumOfDistances);
const FARTHEST: Option<EndingTerm> = Some(EndingTerm::FarthestPair);

/// All evaluations, in the order in which they are listed.
pub const EVALUATIONS: [NamedEvaluation; 20] = [
    NamedEvaluation::NETWORK,
    of("classic", &EvaluationKind::Classic),
    of("material", &EvaluationKind::Material),
    of("v1", &V1),
    of("v2", &V2),
    of("v3", &V3),
    of("alex1", &const { alex(Function::PieceValue, None) }),
    of("alex1-sum", &const { alex(Function::PieceValue, SUM) }),
    of("alex1-far", &const { alex(Function::PieceValue, FARTHEST) }),
    of("alex2", &const { alex(Function::PieceAndHalf, None) }),
    of("alex2-sum", &const { alex(Function::PieceAndHalf, SUM) }),
    of("alex2-far", &const { alex(Function::PieceAndHalf, FARTHEST) }),
    of("alex3", &const { alex(Function::PieceAndRow, None) }),
    of("alex3-sum", &const { alex(Function::PieceAndRow, SUM) }),
    of("alex3-far", &const { alex(Function::PieceAndRow, FARTHEST) }),
    of("alex4", &const { alex(Function::Normalised, None) }),
    of("alex4-sum", &const { alex(Function::Normalised, SUM) }),
    of("alex4-far", &const { alex(Function::Normalised, FARTHEST) }),
    of("lam", &Lam),
    of("presser", &Presser),
];

/// The names of all evaluations.
pub fn evaluation_names() -> Vec<&'static str> {
    EVALUATIONS.map(|evaluation| evaluation.name).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::hundredths;
    use kelso_draughts::notation::fen;
    use kelso_engine::eval::testing;

    #[test]
    fn every_name_is_found_whatever_its_case() {
        for named in EVALUATIONS {
            assert_eq!(NamedEvaluation::find(&named.name.to_uppercase()), Some(named));
        }
        for kind in EvaluationKind::ALL {
            assert!(NamedEvaluation::find(kind.name()).is_some());
        }
    }

    #[test]
    fn a_man_more_is_worth_about_a_hundred_by_all_evaluations() {
        let position = fen::parse("B:W22-32:B1-12").unwrap();
        for NamedEvaluation { name, evaluation } in EVALUATIONS {
            let value = hundredths(evaluation.value(&position), evaluation.man());
            assert!((50..300).contains(&value), "{name}: {value}");
        }
    }

    #[test]
    fn a_flip_has_the_same_value_by_all_evaluations_but_two() {
        // These two use sets of squares that are not symmetric.
        let uneven = ["v2", "v3"];
        for named in EVALUATIONS.into_iter().filter(|named| !uneven.contains(&named.name)) {
            testing::assert_symmetric(|position| named.evaluation.value(position));
        }
    }
}
