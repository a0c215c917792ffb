//! Weights from a file: learned ones, or those of a hand-made evaluation.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::eval::network::{self, Weights};
use crate::eval::{NetworkError, Sheet, SheetError};
use common::file;
use draughts::notation::syntax::Quoted;

/// Why a file's weights can't be used.
#[derive(Debug)]
pub struct WeightsError {
    /// The option that names the file.
    option: &'static str,
    path: PathBuf,
    why: Why,
}

#[derive(Debug)]
enum Why {
    System(io::Error),
    Network(NetworkError),
    Sheet(SheetError),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self.why, Why::System(_)) {
            write!(f, "cannot read ")?;
        }
        write!(f, "{} {}: ", self.option, Quoted(&self.path.to_string_lossy()))?;
        match &self.why {
            Why::System(error) => error.fmt(f),
            Why::Network(error) => error.fmt(f),
            Why::Sheet(error) => error.fmt(f),
        }?;
        write!(f, "; the weights stay as they are")
    }
}

impl std::error::Error for WeightsError {}

impl From<NetworkError> for Why {
    fn from(error: NetworkError) -> Self {
        Self::Network(error)
    }
}

impl From<SheetError> for Why {
    fn from(error: SheetError) -> Self {
        Self::Sheet(error)
    }
}

/// No sheet is longer; more of a file isn't read.
const MOST_SHEET: u64 = 1 << 20;

/// Reads the weights of the file that an option names.
fn read<T, E: Into<Why>>(
    option: &'static str,
    path: &Path,
    most: u64,
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, WeightsError> {
    let failed = |why| WeightsError { option, path: path.to_owned(), why };
    let bytes = file::read_regular(path, most).map_err(|error| failed(Why::System(error)))?;
    parse(&bytes).map_err(|error| failed(error.into()))
}

/// No network is longer than this less one byte.
const MOST_NETWORK: u64 = network::SIZE as u64 + 1;

/// Reads a network.
pub(super) fn read_network(path: &Path) -> Result<Weights, WeightsError> {
    read("EvalFile", path, MOST_NETWORK, Weights::from_bytes)
}

/// Reads the weights of a hand-made evaluation.
///
/// # Errors
///
/// When the file can't be read or holds none.
pub fn read_weights(path: &Path) -> Result<Sheet, WeightsError> {
    // What isn't text is no sheet either, and is named as the line that it stands in.
    read("Weights", path, MOST_SHEET, |bytes| Sheet::parse(&String::from_utf8_lossy(bytes)))
}
