//! Opens databases: those compiled in, and the files of a folder.
//!
//! Opening a folder only lists it. A file is opened when a position of its slice is first looked up, and only
//! the groups that are needed are read, so a program starts as quickly with many gigabytes of databases as
//! with none. The checksum of every part is checked when it is read. A damaged file is no longer used, but
//! the other files are.

use std::error::Error;
use std::fmt;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use super::cache::Cache;
use super::file::{SliceFile, SliceSource};
use super::{Content, DatabaseHeader, FileError, MAX_PIECES, Slice};
use kelso_runtime::sync::lock;

/// Databases in memory. Each item is one file or several concatenated files.
pub type EmbeddedDatabases = &'static [&'static [u8]];

/// The compiled-in databases: results of all positions with 2-5 pieces, and distances of all positions with
/// 2-4. WebAssembly has none: the page loads them later.
pub const COMPILED_IN: EmbeddedDatabases = if cfg!(target_family = "wasm") {
    &[]
} else {
    &[include_bytes!("data/2-5.wld"), include_bytes!("data/2-4.dtw")]
};

/// The maximum size of a file that [`Databases::read_all`] reads completely, in bytes.
const MAX_READ_BYTES: u64 = 64 << 20;
/// The name of the databases in memory, in place of a path.
const BUILT_IN: &str = "built in";

/// The reason why endgame databases cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum DatabaseError {
    /// This file or folder cannot be used.
    Unusable(PathBuf, FileError),
    /// Files are missing.
    Incomplete(MissingFiles),
}

impl Error for DatabaseError {}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(path, error) => {
                write!(f, "cannot use endgame database \"{}\": {error}", path.display())
            }
            Self::Incomplete(missing) => missing.fmt(f),
        }
    }
}

/// Files missing from a folder: all, or some of those with the same kind and number of pieces. By itself,
/// this is not an error: a build may be running, or only some slices may be wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingFiles {
    pub folder: PathBuf,
    /// The missing files, or `None` if the folder has none at all.
    pub some: Option<MissingSlices>,
}

/// Missing files of one kind and number of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingSlices {
    pub missing: usize,
    pub expected: usize,
    /// The name of the first one.
    pub example: String,
}

impl fmt::Display for MissingFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "endgame databases in \"{}\": ", self.folder.display())?;
        match &self.some {
            None => f.write_str("no .wld or .dtw files"),
            Some(MissingSlices { missing, expected, example }) => {
                write!(f, "{missing} of {expected} files are missing, such as {example}")
            }
        }
    }
}

/// Which databases to open, and how.
#[derive(Clone, Debug)]
pub struct DatabaseOptions {
    /// A folder with files.
    pub folder: Option<PathBuf>,
    /// Databases in memory.
    pub embedded: EmbeddedDatabases,
    /// Files take precedence over databases in memory. Only needed to examine files, since memory is faster.
    pub files_first: bool,
    /// Maximum number of pieces in positions to look up.
    pub pieces: u32,
    /// Memory for decoded blocks, in MiB.
    pub cache: usize,
}

impl DatabaseOptions {
    /// The default size of the cache, in MiB.
    pub const CACHE: usize = 64;
    /// Opens no databases.
    pub const NONE: Self = Self { folder: None, embedded: &[], files_first: false, pieces: 0, cache: 1 };
}

/// The compiled-in databases.
impl Default for DatabaseOptions {
    fn default() -> Self {
        Self {
            folder: None,
            embedded: COMPILED_IN,
            files_first: false,
            pieces: MAX_PIECES,
            cache: Self::CACHE,
        }
    }
}

enum SliceLocation {
    Memory(&'static [u8]),
    Disk(PathBuf),
}

pub(super) struct SliceEntry {
    location: SliceLocation,
    /// The file, opened on first use, or `None` if that failed.
    file: OnceLock<Option<SliceFile>>,
    pub(super) usable: AtomicBool,
    /// The key of the slice's blocks in the cache.
    pub(super) key: u64,
}

impl SliceEntry {
    fn new(content: Content, slice: Slice, location: SliceLocation) -> Self {
        let key = ((slice.code() * 2 + content as usize) as u64 + 1) << 34;
        Self { location, file: OnceLock::new(), usable: AtomicBool::new(true), key }
    }

    /// Returns the path of the file, unless it is compiled in.
    fn path(&self) -> Option<&Path> {
        match &self.location {
            SliceLocation::Memory(_) => None,
            SliceLocation::Disk(path) => Some(path),
        }
    }
}

/// Endgame databases, shared by all threads.
pub struct Databases {
    /// Entries by content and slice code.
    entries: [Vec<Option<Box<SliceEntry>>>; 2],
    pub(super) cache: Cache,
    max_pieces: u32,
    errors: Mutex<Vec<DatabaseError>>,
}

impl fmt::Debug for Databases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Databases").field("max_pieces", &self.max_pieces).finish_non_exhaustive()
    }
}

impl Databases {
    /// Opens the compiled-in databases only.
    #[must_use]
    pub fn compiled_in() -> Self {
        Self::open(&DatabaseOptions::default())
    }

    /// Opens databases. [`Databases::take_errors`] returns the errors.
    #[must_use]
    pub fn open(options: &DatabaseOptions) -> Self {
        let mut databases = Self {
            entries: std::array::from_fn(|_| (0..Slice::CODES).map(|_| None).collect()),
            // At most a quarter of the addresses of a 32-bit system.
            cache: Cache::new(options.cache.min(usize::MAX >> 22) << 20),
            max_pieces: 0,
            errors: Mutex::default(),
        };
        if options.files_first {
            databases.open_folder(options);
        }
        databases.open_embedded(options);
        if !options.files_first {
            databases.open_folder(options);
        }
        databases
    }

    fn open_embedded(&mut self, options: &DatabaseOptions) {
        for file in options.embedded.iter().flat_map(|bytes| SliceFile::split(bytes)) {
            match file {
                Ok((DatabaseHeader { content, slice, .. }, own)) => {
                    self.add(content, slice, SliceLocation::Memory(own), options.pieces);
                }
                Err(error) => return self.report(DatabaseError::Unusable(BUILT_IN.into(), error)),
            }
        }
    }

    #[cfg(test)]
    pub(super) fn compiled_in_bytes() -> Vec<(String, &'static [u8])> {
        let files = COMPILED_IN.iter().flat_map(|bytes| SliceFile::split(bytes)).map(Result::unwrap);
        files.map(|(header, own)| (header.content.file_name(header.slice), own)).collect()
    }

    fn open_folder(&mut self, options: &DatabaseOptions) {
        let DatabaseOptions { folder: Some(folder), pieces, .. } = options else { return };
        let files = match files_in(folder) {
            Ok(files) => files,
            Err(error) => return self.report(error),
        };
        for (path, content) in files {
            match path.file_stem().and_then(|name| name.to_str()?.parse().ok()) {
                Some(slice) => self.add(content, slice, SliceLocation::Disk(path), *pieces),
                None => {
                    if let Err(error) = SliceFile::open(&path) {
                        self.report(DatabaseError::Unusable(path, error));
                    }
                }
            }
        }
        self.find_missing(folder, *pieces);
    }

    /// Finds missing files for piece counts that have other files.
    fn find_missing(&self, folder: &Path, pieces: u32) {
        for content in Content::BOTH {
            for pieces in 2..=pieces.min(MAX_PIECES) {
                let slices = Slice::all(pieces..=pieces);
                let present: Vec<&SliceEntry> =
                    slices.iter().filter_map(|&slice| self.entry(content, slice)).collect();
                let first = slices.iter().find(|&&slice| self.entry(content, slice).is_none());
                if let Some(&first) = first.filter(|_| present.iter().any(|entry| entry.path().is_some())) {
                    let (missing, expected) = (slices.len() - present.len(), slices.len());
                    let some = Some(MissingSlices { missing, expected, example: content.file_name(first) });
                    let folder = folder.to_owned();
                    self.report(DatabaseError::Incomplete(MissingFiles { folder, some }));
                }
            }
        }
    }

    /// Adds a file unless the slice already has one.
    fn add(&mut self, content: Content, slice: Slice, location: SliceLocation, pieces: u32) {
        let entry = &mut self.entries[content as usize][slice.code()];
        if entry.is_none() && slice.pieces() <= pieces {
            *entry = Some(Box::new(SliceEntry::new(content, slice, location)));
            if content == Content::Results {
                self.max_pieces = self.max_pieces.max(slice.pieces());
            }
        }
    }

    /// Opens every file, to find those that are not whole databases before a game.
    pub fn open_all(&self) {
        for entry in self.entries.iter().flatten().flatten() {
            self.file(entry);
        }
    }

    /// Opens every file and reads all but very large files completely, to find errors before a game.
    pub fn read_all(&self) {
        for entry in self.entries.iter().flatten().flatten().filter(|entry| entry.path().is_some()) {
            if let Some(file) = self.file(entry)
                && file.header.size() <= MAX_READ_BYTES
                && let Err(error) = file.check()
            {
                self.give_up(entry, error);
            }
        }
    }

    /// Like [`Self::read_all`], for runs whose results would depend on what cannot be used or is missing.
    ///
    /// # Errors
    ///
    /// If a file or folder cannot be used, or files are missing.
    pub fn require_all(&self) -> Result<(), DatabaseError> {
        self.read_all();
        let errors = self.take_errors().into_iter();
        // Missing files are less serious than unusable ones.
        errors.min_by_key(|error| matches!(error, DatabaseError::Incomplete(_))).map_or(Ok(()), Err)
    }

    fn report(&self, error: DatabaseError) {
        lock(&self.errors).push(error);
    }

    /// Returns the errors found since the last call.
    #[must_use]
    pub fn take_errors(&self) -> Vec<DatabaseError> {
        std::mem::take(&mut *lock(&self.errors))
    }

    /// Returns the largest number of pieces for which there are results, or 0. Some slices of that size may
    /// be missing.
    #[must_use]
    #[inline]
    pub const fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// Returns whether positions with this many pieces may be known.
    #[must_use]
    #[inline]
    pub const fn covers(&self, pieces: u32) -> bool {
        pieces <= self.max_pieces
    }

    /// Opens all files and returns the headers of those in use, with the path of each file that is not
    /// compiled in.
    pub fn files(&self) -> impl Iterator<Item = (&DatabaseHeader, Option<&Path>)> {
        let entries = self.entries.iter().flatten().flatten();
        entries
            .filter_map(|entry| Some((self.file(entry)?, entry)))
            .filter(|(_, entry)| entry.usable.load(Ordering::Relaxed))
            .map(|(file, entry)| (&file.header, entry.path()))
    }

    #[inline]
    pub(super) fn file<'a>(&self, entry: &'a SliceEntry) -> Option<&'a SliceFile> {
        entry.file.get().map_or_else(|| self.open_file(entry), Option::as_ref)
    }

    #[cold]
    fn open_file<'a>(&self, entry: &'a SliceEntry) -> Option<&'a SliceFile> {
        let file = entry.file.get_or_init(|| {
            let opened = match &entry.location {
                SliceLocation::Memory(bytes) => SliceFile::load(SliceSource::Memory(bytes)),
                SliceLocation::Disk(path) => SliceFile::open(path),
            };
            opened.map_err(|error| self.give_up(entry, error)).ok()
        });
        file.as_ref()
    }

    /// Stops using a damaged file, and reports it once.
    #[cold]
    pub(super) fn give_up(&self, entry: &SliceEntry, error: FileError) {
        if entry.usable.swap(false, Ordering::Relaxed) {
            let path = entry.path().unwrap_or(Path::new(BUILT_IN));
            self.report(DatabaseError::Unusable(path.to_owned(), error));
        }
    }

    #[inline]
    pub(super) fn entry(&self, content: Content, slice: Slice) -> Option<&SliceEntry> {
        self.entries[content as usize][slice.code() & (Slice::CODES - 1)].as_deref()
    }
}

fn files_in(folder: &Path) -> Result<Vec<(PathBuf, Content)>, DatabaseError> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries =
        entries.map_err(|error| DatabaseError::Unusable(folder.to_owned(), FileError::Io(error)))?;
    let mut files = Vec::new();
    for path in entries.iter().map(DirEntry::path) {
        let content = Content::BOTH
            .into_iter()
            .find(|content| path.extension().is_some_and(|extension| extension == content.extension()));
        files.extend(content.map(|content| (path, content)));
    }
    files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    if files.is_empty() {
        return Err(DatabaseError::Incomplete(MissingFiles { folder: folder.to_owned(), some: None }));
    }
    Ok(files)
}

/// Checks that a folder contains databases, without opening them.
///
/// # Errors
///
/// If the folder cannot be read or contains no databases.
pub fn check_folder(folder: &Path) -> Result<(), DatabaseError> {
    files_in(folder).map(drop)
}

/// Returns the folder for endgame databases in the user's data folder. It may not exist. Returns `None` if
/// the user has no home directory.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    kelso_runtime::files::data_folder().map(|data| data.join("egdb"))
}

/// Returns the [default folder](default_folder), unless it is missing or contains no databases.
#[must_use]
pub fn installed_folder() -> Option<PathBuf> {
    default_folder().filter(|folder| match check_folder(folder) {
        Err(DatabaseError::Unusable(_, FileError::Io(error))) => error.kind() != std::io::ErrorKind::NotFound,
        result => result.is_ok(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;

    use super::super::header::HEADER;
    use super::*;
    use kelso_batch::testing::Folder;
    use kelso_draughts::board::Position;
    use kelso_draughts::notation::fen;

    fn at(text: &str) -> Position {
        fen::parse(text).unwrap()
    }

    #[test]
    fn checksums_are_those_of_the_headers() {
        let mut found = HashSet::new();
        for (header, bytes) in SliceFile::split(COMPILED_IN[0]).map(Result::unwrap) {
            let end = &bytes[HEADER - 4..HEADER];
            assert_eq!(header.checksum().to_le_bytes(), end, "{}", header.slice);
            found.insert(header.checksum());
        }
        assert!(found.len() > 80, "files of {} contents", found.len());
    }

    /// Creates a folder with the slices of two pieces and one slice of three.
    fn folder() -> Folder {
        let folder = Folder::new();
        for (header, own) in SliceFile::split(COMPILED_IN[0]).map(Result::unwrap) {
            let slice = header.slice;
            if slice.pieces() == 2 || slice.to_string() == "10v02" {
                folder.write(&Content::Results.file_name(slice), own);
            }
        }
        folder
    }

    fn open(folder: &Folder) -> Databases {
        Databases::open(&DatabaseOptions {
            folder: Some(folder.as_ref().to_owned()),
            embedded: &[],
            ..DatabaseOptions::default()
        })
    }

    #[test]
    fn any_damage_is_found_and_leaves_the_other_slices() {
        let folder = folder();
        let path = folder.path("01v01.wld");
        let bytes = fs::read(&path).unwrap();
        let king_each = at("B:WK32:BK1");
        let man_each = at("B:W32:B1");
        let errors = |what: &str| {
            let databases = open(&folder);
            databases.read_all();
            let mut errors = databases.take_errors();
            errors.retain(|error| !matches!(error, DatabaseError::Incomplete(_)));
            let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
            assert_eq!(text.len(), 1, "{what}: {text:?}");
            assert!(text[0].contains("01v01.wld") && !text[0].contains('\n'), "{what}: {text:?}");
            assert_eq!(databases.probe(&king_each), None, "{what}");
            assert!(databases.probe(&man_each).is_some(), "{what}");
            text.concat()
        };
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&path, damaged).unwrap();
            errors(&format!("byte {at}"));
        }
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            errors(&format!("{length} bytes"));
        }
        let other = fs::read(folder.path("10v10.wld")).unwrap();
        for (what, contents, expected) in [
            ("more", [&bytes[..], b"more"].concat(), ""),
            ("foreign", b"PNG".repeat(30), "not an endgame database"),
            ("version", [&bytes[..8], &[2], &bytes[9..]].concat(), "format version"),
            ("renamed", other, "10v10.wld"),
        ] {
            fs::write(&path, contents).unwrap();
            assert!(errors(what).contains(expected), "{what}");
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        errors("a folder");
    }

    #[test]
    fn damage_during_the_game_is_reported_once() {
        let folder = folder();
        let databases = open(&folder);
        assert!(matches!(databases.take_errors()[..], [DatabaseError::Incomplete(_)]));
        let path = folder.path("01v01.wld");
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&path, bytes).unwrap();
        for _ in 0..3 {
            assert_eq!(databases.probe(&at("B:WK32:BK1")), None);
        }
        assert_eq!(databases.take_errors().len(), 1);
        assert!(databases.take_errors().is_empty());
    }

    #[test]
    fn missing_files_are_reported() {
        let folder = folder();
        let reported = open(&folder).take_errors();
        let [DatabaseError::Incomplete(MissingFiles { some: Some(files), .. })] = &reported[..] else {
            panic!("{reported:?}")
        };
        assert_eq!((files.missing, files.expected), (11, 12));
        assert!(reported[0].to_string().contains(": 11 of 12 files are missing, such as "), "{reported:?}");
        assert!(matches!(open(&folder).require_all(), Err(DatabaseError::Incomplete(_))));
        let nowhere = Some(folder.path("nowhere"));
        let databases = Databases::open(&DatabaseOptions { folder: nowhere, ..DatabaseOptions::default() });
        let errors = databases.take_errors();
        assert!(matches!(errors[..], [DatabaseError::Unusable(..)]));
        assert_eq!(databases.max_pieces(), 5);
    }
}
