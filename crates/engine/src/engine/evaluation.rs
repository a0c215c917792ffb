//! The evaluation that an engine has chosen.

use super::Engine;
use crate::eval::{Evaluation, EvaluationKind, Explanation, TermWeights};
use kelso_draughts::board::Position;

/// The identity of an evaluation. Engines with equal identities evaluate positions alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationId {
    /// The name of the evaluation and, for a network, the name of its weights.
    pub name: String,
    /// The checksum of the weights, if there are any.
    pub checksum: Option<u32>,
}

impl Engine {
    /// Returns the chosen evaluation with its weights.
    pub(super) fn evaluation(&self) -> Evaluation<'_> {
        match (self.options.evaluation, &self.loaded_terms) {
            (EvaluationKind::Network, _) => Evaluation::Network(&self.network),
            (EvaluationKind::Classic, Some(loaded)) => Evaluation::Classic(&loaded.evaluation),
            (kind, _) => kind.evaluation(),
        }
    }

    /// Identifies the chosen evaluation and its weights.
    #[must_use]
    pub fn evaluation_id(&self) -> EvaluationId {
        let kind = self.options.evaluation;
        let name = kind.name();
        match (kind, &self.loaded_terms) {
            (EvaluationKind::Network, _) => {
                let weights = self.network.weights();
                EvaluationId { name: format!("{name} {}", weights.name), checksum: Some(weights.checksum()) }
            }
            (EvaluationKind::Classic, Some(loaded)) => EvaluationId {
                name: format!("{name} with Weights"),
                checksum: Some(loaded.weights.checksum()),
            },
            (EvaluationKind::Classic, None) => {
                EvaluationId { name: name.to_owned(), checksum: Some(TermWeights::default().checksum()) }
            }
            (EvaluationKind::Material, _) => EvaluationId { name: name.to_owned(), checksum: None },
        }
    }

    /// Evaluates a position for the side to move, in hundredths of a man, without a search.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluation().evaluate(position)
    }

    /// Explains the evaluation of a position.
    pub fn explain(&self, position: &Position) -> Explanation {
        Explanation::of(self.evaluation(), position)
    }
}
