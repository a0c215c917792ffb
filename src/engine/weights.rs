//! Weights of a hand-made evaluation, from a file.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::eval::{Sheet, SheetError};
use crate::notation::syntax::Quoted;

/// Why a file's weights can't be used.
#[derive(Debug)]
pub struct WeightsError {
    path: PathBuf,
    why: Why,
}

#[derive(Debug)]
enum Why {
    System(io::Error),
    Sheet(SheetError),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = Quoted(&self.path.to_string_lossy()).to_string();
        match &self.why {
            Why::System(error) => {
                write!(f, "cannot read Weights {path}: {error}; the weights stay as they are")
            }
            Why::Sheet(error) => write!(f, "Weights {path}: {error}; the weights stay as they are"),
        }
    }
}

impl std::error::Error for WeightsError {}

/// No sheet is longer; more of a file isn't read.
const MOST_BYTES: u64 = 1 << 20;

/// Reads the weights of a file.
///
/// # Errors
///
/// When it can't be read or holds none.
pub fn read_weights(path: &Path) -> Result<Sheet, WeightsError> {
    let failed = |why| WeightsError { path: path.to_owned(), why };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| failed(Why::System(error)))?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| failed(Why::System(error)))?;
    // What isn't text is no sheet either, and is named as the line that it stands in.
    Sheet::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| failed(Why::Sheet(error)))
}
