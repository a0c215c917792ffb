//! An analysis on disk: a state with a header and one line of JSON for each finished game, and the games as PDN. As long as
//! a run writes them, a lock beside them keeps others away.
//!
//! Each game is appended to both as soon as it is finished, so that a killed run loses nothing but the games that were going on; a line
//! that was cut short is dropped when the run is resumed. At the end both are written anew in the order in which the games were
//! read. Of the games in the state only their places are kept in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::header::Header;
use super::record::GameRecord;
use crate::common::file::{self, Draft, WriteError};
use crate::common::lock::Lock;

/// Why a state can't be read or written.
#[derive(Debug)]
pub enum StoreError {
    /// The system says so.
    Io {
        /// What was done to the file.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is a state already.
    Exists(PathBuf),
    /// Another run is writing it.
    Busy(PathBuf),
    /// It isn't a state, or a line of it isn't a game.
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        reason: String,
    },
    /// It belongs to another analysis.
    Other {
        /// The file.
        path: PathBuf,
        /// In what it differs.
        difference: String,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { action, path, error } => write!(f, "cannot {action} {}: {error}", path.display()),
            Self::Exists(path) => write!(
                f,
                "{} exists already; --resume goes on with it, --overwrite begins anew, --out NAME writes elsewhere",
                path.display()
            ),
            Self::Busy(path) => write!(
                f,
                "{} is being written by another run: wait for its end, or write elsewhere with --out NAME",
                path.display()
            ),
            Self::Malformed { path, line: 1, reason } => {
                write!(
                    f,
                    "{}, line 1: {reason} (expected an analysis of version {})",
                    path.display(),
                    Header::VERSION
                )
            }
            Self::Malformed { path, line, reason } => write!(
                f,
                "{}, line {line}: {reason} (the file is damaged; --overwrite begins anew, --out NAME writes elsewhere)",
                path.display()
            ),
            Self::Other { path, difference } => {
                write!(f, "{} belongs to another analysis: {difference}", path.display())
            }
        }
    }
}

impl std::error::Error for StoreError {}

impl From<WriteError> for StoreError {
    fn from(WriteError { path, error }: WriteError) -> Self {
        Self::Io { action: "write", path, error }
    }
}

/// The two files of an analysis.
#[derive(Debug)]
pub struct Store {
    header: Header,
    state_path: PathBuf,
    pdn_path: PathBuf,
    state: File,
    pdn: File,
    /// Where in the state each game's line begins, and how long it is.
    lines: BTreeMap<u64, (u64, usize)>,
    end: u64,
    _lock: Lock,
}

impl Store {
    /// Begins `BASE.jsonl` and `BASE.pdn`.
    ///
    /// # Errors
    ///
    /// When there is a state already and it is not to be overwritten, another run writes it, or the files can't be written.
    pub fn create(base: &Path, header: Header, overwrite: bool) -> Result<Self, StoreError> {
        let lock = lock(base)?;
        Self::begin(base, header, overwrite, lock)
    }

    fn begin(base: &Path, header: Header, overwrite: bool, lock: Lock) -> Result<Self, StoreError> {
        let [state_path, pdn_path] = paths(base);
        for path in [&state_path, &pdn_path] {
            if !overwrite && path.exists() {
                return Err(StoreError::Exists(path.clone()));
            }
        }
        let head = line_of(&header);
        file::write(&state_path, head.as_bytes())?;
        file::write(&pdn_path, b"")?;
        let (state, pdn) = (append(&state_path)?, append(&pdn_path)?);
        let end = head.len() as u64;
        Ok(Self { header, state_path, pdn_path, state, pdn, lines: BTreeMap::new(), end, _lock: lock })
    }

    /// Goes on with an analysis, or begins it if there is none. `any_program` says whether another program may go on with it, and
    /// `seen` hears of every game that is there.
    ///
    /// # Errors
    ///
    /// When the state on disk can't be read or written, another run writes it, or it belongs to another analysis.
    pub fn resume(
        base: &Path,
        header: Header,
        any_program: bool,
        seen: &mut dyn FnMut(&GameRecord),
    ) -> Result<Self, StoreError> {
        let lock = lock(base)?;
        let [state_path, pdn_path] = paths(base);
        if !state_path.exists() {
            return Self::begin(base, header, false, lock);
        }
        let mut lines = BTreeMap::new();
        let (old, end) = read(&state_path, &mut |at, length, record| {
            lines.insert(record.game, (at, length));
            seen(&record);
        })?;
        if let Some(difference) = old.difference(&header, any_program) {
            return Err(StoreError::Other { path: state_path, difference });
        }
        let state = append(&state_path)?;
        let failed = |error| StoreError::Io { action: "write", path: state_path.clone(), error };
        state.set_len(end).map_err(failed)?;
        file::write(&pdn_path, b"")?;
        let pdn = append(&pdn_path)?;
        let store = Self { header, state_path, pdn_path, state, pdn, lines, end, _lock: lock };
        store.write_pdn()?;
        Ok(Self { pdn: append(&store.pdn_path)?, ..store })
    }

    /// Where the state is.
    #[must_use]
    pub fn state_path(&self) -> &Path {
        &self.state_path
    }

    /// Where the games are.
    #[must_use]
    pub fn pdn_path(&self) -> &Path {
        &self.pdn_path
    }

    /// What the games have in common.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Whether a game is finished.
    #[must_use]
    pub fn has(&self, game: u64) -> bool {
        self.lines.contains_key(&game)
    }

    /// Adds a finished game to both files.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), StoreError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| StoreError::Io { action: "write", path, error }
        };
        // One write each, so that a kill leaves at most the last line cut short.
        let line = line_of(record);
        self.state.write_all(line.as_bytes()).map_err(failed(&self.state_path))?;
        self.lines.insert(record.game, (self.end, line.len()));
        self.end += line.len() as u64;
        self.pdn.write_all(text_of(record).as_bytes()).map_err(failed(&self.pdn_path))
    }

    /// Goes through the games in the order in which they were read.
    ///
    /// # Errors
    ///
    /// When the state can't be read.
    pub fn each(
        &self,
        mut take: impl FnMut(&[u8], GameRecord) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let failed = |error| StoreError::Io { action: "read", path: self.state_path.clone(), error };
        let mut state = File::open(&self.state_path).map_err(failed)?;
        let mut line = Vec::new();
        for &(at, length) in self.lines.values() {
            line.resize(length, 0);
            state.seek(SeekFrom::Start(at)).and_then(|_| state.read_exact(&mut line)).map_err(failed)?;
            let record = serde_json::from_slice(&line).map_err(|error| failed(error.into()))?;
            take(&line, record)?;
        }
        Ok(())
    }

    /// Writes both files anew, in order.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn finish(mut self) -> Result<Self, StoreError> {
        let (draft, file) = Draft::begin(&self.state_path)?;
        let mut out = BufWriter::new(file);
        let head = line_of(&self.header);
        let mut at = head.len() as u64;
        let mut lines = BTreeMap::new();
        out.write_all(head.as_bytes()).map_err(|error| draft.error(error))?;
        self.each(|line, record| {
            out.write_all(line).map_err(|error| draft.error(error))?;
            lines.insert(record.game, (at, line.len()));
            at += line.len() as u64;
            Ok(())
        })?;
        keep(draft, out)?;
        (self.lines, self.end) = (lines, at);
        self.state = append(&self.state_path)?;
        self.write_pdn()?;
        self.pdn = append(&self.pdn_path)?;
        Ok(self)
    }

    fn write_pdn(&self) -> Result<(), StoreError> {
        let (draft, file) = Draft::begin(&self.pdn_path)?;
        let mut out = BufWriter::new(file);
        self.each(|_, record| {
            Ok(out.write_all(text_of(&record).as_bytes()).map_err(|error| draft.error(error))?)
        })?;
        keep(draft, out)
    }
}

fn keep(draft: Draft, out: BufWriter<File>) -> Result<(), StoreError> {
    let file = out.into_inner().map_err(|error| draft.error(error.into_error()))?;
    Ok(draft.keep(file)?)
}

/// Reads a state: its header, and where its last whole line ends. Of each game it tells where its line begins, and how long it is.
///
/// # Errors
///
/// When it can't be read, isn't one, or a line of it is damaged.
pub fn read(path: &Path, game: &mut dyn FnMut(u64, usize, GameRecord)) -> Result<(Header, u64), StoreError> {
    let failed = |error| StoreError::Io { action: "read", path: path.into(), error };
    let malformed = |line, reason| StoreError::Malformed { path: path.into(), line, reason };
    let mut input = BufReader::new(File::open(path).map_err(failed)?);
    let (mut header, mut at, mut line) = (None, 0, Vec::new());
    for number in 1.. {
        line.clear();
        let length = input.read_until(b'\n', &mut line).map_err(failed)?;
        // What has no end was cut short by a kill.
        if !line.ends_with(b"\n") {
            break;
        }
        let wrong = |error: serde_json::Error| malformed(number, error.to_string());
        if number == 1 {
            let read: Header = serde_json::from_slice(&line).map_err(wrong)?;
            if read.kelso_analysis != Header::VERSION {
                return Err(malformed(1, format!("version {}", read.kelso_analysis)));
            }
            header = Some(read);
        } else {
            game(at, length, serde_json::from_slice(&line).map_err(wrong)?);
        }
        at += length as u64;
    }
    header.map(|header| (header, at)).ok_or_else(|| malformed(1, "no header".to_owned()))
}

fn append(path: &Path) -> Result<File, StoreError> {
    let opened = OpenOptions::new().append(true).open(path);
    opened.map_err(|error| StoreError::Io { action: "write", path: path.into(), error })
}

/// Not `with_extension`, which would take the end of a name like `cup.1` for one.
fn with(base: &Path, extension: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(extension);
    name.into()
}

/// The state and the games of an analysis.
#[must_use]
pub fn paths(base: &Path) -> [PathBuf; 2] {
    [with(base, ".jsonl"), with(base, ".pdn")]
}

/// Keeps other runs away.
fn lock(base: &Path) -> Result<Lock, StoreError> {
    let [path, _] = paths(base);
    match Lock::take(&with(base, ".lock")) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(StoreError::Busy(path)),
        Err(error) => Err(StoreError::Io { action: "write", path, error }),
    }
}

/// Numbers, texts and lists of them always have a JSON form.
fn line_of(value: &impl serde::Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

/// A game as PDN, with an empty line after it.
fn text_of(record: &GameRecord) -> String {
    format!("{}\n", record.pdn)
}
