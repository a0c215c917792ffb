//! The evaluation of an engine: one from its registry, with compiled-in weights or weights from a
//! file.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Engine;
use crate::eval::network::{self, NetworkWeights};
use crate::eval::{Evaluation, Explanation, Network};
use crate::options::TermWeights;
use crate::options::{NamedEvaluation, Registry};
use kelso_draughts::board::Position;
use kelso_runtime::files;
use kelso_text::syntax::Quoted;

/// The loaded weights of a handcrafted evaluation, and the evaluation that uses them.
#[derive(Clone)]
pub(super) struct LoadedTerms {
    weights: TermWeights,
    evaluation: Arc<dyn Evaluation>,
}

impl fmt::Debug for LoadedTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.weights.fmt(f)
    }
}

impl From<TermWeights> for LoadedTerms {
    fn from(weights: TermWeights) -> Self {
        Self { evaluation: weights.build(), weights }
    }
}

/// The identity of an evaluation. Engines with equal identities evaluate positions alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationId {
    /// The name of the evaluation and, for a network, the name of its weights.
    pub name: String,
    /// The checksum of the weights, if there are any.
    pub checksum: Option<u32>,
}

impl Engine {
    /// Sets the weights of a handcrafted evaluation.
    pub fn set_term_weights(&mut self, weights: TermWeights) {
        self.loaded_terms = Some(weights.into());
        self.new_game();
    }

    /// Returns the loaded weights, if they belong to the chosen evaluation.
    fn loaded_terms(&self) -> Option<&LoadedTerms> {
        self.loaded_terms.as_ref().filter(|loaded| loaded.weights.evaluation() == self.options.evaluation)
    }

    /// Returns the chosen evaluation with its weights.
    pub(super) fn evaluation(&self) -> &dyn Evaluation {
        match self.loaded_terms() {
            _ if self.options.evaluation == NamedEvaluation::NETWORK => &self.network,
            Some(loaded) => &*loaded.evaluation,
            None => self.options.evaluation.build(),
        }
    }

    /// Identifies the chosen evaluation and its weights.
    #[must_use]
    pub fn evaluation_id(&self) -> EvaluationId {
        let NamedEvaluation { name, .. } = self.options.evaluation;
        if self.options.evaluation == NamedEvaluation::NETWORK {
            let (weights, checksum) = (self.network.weights(), Some(self.network.weights().checksum()));
            return EvaluationId { name: format!("{name} {}", weights.name), checksum };
        }
        let (loaded, default) = (self.loaded_terms(), TermWeights::default_of(self.options.evaluation));
        let weights = loaded.map(|loaded| &loaded.weights).or(default.as_ref());
        let source = if loaded.is_some() { " with Weights" } else { "" };
        EvaluationId { name: format!("{name}{source}"), checksum: weights.map(TermWeights::checksum) }
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

/// The reason why a file of weights cannot be used.
#[derive(Debug)]
pub struct WeightsError {
    action: &'static str,
    option: &'static str,
    path: PathBuf,
    source: Box<dyn Error + Send + Sync>,
}

impl Error for WeightsError {}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, option, path, source } = self;
        write!(f, "cannot {action} {option} {}: {source}", Quoted(&path.to_string_lossy()))
    }
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

/// Maximum size of a text file of weights in bytes.
const MAX_TEXT_BYTES: u64 = 1 << 20;
/// One byte more than the size of a network file, to detect longer files.
const MAX_NETWORK_BYTES: u64 = network::SIZE as u64 + 1;

fn read(option: &'static str, path: &Path, max: u64) -> Result<Vec<u8>, WeightsError> {
    files::read_regular(path, max).map_err(WeightsError::new("read", option, path))
}

pub(super) fn read_network(path: &Path) -> Result<Network, WeightsError> {
    let bytes = read("EvalFile", path, MAX_NETWORK_BYTES)?;
    NetworkWeights::from_bytes(&bytes).map(Network::new).map_err(WeightsError::new("use", "EvalFile", path))
}

impl Registry {
    /// Reads the weights of a handcrafted evaluation from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or contains no weights for an evaluation in the registry.
    pub fn read_weights(self, path: &Path) -> Result<TermWeights, WeightsError> {
        let bytes = read("Weights", path, MAX_TEXT_BYTES)?;
        // Invalid UTF-8 yields an invalid line, which the error quotes.
        let text = String::from_utf8_lossy(&bytes);
        self.parse_weights(&text).map_err(WeightsError::new("use", "Weights", path))
    }
}
