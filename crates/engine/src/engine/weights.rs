//! Weights from files.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::eval::network::{self, NetworkError, NetworkWeights};
use crate::eval::{Classic, Network, TermWeights, TermWeightsError};
use kelso_runtime::files;
use kelso_syntax::Quoted;

/// The loaded weights of the handcrafted evaluation, and the evaluation that uses them.
#[derive(Clone, Debug)]
pub(super) struct LoadedTerms {
    pub(super) weights: TermWeights,
    pub(super) evaluation: Box<Classic>,
}

impl From<TermWeights> for LoadedTerms {
    fn from(weights: TermWeights) -> Self {
        Self { evaluation: weights.build().into(), weights }
    }
}

/// The reason why a file of weights cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file that an option names cannot be read.
    Read(&'static str, PathBuf, io::Error),
    /// The file contains no network.
    Network(PathBuf, NetworkError),
    /// The file contains no weights of the handcrafted evaluation.
    Terms(PathBuf, TermWeightsError),
}

impl Error for WeightsError {}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (action, option, path, reason): (_, _, _, &dyn fmt::Display) = match self {
            Self::Read(option, path, error) => ("read", *option, path, error),
            Self::Network(path, error) => ("use", "EvalFile", path, error),
            Self::Terms(path, error) => ("use", "Weights", path, error),
        };
        write!(f, "cannot {action} {option} {}: {reason}", Quoted(&path.to_string_lossy()))
    }
}

/// Maximum size of a text file of weights in bytes.
const MAX_TEXT_BYTES: u64 = 1 << 20;
/// One byte more than the size of a network file, to detect longer files.
const MAX_NETWORK_BYTES: u64 = network::SIZE as u64 + 1;

fn read(option: &'static str, path: &Path, max: u64) -> Result<Vec<u8>, WeightsError> {
    files::read_regular(path, max).map_err(|error| WeightsError::Read(option, path.into(), error))
}

pub(super) fn read_network(path: &Path) -> Result<Network, WeightsError> {
    let bytes = read("EvalFile", path, MAX_NETWORK_BYTES)?;
    let weights = NetworkWeights::from_bytes(&bytes);
    weights.map(Network::new).map_err(|error| WeightsError::Network(path.into(), error))
}

impl TermWeights {
    /// Reads the weights of the handcrafted evaluation from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or contains no such weights.
    pub fn from_file(path: &Path) -> Result<Self, WeightsError> {
        let bytes = read("Weights", path, MAX_TEXT_BYTES)?;
        // Invalid UTF-8 yields an invalid line, which the error quotes.
        let text = String::from_utf8_lossy(&bytes);
        Self::parse(&text).map_err(|error| WeightsError::Terms(path.into(), error))
    }
}
