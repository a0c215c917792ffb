//! Where games are read from: files, all PDN files of a folder, or standard input.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, stdin};
use std::path::{Path, PathBuf};

/// A file, or standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Standard input, which `-` stands for.
    Input,
    /// A file.
    File(PathBuf),
}

/// Why a folder can't be listed.
#[derive(Debug)]
pub struct PlaceError {
    path: PathBuf,
    error: io::Error,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for PlaceError {}

impl Place {
    /// What paths stand for: `-` for standard input, a folder for the files in it, at any depth, whose names end in
    /// `.pdn`, in the order of their names.
    ///
    /// # Errors
    ///
    /// When a folder can't be listed. Whether a file can be read shows when it is opened.
    pub fn all(paths: &[PathBuf]) -> Result<Vec<Self>, PlaceError> {
        let mut places = Vec::new();
        for path in paths {
            if path.as_os_str() == "-" {
                places.push(Self::Input);
            } else if path.is_dir() {
                list(path, &mut places)?;
            } else {
                places.push(Self::File(path.clone()));
            }
        }
        Ok(places)
    }

    /// Its path, if it is a file.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Input => None,
            Self::File(path) => Some(path),
        }
    }

    /// Opens it.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Input => Box::new(stdin()),
            Self::File(path) => Box::new(File::open(path)?),
        })
    }

    /// Its length in bytes, if it is a file that can be found.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        fs::metadata(self.path()?).ok().map(|file| file.len())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

fn list(folder: &Path, places: &mut Vec<Place>) -> Result<(), PlaceError> {
    let failed = |error| PlaceError { path: folder.to_owned(), error };
    let mut entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // What links lead to is not followed, so that a circle of them has an end.
        let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
        if kind.is_dir() {
            list(&path, places)?;
        } else if is_pdn {
            places.push(Place::File(path));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::testing::Folder;

    #[test]
    fn folders_stand_for_their_files() {
        let folder = Folder::new("places");
        fs::create_dir(folder.path("inner")).unwrap();
        for name in ["b.pdn", "a.PDN", "inner/c.pdn", "notes.txt"] {
            fs::write(folder.path(name), "").unwrap();
        }
        let paths = [folder.path(""), "-".into(), folder.path("notes.txt"), folder.path("missing")];
        let names: Vec<_> = Place::all(&paths)
            .unwrap()
            .iter()
            .map(|place| place.to_string().rsplit('/').next().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["a.PDN", "b.pdn", "c.pdn", "-", "notes.txt", "missing"]);
    }
}
