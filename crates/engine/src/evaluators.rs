//! The evaluations of an engine: those of its catalog, with weights from files in place of those that are compiled in.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::weights::{WeightsError, read_network};
use crate::Level;
use crate::catalog::{Evaluation, Searcher};
use crate::eval::{Evaluate, Network, TermWeights};
use crate::search::{Answer, Event, Task};

/// The loaded weights of an evaluation, and the evaluation with them.
#[derive(Clone)]
struct Loaded {
    weights: TermWeights,
    evaluator: Arc<dyn Evaluate>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.weights.fmt(f)
    }
}

/// The evaluations with their weights.
#[derive(Clone, Debug)]
pub(super) struct Evaluators {
    network: Network,
    /// Replaces the published evaluation of the same name.
    loaded: Option<Loaded>,
}

impl Default for Evaluators {
    fn default() -> Self {
        Self { network: Network::compiled_in().clone(), loaded: None }
    }
}

impl Evaluators {
    /// Loads a network from a file, or the one that is compiled in.
    pub(super) fn load_network(&mut self, path: Option<&Path>) -> Result<(), WeightsError> {
        self.network = match path {
            None => Network::compiled_in().clone(),
            Some(path) => Network::new(read_network(path)?),
        };
        Ok(())
    }

    /// Sets the weights of a hand-made evaluation, or restores all published ones.
    pub(super) fn set_weights(&mut self, weights: Option<&TermWeights>) {
        self.loaded =
            weights.map(|weights| Loaded { weights: weights.clone(), evaluator: weights.evaluator() });
    }

    fn loaded(&self, evaluation: Evaluation) -> Option<&Loaded> {
        self.loaded.as_ref().filter(|loaded| loaded.weights.evaluation() == evaluation)
    }

    /// Returns the checksum of an evaluation's weights, if it has weights.
    pub(super) fn checksum(&self, evaluation: Evaluation) -> Option<u32> {
        if evaluation == Evaluation::NETWORK {
            return Some(self.network.weights().checksum());
        }
        match self.loaded(evaluation) {
            Some(loaded) => Some(loaded.weights.checksum()),
            None => TermWeights::published(evaluation).as_ref().map(TermWeights::checksum),
        }
    }

    /// Returns the name of an evaluation; that of the network includes the name of its weights.
    pub(super) fn name(&self, evaluation: Evaluation) -> String {
        match self.loaded(evaluation) {
            _ if evaluation == Evaluation::NETWORK => format!("network {}", self.network.weights().name),
            Some(_) => format!("{} with Weights", evaluation.name),
            None => evaluation.name.to_owned(),
        }
    }

    /// Returns an evaluation with its weights.
    pub(super) fn evaluator(&self, evaluation: Evaluation) -> &dyn Evaluate {
        match self.loaded(evaluation) {
            _ if evaluation == Evaluation::NETWORK => &self.network,
            Some(loaded) => &*loaded.evaluator,
            None => evaluation.evaluator(),
        }
    }

    /// Searches with an evaluation, at a level with its errors.
    pub(super) fn search(
        &self,
        task: &Task<'_>,
        searcher: Searcher,
        evaluation: Evaluation,
        level: Option<Level>,
        on_event: &mut dyn FnMut(Event),
    ) -> Answer {
        let evaluator = self.evaluator(evaluation);
        let weakened = level.map(|level| level.with_noise(evaluator));
        let evaluator = weakened.as_ref().map_or(evaluator, |weakened| weakened as &dyn Evaluate);
        searcher.search.search(task, evaluator, on_event)
    }
}
