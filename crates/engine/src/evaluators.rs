//! The evaluations of an engine: those of its catalog, with weights from files in place of those that are compiled in.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::catalog::{Catalog, Evaluation, Searcher};
use crate::eval::network::{self, Weights};
use crate::eval::{Evaluate, Network, TermWeights};
use crate::search::{Answer, Event, Level, Task};
use common::file;
use draughts::notation::syntax::Quoted;

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

/// A file of weights cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {option} {}: {source}; the weights stay as they are", quoted(.path))]
pub struct WeightsError {
    action: &'static str,
    option: &'static str,
    path: PathBuf,
    source: Box<dyn Error + Send + Sync>,
}

impl WeightsError {
    fn new<E: Error + Send + Sync + 'static>(
        action: &'static str,
        option: &'static str,
        path: &Path,
    ) -> impl Fn(E) -> Self {
        move |source| Self { action, option, path: path.into(), source: Box::new(source) }
    }
}

/// Quotes a path, for errors.
pub(crate) fn quoted(path: &Path) -> String {
    Quoted(&path.to_string_lossy()).to_string()
}

/// The most bytes of a text file of weights.
const MAX_TEXT: u64 = 1 << 20;
/// One byte more than a network file has, so that longer files are detected.
const MAX_NETWORK: u64 = network::SIZE as u64 + 1;

fn read(option: &'static str, path: &Path, most: u64) -> Result<Vec<u8>, WeightsError> {
    file::read_regular(path, most).map_err(WeightsError::new("read", option, path))
}

/// Reads a network.
fn read_network(path: &Path) -> Result<Weights, WeightsError> {
    let bytes = read("EvalFile", path, MAX_NETWORK)?;
    Weights::from_bytes(&bytes).map_err(WeightsError::new("use", "EvalFile", path))
}

impl Catalog {
    /// Reads the weights of a hand-made evaluation from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or does not hold weights of an evaluation in the catalog.
    pub fn read_weights(self, path: &Path) -> Result<TermWeights, WeightsError> {
        let bytes = read("Weights", path, MAX_TEXT)?;
        // Bytes that are not text make an invalid line, which the error names.
        let text = String::from_utf8_lossy(&bytes);
        self.parse_weights(&text).map_err(WeightsError::new("use", "Weights", path))
    }
}
