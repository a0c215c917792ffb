//! Reading of weights files.

use std::io;
use std::path::{Path, PathBuf};

use crate::Catalog;
use crate::eval::network::{self, Weights};
use crate::eval::{NetworkError, TermWeights, TermWeightsError};
use common::file;
use draughts::notation::syntax::Quoted;

/// Why a file of weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It cannot be read.
    #[error("cannot read {option} {}: {source}; the weights stay as they are", quoted(.path))]
    Read {
        /// The option that names the file.
        option: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// It is not a network.
    #[error("cannot use EvalFile {}: {source}; the weights stay as they are", quoted(.path))]
    Network {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: NetworkError,
    },
    /// It is not a text of weights.
    #[error("cannot use Weights {}: {source}; the weights stay as they are", quoted(.path))]
    Terms {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: TermWeightsError,
    },
}

fn quoted(path: &Path) -> String {
    Quoted(&path.to_string_lossy()).to_string()
}

/// The most bytes that are read of a text of weights.
const MAX_TEXT: u64 = 1 << 20;
/// A network is shorter than this by one byte.
const MAX_NETWORK: u64 = network::SIZE as u64 + 1;

fn read(option: &'static str, path: &Path, most: u64) -> Result<Vec<u8>, WeightsError> {
    file::read_regular(path, most).map_err(|source| WeightsError::Read { option, path: path.into(), source })
}

/// Reads a network.
pub(super) fn read_network(path: &Path) -> Result<Weights, WeightsError> {
    let bytes = read("EvalFile", path, MAX_NETWORK)?;
    Weights::from_bytes(&bytes).map_err(|source| WeightsError::Network { path: path.into(), source })
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
        self.parse_weights(&text).map_err(|source| WeightsError::Terms { path: path.into(), source })
    }
}
