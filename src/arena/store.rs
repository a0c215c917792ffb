//! The state of a match on disk: a header and one line of JSON for each finished game, and the games as PDN. As long as a
//! run writes them, a lock beside them keeps others away.
//!
//! Each game is appended as soon as it is finished, so that a killed run loses nothing but the games that were going on.
//! A line that was cut short by the kill is dropped when the run is resumed. At the end both files are written anew in
//! the order of the schedule, since games that run side by side finish in any order.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::header::Header;
use super::pdn::{self, RecordError};
use super::record::GameRecord;
use crate::common::file::{self, WriteError};
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
    /// A game of it can't be played through.
    Record {
        /// The file.
        path: PathBuf,
        /// Which game, and why.
        error: RecordError,
    },
    /// It belongs to another match.
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
            Self::Malformed { path, line, reason } => {
                write!(
                    f,
                    "{}, line {line}: {reason} (expected a match state of version {})",
                    path.display(),
                    Header::VERSION
                )
            }
            Self::Record { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Other { path, difference } => {
                write!(f, "{} belongs to another match: {difference}", path.display())
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

/// Reads a state: its header, its games, and the length of the part that is whole.
///
/// # Errors
///
/// When it can't be read or isn't one; a last line without its end is left out.
pub fn read(path: &Path) -> Result<(Header, Vec<GameRecord>, u64), StoreError> {
    let bytes =
        fs::read(path).map_err(|error| StoreError::Io { action: "read", path: path.into(), error })?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let malformed = |line: usize, reason: String| StoreError::Malformed { path: path.into(), line, reason };
    let text = std::str::from_utf8(bytes.get(..whole).unwrap_or_default())
        .map_err(|error| malformed(0, error.to_string()))?;
    let mut lines = text.lines().zip(1..);
    let (first, _) = lines.next().ok_or_else(|| malformed(1, "no header".to_owned()))?;
    let header: Header = serde_json::from_str(first).map_err(|error| malformed(1, error.to_string()))?;
    if header.kelso_match != Header::VERSION {
        return Err(malformed(1, format!("version {}", header.kelso_match)));
    }
    let games = lines
        .map(|(line, number)| {
            let game: GameRecord =
                serde_json::from_str(line).map_err(|error| malformed(number, error.to_string()))?;
            pdn::replay(&game).map_err(|error| StoreError::Record { path: path.into(), error })?;
            Ok(game)
        })
        .collect::<Result<_, StoreError>>()?;
    Ok((header, games, whole as u64))
}

/// The two files of a running match.
#[derive(Debug)]
pub struct Store {
    header: Header,
    state_path: PathBuf,
    pdn_path: PathBuf,
    state: File,
    pdn: File,
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
        let (state_path, pdn_path) = paths(base);
        for path in [&state_path, &pdn_path] {
            if !overwrite && path.exists() {
                return Err(StoreError::Exists(path.clone()));
            }
        }
        replace(&state_path, &state_text(&header, &[]))?;
        replace(&pdn_path, "")?;
        Self::open(header, state_path, pdn_path, lock)
    }

    /// Goes on with a match, or begins it if there is none, and returns the games that are finished already.
    ///
    /// # Errors
    ///
    /// When the state on disk can't be read or written, another run writes it, or it belongs to a match with other settings.
    pub fn resume(base: &Path, header: Header) -> Result<(Self, Vec<GameRecord>), StoreError> {
        let lock = lock(base)?;
        let (state_path, pdn_path) = paths(base);
        if !state_path.exists() {
            return Ok((Self::begin(base, header, false, lock)?, Vec::new()));
        }
        let (old, games, _) = read(&state_path)?;
        if let Some(difference) = old.obstacle(&header) {
            return Err(StoreError::Other { path: state_path, difference });
        }
        let header = Header { date: old.date, ..header };
        // Both are written anew: this drops a line cut short, and brings the games into agreement.
        replace(&state_path, &state_text(&header, &games))?;
        replace(&pdn_path, &pdn_text(&header, &games, &state_path)?)?;
        Ok((Self::open(header, state_path, pdn_path, lock)?, games))
    }

    fn open(header: Header, state_path: PathBuf, pdn_path: PathBuf, lock: Lock) -> Result<Self, StoreError> {
        let append = |path: &Path| {
            let opened = OpenOptions::new().append(true).open(path);
            opened.map_err(|error| StoreError::Io { action: "write", path: path.into(), error })
        };
        let (state, pdn) = (append(&state_path)?, append(&pdn_path)?);
        Ok(Self { header, state, pdn, state_path, pdn_path, _lock: lock })
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

    /// Adds a finished game to both files.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), StoreError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| StoreError::Io { action: "write", path, error }
        };
        // One write each, so that a kill leaves at most the last line cut short.
        self.state.write_all(game_line(game).as_bytes()).map_err(failed(&self.state_path))?;
        let text = pdn::format(&self.header, game)
            .map_err(|error| StoreError::Record { path: self.state_path.clone(), error })?;
        self.pdn.write_all(text.as_bytes()).map_err(failed(&self.pdn_path))
    }

    /// Writes both files anew in the order of the games given, each at one stroke.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn finish(self, games: &[GameRecord]) -> Result<(), StoreError> {
        replace(&self.state_path, &state_text(&self.header, games))?;
        replace(&self.pdn_path, &pdn_text(&self.header, games, &self.state_path)?)
    }
}

/// Not `with_extension`, which would take the end of a name like `sf.1` for one.
fn with(base: &Path, extension: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(extension);
    name.into()
}

fn paths(base: &Path) -> (PathBuf, PathBuf) {
    (with(base, ".jsonl"), with(base, ".pdn"))
}

/// Keeps other runs away.
fn lock(base: &Path) -> Result<Lock, StoreError> {
    let (path, _) = paths(base);
    match Lock::take(&with(base, ".lock")) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(StoreError::Busy(path)),
        Err(error) => Err(StoreError::Io { action: "write", path, error }),
    }
}

fn game_line(game: &GameRecord) -> String {
    json_line(game)
}

/// Numbers, texts and lists of them always have a JSON form.
fn json_line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

fn state_text(header: &Header, games: &[GameRecord]) -> String {
    std::iter::once(json_line(header)).chain(games.iter().map(game_line)).collect()
}

fn pdn_text(header: &Header, games: &[GameRecord], state: &Path) -> Result<String, StoreError> {
    let texts = games.iter().map(|game| pdn::format(header, game));
    texts.collect::<Result<_, _>>().map_err(|error| StoreError::Record { path: state.into(), error })
}

fn replace(path: &Path, text: &str) -> Result<(), StoreError> {
    Ok(file::write(path, text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::header::tests::header;
    use crate::arena::pdn::tests::record;
    use crate::common::testing::Folder;

    #[test]
    fn a_killed_run_keeps_its_finished_games() {
        let folder = Folder::new("store-killed");
        let base = folder.path("match.a");
        let mut store = Store::create(&base, header(), false).unwrap();
        store.add(&record()).unwrap();
        let path = store.state_path().to_owned();
        drop(store);
        // The kill comes in the middle of a line.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":5,\"pa").unwrap();
        assert!(matches!(Store::create(&base, header(), false), Err(StoreError::Exists(_))));
        let (mut store, games) = Store::resume(&base, header()).unwrap();
        assert_eq!(games, [record()]);
        let second = GameRecord { game: 5, ..record() };
        store.add(&second).unwrap();
        assert_eq!(read(&path).unwrap().1, [record(), second.clone()]);
        let pdn = store.pdn_path().to_owned();
        store.finish(&[second, record()]).unwrap();
        assert_eq!(fs::read_to_string(pdn).unwrap().matches("[Round \"3.").count(), 2);
    }

    #[test]
    fn another_match_is_not_gone_on_with() {
        let folder = Folder::new("store-other");
        let base = folder.path("m");
        drop(Store::create(&base, header(), false).unwrap());
        for (changed, part) in [
            (Header { seed: 8, ..header() }, "seed"),
            (Header { openings: "eleven-man".to_owned(), ..header() }, "openings"),
            (Header { rounds: 2, ..header() }, "rounds"),
            (Header { engines: vec![], ..header() }, "engines"),
        ] {
            let error = Store::resume(&base, changed).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(Store::resume(&base, Header { rounds: 9, ..header() }).is_ok());
    }

    #[test]
    fn what_is_no_state_is_refused() {
        let folder = Folder::new("store-broken");
        let path = folder.path("x.jsonl");
        for text in ["", "{}\n", "nonsense\n", "{\"kelso_match\":9}\n", "\u{0}\n"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(read(&path), Err(StoreError::Malformed { .. })), "{text}");
        }
        fs::write(&path, state_text(&header(), &[]) + "{\"game\":1}\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 2"));
    }
}
