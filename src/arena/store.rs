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
use super::pdn;
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
    /// It belongs to another match.
    Other {
        /// The file.
        path: PathBuf,
        /// In what it differs.
        difference: String,
    },
    /// An engine is not what it was.
    OtherProgram {
        /// The file.
        path: PathBuf,
        /// Which engine, what it was and what it is.
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
            Self::Malformed { path, line: 1, reason } => write!(
                f,
                "{}, line 1: {reason} (expected a match state of version {})",
                path.display(),
                Header::VERSION
            ),
            Self::Malformed { path, line, reason } => write!(
                f,
                "{}, line {line}: {reason} (the file is damaged; --salvage leaves such games out and uses the rest)",
                path.display()
            ),
            Self::Other { path, difference } => {
                write!(f, "{} belongs to another match: {difference}", path.display())
            }
            Self::OtherProgram { path, difference } => write!(
                f,
                "{}: {difference}; results of different programs don't count together (--overwrite begins anew, \
                 --out NAME writes elsewhere, --any-program goes on nevertheless)",
                path.display()
            ),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<WriteError> for StoreError {
    fn from(WriteError { path, error }: WriteError) -> Self {
        Self::Io { action: "write", path, error }
    }
}

/// A line of a state that can't be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// What may be amiss with a state that is used nevertheless, because somebody says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leniency {
    /// An engine is another program by now, or has other files.
    pub any_program: bool,
    /// Lines are damaged; the games in them are lost.
    pub salvage: bool,
}

/// Reads a state: its header and its games. A last line without its end, as a kill leaves it, is left out.
///
/// # Errors
///
/// When it can't be read, isn't one, or a line of it is damaged.
pub fn read(path: &Path) -> Result<(Header, Vec<GameRecord>), StoreError> {
    let (header, games, losses) = salvage(path)?;
    match losses.into_iter().next() {
        Some(Loss { line, reason }) => Err(StoreError::Malformed { path: path.into(), line, reason }),
        None => Ok((header, games)),
    }
}

/// Reads what can be read of a state: what stands before and after a damaged line is still true.
///
/// # Errors
///
/// When it can't be read, or its first line is no header, without which games mean nothing.
pub fn salvage(path: &Path) -> Result<(Header, Vec<GameRecord>, Vec<Loss>), StoreError> {
    let bytes =
        fs::read(path).map_err(|error| StoreError::Io { action: "read", path: path.into(), error })?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or_default();
    let mut lines = bytes.get(..whole).unwrap_or_default().split(|&byte| byte == b'\n').zip(1..);
    let malformed = |reason: String| StoreError::Malformed { path: path.into(), line: 1, reason };
    let (first, _) =
        lines.next().filter(|(line, _)| !line.is_empty()).ok_or_else(|| malformed("no header".to_owned()))?;
    let header: Header = serde_json::from_slice(first).map_err(|error| malformed(error.to_string()))?;
    if header.kelso_match != Header::VERSION {
        return Err(malformed(format!("version {}", header.kelso_match)));
    }
    let (mut games, mut losses) = (Vec::new(), Vec::new());
    for (line, number) in lines {
        match game(line) {
            Ok(game) => games.push(game),
            Err(reason) => losses.push(Loss { line: number, reason }),
        }
    }
    Ok((header, games, losses))
}

/// Reads a line, and replays the game in it: a damaged letter may leave a line that reads well.
fn game(line: &[u8]) -> Result<GameRecord, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

/// A match that goes on.
#[derive(Debug)]
pub struct Resumed {
    /// Its files.
    pub store: Store,
    /// The games that are finished already.
    pub games: Vec<GameRecord>,
    /// What whoever goes on with it should know, a line each.
    pub notes: Vec<String>,
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

    /// Goes on with a match, or begins it if there is none.
    ///
    /// # Errors
    ///
    /// When the state on disk can't be read or written, another run writes it, it belongs to a match with other settings, or
    /// something is amiss with it that `leniency` does not allow.
    pub fn resume(base: &Path, header: Header, leniency: Leniency) -> Result<Resumed, StoreError> {
        let lock = lock(base)?;
        let (state_path, pdn_path) = paths(base);
        if !state_path.exists() {
            let store = Self::begin(base, header, false, lock)?;
            return Ok(Resumed { store, games: Vec::new(), notes: Vec::new() });
        }
        let (old, games, losses) = if leniency.salvage {
            salvage(&state_path)?
        } else {
            let (old, games) = read(&state_path)?;
            (old, games, Vec::new())
        };
        if let Some(difference) = old.obstacle(&header) {
            return Err(StoreError::Other { path: state_path, difference });
        }
        let shown = state_path.display();
        let mut notes: Vec<_> =
            losses.iter().map(|loss| format!("{shown}, {loss}; this game is lost")).collect();
        if !games.is_empty() {
            if let Some(difference) = old.other_program(&header).filter(|_| !leniency.any_program) {
                return Err(StoreError::OtherProgram { path: state_path, difference });
            }
            notes.extend(old.unknown_programs().map(|name| {
                format!("{shown} doesn't say with which program and files {name} has played: make sure that they are the same")
            }));
        }
        if !losses.is_empty() {
            let kept = with(&state_path, ".damaged");
            fs::copy(&state_path, &kept).map_err(|error| StoreError::Io {
                action: "write",
                path: kept.clone(),
                error,
            })?;
            notes.push(format!("{shown} as it was is kept in {}", kept.display()));
        }
        let header = Header { date: old.date, ..header };
        // Both are written anew: this drops a line cut short, and brings the games into agreement.
        replace(&state_path, &state_text(&header, &games))?;
        replace(&pdn_path, &pdn_text(&header, &games))?;
        Ok(Resumed { store: Self::open(header, state_path, pdn_path, lock)?, games, notes })
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
        let text = pdn::format(&self.header, game);
        self.pdn.write_all(text.as_bytes()).map_err(failed(&self.pdn_path))
    }

    /// Writes both files anew in the order of the games given, each at one stroke.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn finish(self, games: &[GameRecord]) -> Result<(), StoreError> {
        replace(&self.state_path, &state_text(&self.header, games))?;
        replace(&self.pdn_path, &pdn_text(&self.header, games))
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

fn pdn_text(header: &Header, games: &[GameRecord]) -> String {
    games.iter().map(|game| pdn::format(header, game)).collect()
}

fn replace(path: &Path, text: &str) -> Result<(), StoreError> {
    Ok(file::write(path, text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::header::tests::header;
    use crate::arena::record::tests::record;
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
        let Resumed { mut store, games, .. } = Store::resume(&base, header(), Leniency::default()).unwrap();
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
            let error = Store::resume(&base, changed, Leniency::default()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(Store::resume(&base, Header { rounds: 9, ..header() }, Leniency::default()).is_ok());
    }

    #[test]
    fn another_program_is_not_gone_on_with() {
        let folder = Folder::new("store-program");
        let base = folder.path("m");
        let mut store = Store::create(&base, header(), false).unwrap();
        let mut changed = header();
        changed.engines[1].program = "B 2.0, engine 00c0ffee".to_owned();
        store.add(&record()).unwrap();
        drop(store);
        let error = Store::resume(&base, changed.clone(), Leniency::default()).unwrap_err().to_string();
        assert!(
            error.contains("B was \"B 1.0, engine 00c0ffee\" and is \"B 2.0, engine 00c0ffee\" now"),
            "{error}"
        );
        let any = Leniency { any_program: true, ..Leniency::default() };
        assert!(Store::resume(&base, changed, any).is_ok());
        // A state from before this was kept says nothing about it.
        let mut old = header();
        old.engines.iter_mut().for_each(|engine| engine.program.clear());
        fs::write(base.with_extension("jsonl"), state_text(&old, &[record()])).unwrap();
        let notes = Store::resume(&base, header(), Leniency::default()).unwrap().notes;
        assert_eq!(notes.len(), 2);
        assert!(
            notes[0].ends_with("with which program and files A has played: make sure that they are the same")
        );
    }

    #[test]
    fn damage_costs_the_games_that_it_hits() {
        let folder = Folder::new("store-damage");
        let base = folder.path("m");
        let path = base.with_extension("jsonl");
        let games: Vec<_> = (0..6).map(|game| GameRecord { game, pair: game / 2, ..record() }).collect();
        let text = state_text(&header(), &games);
        let lines: Vec<&str> = text.lines().collect();
        let (head, tail) = lines[2].split_at(40);
        for (damaged, part) in [
            ("not JSON at all".to_owned().into_bytes(), "expected"),
            (Vec::new(), "EOF"),
            (vec![0; 300], "expected value"),
            ([head.as_bytes(), &[0xff, 0xfe], tail.as_bytes()].concat(), "expected `,`"),
            (lines[2].replace("23-18", "23-17").into_bytes(), "illegal move"),
        ] {
            let mut bytes = Vec::new();
            for (number, line) in lines.iter().enumerate() {
                bytes.extend_from_slice(if number == 2 { &damaged } else { line.as_bytes() });
                bytes.push(b'\n');
            }
            fs::write(&path, &bytes).unwrap();
            let error = Store::resume(&base, header(), Leniency::default()).unwrap_err().to_string();
            assert!(error.contains("line 3: ") && error.contains("--salvage"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "a refusal changes nothing");
            let salvage = Leniency { salvage: true, ..Leniency::default() };
            let Resumed { games: rest, notes, .. } = Store::resume(&base, header(), salvage).unwrap();
            assert_eq!(rest.iter().map(|game| game.game).collect::<Vec<_>>(), [0, 2, 3, 4, 5]);
            assert!(notes[0].contains(", line 3: ") && notes[0].contains(part), "{part}: {notes:?}");
            assert_eq!(fs::read(with(&path, ".damaged")).unwrap(), bytes);
            assert_eq!(read(&path).unwrap().1, rest);
        }
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
