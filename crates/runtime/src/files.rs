//! The folder of the user's data, and reading of regular files.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Returns the `kelso` folder in the user's data folder, or `None` without a home directory. The folder may
/// not exist.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let data = if cfg!(windows) {
        absolute_path_in("APPDATA")
    } else {
        let data_folder =
            if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
        absolute_path_in("XDG_DATA_HOME").or_else(|| Some(absolute_path_in("HOME")?.join(data_folder)))
    };
    data.map(|data| data.join("kelso"))
}

/// Returns the path in an environment variable, if it is absolute.
fn absolute_path_in(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Opens a regular file for reading. A FIFO would block until something writes to it, and a device may never
/// end.
///
/// # Errors
///
/// If the file is not regular or cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Check before opening, which could block, and again afterwards, since the file may have been replaced.
    require_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

fn require_regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"))
    } else if metadata.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Opens a regular file for reading and reads at most `limit` bytes of it.
///
/// # Errors
///
/// If the file is not regular or cannot be read.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
