//! Weights files.

use std::error::Error;
use std::path::{Path, PathBuf};

use crate::Catalog;
use crate::eval::TermWeights;
use crate::eval::network::{self, Weights};
use common::file;
use draughts::notation::syntax::Quoted;

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
pub(super) fn read_network(path: &Path) -> Result<Weights, WeightsError> {
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
