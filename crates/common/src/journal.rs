//! The files of a long job that finishes one item after another, mostly games: `NAME.jsonl`, a header and a line of JSON for each
//! finished item, and for games `NAME.pdn`, for other programs. As long as a run writes them, `NAME.lock` beside them keeps
//! others away.
//!
//! Each item is appended as soon as it is finished, so that a killed run loses nothing but what was going on; a line that was
//! cut short is dropped when the run is resumed. At the end the files are written anew in the order of the items' numbers, since
//! what runs side by side finishes in any order. Of the items on disk only their places are kept in memory.

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
use serde_json::Value;

use super::file::{self, Draft, WriteError};
use super::lock::Lock;

/// What the items of a journal have in common: its first line.
pub trait Head: Serialize + DeserializeOwned {
    /// What is finished.
    type Item: Serialize + DeserializeOwned;
    /// What the file is, as errors say it: "a match state".
    const STATE: &'static str;
    /// What is kept in it: "match".
    const JOB: &'static str;
    /// The version of the format that is written and read.
    const VERSION: u32;
    /// What is added to the name for the state.
    const EXTENSION: &'static str = ".jsonl";

    /// The version of the format that it has.
    fn version(&self) -> u32;

    /// The program that makes the items, if another one is only used where the user allows it.
    fn program(&self) -> Option<&str> {
        None
    }

    /// Describes the first thing that keeps a run from resuming this one.
    fn obstacle(&self, now: &Self) -> Option<String> {
        difference(self, now, &["program"])
    }

    /// Describes the first program that has changed.
    fn other_program(&self, now: &Self) -> Option<String> {
        let (old, now) = (self.program()?, now.program()?);
        (old != now).then(|| format!("the program was \"{old}\" and is \"{now}\" now"))
    }

    /// What whoever goes on should know, a line each.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }

    /// The head of a run that goes on with these items.
    #[must_use]
    fn renewed(&self, now: Self) -> Self {
        now
    }

    /// An item's number, by which they are put in order.
    fn number(item: &Self::Item) -> u64;

    /// What can be done where a line is damaged.
    const REMEDY: &'static str = "--salvage leaves such lines out and uses the rest";

    /// An item as PDN, with an empty line at its end, if items are games.
    const PDN: Option<fn(&Self, &Self::Item) -> String> = None;
}

/// The first field in which two heads differ, in words. Fields in `aside` are another question.
fn difference(old: &impl Serialize, now: &impl Serialize, aside: &[&str]) -> Option<String> {
    let (Ok(Value::Object(old)), Ok(Value::Object(now))) =
        (serde_json::to_value(old), serde_json::to_value(now))
    else {
        return None;
    };
    let mut fields = old.iter().filter(|(name, _)| !aside.contains(&name.as_str()));
    let (name, value) = fields.find(|(name, value)| now.get(*name) != Some(value))?;
    let now = now.get(name).unwrap_or(&Value::Null);
    Some(format!("it was made with {name} = {value}, now {name} = {now}"))
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
    /// A line of it is no item.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first such line.
        loss: Loss,
        /// What can be done.
        remedy: &'static str,
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
                "\"{}\" already exists; use --resume to continue it or --overwrite to replace it",
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
            Self::Damaged { path, loss, remedy } => {
                write!(f, "{}, {loss} (the file is damaged; {remedy})", path.display())
            }
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
    /// Lines are damaged; what stood in them is lost.
    pub salvage: bool,
}

/// What stands on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<H> {
    /// What the items have in common.
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
    item: &mut dyn FnMut(H::Item),
) -> Result<Found<H>, JournalError> {
    let headless = |reason: String| JournalError::Headless {
        path: path.into(),
        reason,
        expected: format!("{} of version {}", H::STATE, H::VERSION),
    };
    let mut input = BufReader::new(file::open_regular(path).map_err(failed("read", path))?);
    let (mut found, mut bytes) = (None, Vec::new());
    for line in 1.. {
        bytes.clear();
        input.read_until(b'\n', &mut bytes).map_err(failed("read", path))?;
        if bytes.pop_if(|&mut last| last == b'\n').is_none() {
            break;
        }
        let intact =
            if is_intact(&bytes) { Ok(()) } else { Err("the checksum of the line is wrong".to_owned()) };
        let Some(Found { losses, .. }) = &mut found else {
            intact.map_err(headless)?;
            let header: H = serde_json::from_slice(&bytes).map_err(|error| headless(error.to_string()))?;
            if header.version() != H::VERSION {
                return Err(headless(format!("version {}", header.version())));
            }
            found = Some(Found { header, losses: Vec::new() });
            continue;
        };
        match intact.and_then(|()| serde_json::from_slice(&bytes).map_err(|error| error.to_string())) {
            Ok(read) => item(read),
            Err(reason) => {
                let loss = Loss { line, reason };
                if !salvage {
                    return Err(JournalError::Damaged { path: path.into(), loss, remedy: H::REMEDY });
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
    state: File,
    /// If items are games.
    pdn: Option<File>,
    /// Where in the state each item's line begins, and how long it is.
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
        let lock = lock::<H>(name)?;
        Self::begin(name, header, overwrite, lock)
    }

    fn begin(name: &Path, header: H, overwrite: bool, lock: Lock) -> Result<Self, JournalError> {
        let paths = paths::<H>(name);
        if let Some(path) = written::<H>(name).into_iter().find(|path| !overwrite && path.exists()) {
            return Err(JournalError::Exists(path));
        }
        let head = line_of(&header);
        let [state, pdn] = &paths;
        file::write(state, head.as_bytes())?;
        let (state, end) = (append(state)?, head.len() as u64);
        let pdn =
            H::PDN.map(|_| file::write(pdn, b"").map_err(JournalError::from).and_then(|()| append(pdn)));
        Ok(Self { header, state, pdn: pdn.transpose()?, paths, lines: BTreeMap::new(), end, lock })
    }

    /// Goes on with a job, or begins it if there is nothing yet. `seen` hears of every item that is there; what whoever goes on
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
        seen: &mut dyn FnMut(H::Item),
    ) -> Result<(Self, Vec<String>), JournalError> {
        let lock = lock::<H>(name)?;
        let paths = paths::<H>(name);
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
        notes.extend(losses.iter().map(|loss| format!("{shown}, {loss}; this is lost")));
        if !losses.is_empty() {
            let kept = with(state, ".damaged");
            fs::copy(state, &kept).map_err(failed("write", &kept))?;
            notes.push(format!("{shown} as it was is kept in {}", kept.display()));
        }
        // Both are written anew: this drops a line cut short, and brings them into agreement.
        let mut draft = Rewriting::begin(old.renewed(header), paths)?;
        let mut outcome = Ok(());
        read::<H>(&draft.paths[0].clone(), leniency.salvage, &mut |item| {
            if outcome.is_ok() {
                outcome = draft.add(&item);
                seen(item);
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

    /// Where the games are, if items are games.
    #[must_use]
    pub fn pdn_path(&self) -> &Path {
        &self.paths[1]
    }

    /// What the items have in common.
    #[must_use]
    pub const fn header(&self) -> &H {
        &self.header
    }

    /// Adds a finished item.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    pub fn add(&mut self, item: &H::Item) -> Result<(), JournalError> {
        let line = line_of(item);
        // One write each, so that a kill leaves at most the last line cut short.
        self.state.write_all(line.as_bytes()).map_err(failed("write", &self.paths[0]))?;
        self.lines.insert(H::number(item), (self.end, line.len()));
        self.end += line.len() as u64;
        match (&mut self.pdn, H::PDN) {
            (Some(pdn), Some(format)) => {
                pdn.write_all(format(&self.header, item).as_bytes()).map_err(failed("write", &self.paths[1]))
            }
            _ => Ok(()),
        }
    }

    /// The items in the order of their numbers.
    ///
    /// # Errors
    ///
    /// When the state can't be read; so for each item.
    pub fn items(&self) -> Result<Items<H>, JournalError> {
        let path = self.paths[0].clone();
        let state = file::open_regular(&path).map_err(failed("read", &path))?;
        let places: Vec<_> = self.lines.values().copied().collect();
        Ok(Items { path, state, places: places.into_iter(), line: Vec::new(), head: PhantomData })
    }

    /// Writes the files anew in the order of the numbers.
    ///
    /// # Errors
    ///
    /// When they can't be read or written.
    pub fn finish(self) -> Result<Self, JournalError> {
        let items = self.items()?;
        self.rewrite(items)
    }

    /// Writes the files anew, with these items in this order.
    ///
    /// # Errors
    ///
    /// When one of the items is an error, or the files can't be written.
    pub fn rewrite<G: Borrow<H::Item>>(
        self,
        items: impl IntoIterator<Item = Result<G, JournalError>>,
    ) -> Result<Self, JournalError> {
        let mut draft = Rewriting::begin(self.header, self.paths)?;
        for item in items {
            draft.add(item?.borrow())?;
        }
        draft.keep(self.lock)
    }
}

/// The items of a journal, read one at a time.
#[derive(Debug)]
pub struct Items<H> {
    path: PathBuf,
    state: File,
    places: vec::IntoIter<(u64, usize)>,
    line: Vec<u8>,
    head: PhantomData<H>,
}

impl<H: Head> Iterator for Items<H> {
    type Item = Result<H::Item, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (at, length) = self.places.next()?;
        self.line.resize(length, 0);
        let read = self.state.seek(SeekFrom::Start(at)).and_then(|_| self.state.read_exact(&mut self.line));
        let item = read.and_then(|()| serde_json::from_slice(&self.line).map_err(io::Error::from));
        Some(item.map_err(failed("read", &self.path)))
    }
}

/// Both files while they are written anew; the old ones stay until it is done.
struct Rewriting<H> {
    header: H,
    paths: [PathBuf; 2],
    state: (Draft, BufWriter<File>),
    pdn: Option<(Draft, BufWriter<File>)>,
    lines: BTreeMap<u64, (u64, usize)>,
    end: u64,
}

impl<H: Head> Rewriting<H> {
    fn begin(header: H, paths: [PathBuf; 2]) -> Result<Self, JournalError> {
        let begin = |path: &Path| Draft::begin(path).map(|(draft, file)| (draft, BufWriter::new(file)));
        let head = line_of(&header);
        let [state, pdn] = &paths;
        let (mut state, pdn) = (begin(state)?, H::PDN.map(|_| begin(pdn)).transpose()?);
        put(&mut state, &head)?;
        Ok(Self { header, paths, state, pdn, lines: BTreeMap::new(), end: head.len() as u64 })
    }

    fn add(&mut self, item: &H::Item) -> Result<(), JournalError> {
        let line = line_of(item);
        put(&mut self.state, &line)?;
        if let (Some(pdn), Some(format)) = (&mut self.pdn, H::PDN) {
            put(pdn, &format(&self.header, item))?;
        }
        self.lines.insert(H::number(item), (self.end, line.len()));
        self.end += line.len() as u64;
        Ok(())
    }

    fn keep(self, lock: Lock) -> Result<Journal<H>, JournalError> {
        for (draft, out) in std::iter::once(self.state).chain(self.pdn) {
            let file = out.into_inner().map_err(|error| draft.error(error.into_error()))?;
            draft.keep(file)?;
        }
        let [state, pdn] = &self.paths;
        let (state, pdn) = (append(state)?, H::PDN.map(|_| append(pdn)).transpose()?);
        let Self { header, lines, end, .. } = self;
        Ok(Journal { header, state, pdn, paths: self.paths, lines, end, lock })
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

/// Returns the files that a journal of this name writes, the state first.
#[must_use]
pub fn written<H: Head>(name: &Path) -> Vec<PathBuf> {
    paths::<H>(name).into_iter().take(if H::PDN.is_some() { 2 } else { 1 }).collect()
}

/// The state and the games of a journal.
fn paths<H: Head>(name: &Path) -> [PathBuf; 2] {
    [with(name, H::EXTENSION), with(name, ".pdn")]
}

/// The file that keeps other runs away.
#[must_use]
pub fn lock_path(name: &Path) -> PathBuf {
    with(name, ".lock")
}

/// Checks that no other run writes a journal of this name.
///
/// # Errors
///
/// Returns an error if another run does, or the system refuses.
pub fn check_free<H: Head>(name: &Path) -> Result<(), JournalError> {
    lock::<H>(name).map(drop)
}

/// Keeps other runs away.
fn lock<H: Head>(name: &Path) -> Result<Lock, JournalError> {
    let [path, _] = paths::<H>(name);
    match Lock::take(&lock_path(name)) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(JournalError::Busy(path)),
        Err(error) => Err(JournalError::Io { action: "write", path, error }),
    }
}

/// A value as a line of JSON that ends with a checksum. Numbers, texts and lists of them always have a JSON form.
fn line_of(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.pop();
    let checksum = crc32fast::hash(line.as_bytes());
    line + &format!("{CHECKSUM}{checksum:08x}\"}}\n")
}

/// What stands before the eight digits of a checksum.
const CHECKSUM: &str = ",\"crc32\":\"";

/// Returns whether a line has the checksum that it says, or none, as lines that users have written.
fn is_intact(line: &[u8]) -> bool {
    let split = || line.strip_suffix(b"\"}")?.split_last_chunk::<8>();
    let Some((body, digits)) = split() else { return true };
    let Some(body) = body.strip_suffix(CHECKSUM.as_bytes()) else { return true };
    format!("{:08x}", crc32fast::hash(body)).as_bytes() == digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_line_is_noticed() {
        let line = line_of(&serde_json::json!({ "n": 3, "score": 12 }));
        assert!(line.starts_with("{\"n\":3,\"score\":12,\"crc32\":\"") && line.ends_with("\"}\n"), "{line}");
        let line = line.trim_end();
        assert!(is_intact(line.as_bytes()));
        assert!(!is_intact(line.replace("12", "13").as_bytes()));
        assert!(is_intact(b"{\"n\":3}"), "a line without a checksum");
        assert!(is_intact(b"") && is_intact(b"\"}"));
    }
}
