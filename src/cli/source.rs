//! Sources of games: PDN files, libraries, all PDN files in a directory, or standard input.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, stdin};
use std::path::{Path, PathBuf};

use kelso_library::database::{MAGIC, PdnText};

/// A file, or standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GameSource {
    /// Standard input, given as `-`.
    Input,
    File(PathBuf),
}

impl GameSource {
    /// Returns the sources given by paths: standard input for `-`, and for a directory all `.pdn` files in
    /// it, at any depth, sorted by name. A directory that cannot be listed becomes a source that cannot be
    /// opened.
    pub(crate) fn all(paths: &[PathBuf]) -> Vec<Self> {
        let mut sources = Vec::new();
        for path in paths {
            if path.as_os_str() == "-" {
                sources.push(Self::Input);
            } else if path.is_dir() {
                list(path, &mut sources);
            } else {
                sources.push(Self::File(path.clone()));
            }
        }
        sources
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Input => None,
            Self::File(path) => Some(path),
        }
    }

    pub(crate) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Input => Box::new(stdin()),
            Self::File(path) => {
                let mut file = File::open(path)?;
                let start = first_bytes(&mut file)?;
                if start == MAGIC {
                    return Ok(Box::new(PdnText::open(path).map_err(io::Error::other)?));
                }
                Box::new(Cursor::new(start).chain(file))
            }
        })
    }

    /// Returns whether this is a library, which is read as PDN but is not a PDN file.
    pub(crate) fn is_library(&self) -> bool {
        let start = self.path().map(|path| File::open(path).and_then(|mut file| first_bytes(&mut file)));
        matches!(start, Some(Ok(start)) if start == MAGIC)
    }

    /// Returns the number of bytes to be read, if it is known.
    pub(crate) fn size(&self) -> Option<u64> {
        let path = self.path()?;
        let file = fs::metadata(path).ok()?;
        // Text that is read from a pipe would be lost.
        if file.is_file() && self.is_library() { PdnText::size(path).ok() } else { Some(file.len()) }
    }
}

impl fmt::Display for GameSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// Reads the first bytes of a file, which show whether it is a library.
fn first_bytes(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

fn list(folder: &Path, sources: &mut Vec<GameSource>) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let Ok(mut entries) = entries else { return sources.push(GameSource::File(folder.to_owned())) };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // Links to directories are not followed, since they may form a cycle.
        let path = entry.path();
        let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            list(&path, sources);
        } else if is_pdn {
            sources.push(GameSource::File(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;

    #[test]
    fn a_folder_is_replaced_by_its_files() {
        let folder = Folder::new();
        fs::create_dir(folder.path("inner")).unwrap();
        for name in ["b.pdn", "a.PDN", "inner/c.pdn", "notes.txt"] {
            fs::write(folder.path(name), "").unwrap();
        }
        let paths = [folder.path(""), "-".into(), folder.path("notes.txt"), folder.path("missing")];
        let names: Vec<_> = GameSource::all(&paths)
            .iter()
            .map(|source| source.to_string().rsplit('/').next().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["a.PDN", "b.pdn", "c.pdn", "-", "notes.txt", "missing"]);
    }

    #[cfg(unix)]
    #[test]
    fn an_unreadable_folder_does_not_affect_others() {
        use std::os::unix::fs::PermissionsExt;

        let folder = Folder::new();
        let inner = folder.path("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(folder.path("a.pdn"), "").unwrap();
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o000)).unwrap();
        // Permissions do not restrict the superuser.
        let listed = fs::read_dir(&inner).is_ok();
        let sources = GameSource::all(&[folder.path("")]);
        let opened: Vec<_> = sources.iter().map(|source| source.open().is_ok()).collect();
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(opened, if listed { vec![true] } else { vec![true, false] });
    }
}
