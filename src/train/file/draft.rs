//! A file that gets its name only when it is whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::FileError;

/// A file under a temporary name beside its own. It is removed unless it is kept.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    temporary: PathBuf,
}

impl Draft {
    /// Begins a file. That there is no such folder, or no right to write there, shows here and not after hours of work.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn begin(path: &Path) -> Result<(Self, File), FileError> {
        let system = |error| FileError::System(path.to_owned(), error);
        if path.is_dir() {
            return Err(system(io::ErrorKind::IsADirectory.into()));
        }
        let Some(name) = path.file_name() else {
            return Err(system(io::ErrorKind::InvalidFilename.into()));
        };
        let mut name = name.to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let draft = Self { path: path.to_owned(), temporary: path.with_file_name(name) };
        let file = File::create(&draft.temporary).map_err(system)?;
        Ok((draft, file))
    }

    /// Gives the file, which must be closed, its name; an old one of that name is replaced.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn keep(self) -> Result<(), FileError> {
        fs::rename(&self.temporary, &self.path).map_err(|error| FileError::System(self.path.clone(), error))
    }

    /// Whether a file could be put there.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn check(path: &Path) -> Result<(), FileError> {
        Self::begin(path).map(drop)
    }

    /// Writes a whole file.
    ///
    /// # Errors
    ///
    /// When it can't be written; then an old one is still there.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let (draft, mut file) = Self::begin(path)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        drop(file);
        written.map_err(|error| FileError::System(path.to_owned(), error))?;
        draft.keep()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `keep` there is none.
        drop(fs::remove_file(&self.temporary));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::testing::Folder;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = Folder::new("draft");
        let path = folder.path("a");
        fs::write(&path, "old").unwrap();
        let (draft, mut file) = Draft::begin(&path).unwrap();
        file.write_all(b"ne").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(draft);
        assert_eq!(folder.names(), ["a"]);
        Draft::write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.names(), ["a"]);
    }

    #[test]
    fn a_place_where_nothing_can_be_put_is_found_at_once() {
        let folder = Folder::new("draft-bad");
        for path in [folder.path("missing/a"), folder.path("."), PathBuf::from("/"), PathBuf::new()] {
            let error = Draft::check(&path).unwrap_err().to_string();
            assert!(error.starts_with("cannot use "), "{error}");
        }
        assert!(folder.names().is_empty());
    }
}
