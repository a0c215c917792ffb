//! The files of a job that finishes games one after another: `NAME.jsonl`, a header and a line of JSON for each finished game, and
//! `NAME.pdn`, the games for other programs. As long as a run writes them, `NAME.lock` beside them keeps others away.
//!
//! Each game is appended to both as soon as it is finished, so that a killed run loses nothing but the games that were going on; a
//! line that was cut short is dropped when the run is resumed. At the end both are written anew in the order of the games'
//! numbers, since games that run side by side finish in any order. Of the games on disk only their places are kept in memory.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::vec;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::file::{self, Draft, WriteError};
use super::lock::Lock;

/// What the games of a journal have in common: its first line.
pub trait Head: Serialize + DeserializeOwned {
    /// A finished game.
    type Game: Serialize + DeserializeOwned;
    /// What the file is, as errors say it: "a match state".
    const STATE: &'static str;
    /// What is kept in it: "match".
    const JOB: &'static str;
    /// The version of the format that is written and read.
    const VERSION: u32;

    /// The version of the format that it has.
    fn version(&self) -> u32;

    /// The first thing in which a run can't go on with this one's games, in words.
    fn obstacle(&self, now: &Self) -> Option<String>;

    /// The first program that isn't what it was, in words.
    fn other_program(&self, now: &Self) -> Option<String>;

    /// What whoever goes on should know, a line each.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }

    /// The head of a run that goes on with these games.
    #[must_use]
    fn renewed(&self, now: Self) -> Self {
        now
    }

    /// A game's number, by which games are put in order.
    fn number(game: &Self::Game) -> u64;

    /// A game as PDN, with an empty line at its end.
    fn pdn(&self, game: &Self::Game) -> String;
}

/// Why a journal can't be read or written.
#[derive(Debug)]
pub enum JournalError {
    /// The system says so.
    Io {
        /// What was done to the file.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is one already.
    Exists(PathBuf),
    /// Another run is writing it.
    Busy(PathBuf),
    /// Its first line is no header.
    Headless {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
        /// What was expected.
        expected: String,
    },
    /// A line of it isn't a game.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first such line.
        loss: Loss,
    },
    /// It belongs to another job.
    Other {
        /// The file.
        path: PathBuf,
        /// Of what kind.
        job: &'static str,
        /// In what it differs.
        difference: String,
    },
    /// A program is not what it was.
    OtherProgram {
        /// The file.
        path: PathBuf,
        /// Which, what it was and what it is.
        difference: String,
    },
}

impl fmt::Display for JournalError {
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
            Self::Headless { path, reason, expected } => {
                write!(f, "{}, line 1: {reason} (expected {expected})", path.display())
            }
            Self::Damaged { path, loss } => write!(
                f,
                "{}, {loss} (the file is damaged; --salvage leaves such games out and uses the rest)",
                path.display()
            ),
            Self::Other { path, job, difference } => {
                write!(f, "{} belongs to another {job}: {difference}", path.display())
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

impl std::error::Error for JournalError {}

impl From<WriteError> for JournalError {
    fn from(WriteError { path, error }: WriteError) -> Self {
        Self::Io { action: "write", path, error }
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> JournalError {
    move |error| JournalError::Io { action, path: path.to_owned(), error }
}

/// A line that can't be used.
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

/// What may be amiss with a journal that is used nevertheless, because somebody says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leniency {
    /// Somebody is another program by now, or has other files.
    pub any_program: bool,
    /// Lines are damaged; the games in them are lost.
    pub salvage: bool,
}

/// What stands on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<H> {
    /// What the games have in common.
    pub header: H,
    /// Lines that can't be used; none unless they may be left out.
    pub losses: Vec<Loss>,
}

/// Reads a state from disk. What stands before and after a damaged line is still true, and may be used with `salvage`. A last
/// line without its end, as a kill leaves it, is left out.
///
/// # Errors
///
/// When it can't be read, its first line is no header, without which games mean nothing, or another is damaged and that isn't allowed.
pub fn read<H: Head>(
    path: &Path,
    salvage: bool,
    game: &mut dyn FnMut(H::Game),
) -> Result<Found<H>, JournalError> {
    let headless = |reason: String| JournalError::Headless {
        path: path.into(),
        reason,
        expected: format!("{} of version {}", H::STATE, H::VERSION),
    };
    let mut input = BufReader::new(File::open(path).map_err(failed("read", path))?);
    let (mut found, mut bytes) = (None, Vec::new());
    for line in 1.. {
        bytes.clear();
        input.read_until(b'\n', &mut bytes).map_err(failed("read", path))?;
        if bytes.pop_if(|&mut last| last == b'\n').is_none() {
            break;
        }
        let Some(Found { losses, .. }) = &mut found else {
            let header: H = serde_json::from_slice(&bytes).map_err(|error| headless(error.to_string()))?;
            if header.version() != H::VERSION {
                return Err(headless(format!("version {}", header.version())));
            }
            found = Some(Found { header, losses: Vec::new() });
            continue;
        };
        match serde_json::from_slice(&bytes) {
            Ok(read) => game(read),
            Err(error) => {
                let loss = Loss { line, reason: error.to_string() };
                if !salvage {
                    return Err(JournalError::Damaged { path: path.into(), loss });
                }
                losses.push(loss);
            }
        }
    }
    found.ok_or_else(|| headless("no header".to_owned()))
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal<H> {
    header: H,
    paths: [PathBuf; 2],
    files: [File; 2],
    /// Where in the state each game's line begins, and how long it is.
    lines: BTreeMap<u64, (u64, usize)>,
    end: u64,
    lock: Lock,
}

impl<H: Head> Journal<H> {
    /// Begins `NAME.jsonl` and `NAME.pdn`.
    ///
    /// # Errors
    ///
    /// When there are such files already and they are not to be overwritten, another run writes them, or they can't be written.
    pub fn create(name: &Path, header: H, overwrite: bool) -> Result<Self, JournalError> {
        let lock = lock(name)?;
        Self::begin(name, header, overwrite, lock)
    }

    fn begin(name: &Path, header: H, overwrite: bool, lock: Lock) -> Result<Self, JournalError> {
        let paths = paths(name);
        if let Some(path) = paths.iter().find(|path| !overwrite && path.exists()) {
            return Err(JournalError::Exists(path.clone()));
        }
        let head = line_of(&header);
        let [state, pdn] = &paths;
        file::write(state, head.as_bytes())?;
        file::write(pdn, b"")?;
        let end = head.len() as u64;
        Ok(Self { header, files: [append(state)?, append(pdn)?], paths, lines: BTreeMap::new(), end, lock })
    }

    /// Goes on with a job, or begins it if there is nothing yet. `seen` hears of every game that is there; what whoever goes on
    /// should know is returned, a line each.
    ///
    /// # Errors
    ///
    /// When what is on disk can't be read or written, another run writes it, it belongs to a job with other settings, or something is
    /// amiss with it that `leniency` does not allow.
    pub fn resume(
        name: &Path,
        header: H,
        leniency: Leniency,
        seen: &mut dyn FnMut(H::Game),
    ) -> Result<(Self, Vec<String>), JournalError> {
        let lock = lock(name)?;
        let paths = paths(name);
        let [state, _] = &paths;
        if !state.exists() {
            return Ok((Self::begin(name, header, false, lock)?, Vec::new()));
        }
        let mut count = 0_u64;
        let Found { header: old, losses } = read::<H>(state, leniency.salvage, &mut |_| count += 1)?;
        if let Some(difference) = old.obstacle(&header) {
            return Err(JournalError::Other { path: state.clone(), job: H::JOB, difference });
        }
        let mut notes = Vec::new();
        let shown = state.display();
        if count > 0 {
            if let Some(difference) = old.other_program(&header).filter(|_| !leniency.any_program) {
                return Err(JournalError::OtherProgram { path: state.clone(), difference });
            }
            notes.extend(old.doubts().into_iter().map(|doubt| format!("{shown} {doubt}")));
        }
        notes.extend(losses.iter().map(|loss| format!("{shown}, {loss}; this game is lost")));
        if !losses.is_empty() {
            let kept = with(state, ".damaged");
            fs::copy(state, &kept).map_err(failed("write", &kept))?;
            notes.push(format!("{shown} as it was is kept in {}", kept.display()));
        }
        // Both are written anew: this drops a line cut short, and brings the games into agreement.
        let mut draft = Rewriting::begin(old.renewed(header), paths)?;
        let mut outcome = Ok(());
        read::<H>(&draft.paths[0].clone(), leniency.salvage, &mut |game| {
            if outcome.is_ok() {
                outcome = draft.add(&game);
                seen(game);
            }
        })?;
        outcome?;
        Ok((draft.keep(lock)?, notes))
    }

    /// Where the state is.
    #[must_use]
    pub fn state_path(&self) -> &Path {
        &self.paths[0]
    }

    /// Where the games are.
    #[must_use]
    pub fn pdn_path(&self) -> &Path {
        &self.paths[1]
    }

    /// What the games have in common.
    #[must_use]
    pub const fn header(&self) -> &H {
        &self.header
    }

    /// Adds a finished game to both files.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn add(&mut self, game: &H::Game) -> Result<(), JournalError> {
        let line = line_of(game);
        // One write each, so that a kill leaves at most the last line cut short.
        let [state, pdn] = &mut self.files;
        state.write_all(line.as_bytes()).map_err(failed("write", &self.paths[0]))?;
        self.lines.insert(H::number(game), (self.end, line.len()));
        self.end += line.len() as u64;
        pdn.write_all(self.header.pdn(game).as_bytes()).map_err(failed("write", &self.paths[1]))
    }

    /// The games in the order of their numbers.
    ///
    /// # Errors
    ///
    /// When the state can't be read; so for each game.
    pub fn games(&self) -> Result<Games<H>, JournalError> {
        let path = self.paths[0].clone();
        let state = File::open(&path).map_err(failed("read", &path))?;
        let places: Vec<_> = self.lines.values().copied().collect();
        Ok(Games { path, state, places: places.into_iter(), line: Vec::new(), head: PhantomData })
    }

    /// Writes both files anew in the order of the numbers.
    ///
    /// # Errors
    ///
    /// When they can't be read or written.
    pub fn finish(self) -> Result<Self, JournalError> {
        let games = self.games()?;
        self.rewrite(games)
    }

    /// Writes both files anew, with these games in this order.
    ///
    /// # Errors
    ///
    /// When one of the games is an error, or the files can't be written.
    pub fn rewrite<G: Borrow<H::Game>>(
        self,
        games: impl IntoIterator<Item = Result<G, JournalError>>,
    ) -> Result<Self, JournalError> {
        let mut draft = Rewriting::begin(self.header, self.paths)?;
        for game in games {
            draft.add(game?.borrow())?;
        }
        draft.keep(self.lock)
    }
}

/// The games of a journal, read one at a time.
#[derive(Debug)]
pub struct Games<H> {
    path: PathBuf,
    state: File,
    places: vec::IntoIter<(u64, usize)>,
    line: Vec<u8>,
    head: PhantomData<H>,
}

impl<H: Head> Iterator for Games<H> {
    type Item = Result<H::Game, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (at, length) = self.places.next()?;
        self.line.resize(length, 0);
        let read = self.state.seek(SeekFrom::Start(at)).and_then(|_| self.state.read_exact(&mut self.line));
        let game = read.and_then(|()| serde_json::from_slice(&self.line).map_err(io::Error::from));
        Some(game.map_err(failed("read", &self.path)))
    }
}

/// Both files while they are written anew; the old ones stay until it is done.
struct Rewriting<H> {
    header: H,
    paths: [PathBuf; 2],
    drafts: [(Draft, BufWriter<File>); 2],
    lines: BTreeMap<u64, (u64, usize)>,
    end: u64,
}

impl<H: Head> Rewriting<H> {
    fn begin(header: H, paths: [PathBuf; 2]) -> Result<Self, JournalError> {
        let begin = |path: &Path| Draft::begin(path).map(|(draft, file)| (draft, BufWriter::new(file)));
        let head = line_of(&header);
        let [state, pdn] = &paths;
        let mut drafts = [begin(state)?, begin(pdn)?];
        put(&mut drafts[0], &head)?;
        Ok(Self { header, paths, drafts, lines: BTreeMap::new(), end: head.len() as u64 })
    }

    fn add(&mut self, game: &H::Game) -> Result<(), JournalError> {
        let line = line_of(game);
        let [state, pdn] = &mut self.drafts;
        put(state, &line)?;
        put(pdn, &self.header.pdn(game))?;
        self.lines.insert(H::number(game), (self.end, line.len()));
        self.end += line.len() as u64;
        Ok(())
    }

    fn keep(self, lock: Lock) -> Result<Journal<H>, JournalError> {
        for (draft, out) in self.drafts {
            let file = out.into_inner().map_err(|error| draft.error(error.into_error()))?;
            draft.keep(file)?;
        }
        let [state, pdn] = &self.paths;
        let files = [append(state)?, append(pdn)?];
        Ok(Journal { header: self.header, files, paths: self.paths, lines: self.lines, end: self.end, lock })
    }
}

fn put((draft, out): &mut (Draft, BufWriter<File>), text: &str) -> Result<(), JournalError> {
    Ok(out.write_all(text.as_bytes()).map_err(|error| draft.error(error))?)
}

fn append(path: &Path) -> Result<File, JournalError> {
    OpenOptions::new().append(true).open(path).map_err(failed("write", path))
}

/// Not `with_extension`, which would take the end of a name like `cup.1` for one.
fn with(name: &Path, extension: &str) -> PathBuf {
    let mut path = name.as_os_str().to_owned();
    path.push(extension);
    path.into()
}

/// The state and the games of a journal.
#[must_use]
pub fn paths(name: &Path) -> [PathBuf; 2] {
    [with(name, ".jsonl"), with(name, ".pdn")]
}

/// Keeps other runs away.
fn lock(name: &Path) -> Result<Lock, JournalError> {
    match Lock::take(&with(name, ".lock")) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(JournalError::Busy(with(name, ".jsonl"))),
        Err(error) => Err(JournalError::Io { action: "write", path: with(name, ".jsonl"), error }),
    }
}

/// Numbers, texts and lists of them always have a JSON form.
fn line_of(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}
