//! Files to which a run appends items, so that the run can be resumed: a header with the settings that all items
//! share, then the items.
//!
//! A [`StoreFormat`] defines the bytes. [`Checkpoint`](super::checkpoint::Checkpoint) has lines of JSON, and rewrites
//! its file when a run is resumed and when it ends. Binary files of gigabytes are cut after the last intact item
//! instead ([`StoreWriter::resume`]). A run that writes a store holds its
//! [lock](lock_beside).

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use runtime::files;
use serde::Serialize;
use serde_json::Value;

use super::file::{self, AtomicFile, WriteError};
use super::lock::Lock;

/// How the header and the items of a store are written.
pub trait StoreFormat {
    /// The settings that all items share.
    type Header;
    /// One unit of finished work.
    type Item;
    /// The kind of run, for messages, such as `match`.
    const JOB: &'static str;
    /// The remedy for a damaged item, for messages.
    const REMEDY: &'static str;

    /// Returns the kind of file with its article, such as "a match checkpoint".
    fn kind() -> String;

    /// Returns the bytes of a header.
    fn encode_header(header: &Self::Header) -> io::Result<Vec<u8>>;

    /// Reads a header.
    fn decode_header(input: &mut impl BufRead) -> Result<Self::Header, Invalid>;

    /// Returns the bytes of an item.
    fn encode(item: &Self::Item) -> io::Result<Vec<u8>>;

    /// Reads an item.
    fn decode(input: &mut impl BufRead) -> Result<Decoded<Self::Item>, Invalid>;

    /// Returns the location of an item with this number, counted from 0, that begins at this byte.
    fn location(number: usize, byte: u64) -> Location;

    /// Describes the first setting that prevents a run from resuming an older one.
    fn difference(old: &Self::Header, now: &Self::Header) -> Option<String>;
}

/// The next part of a store.
#[derive(Debug)]
pub enum Decoded<T> {
    /// An intact item and its length in bytes.
    Item(T, usize),
    /// The beginning of an item, as left by a kill.
    Incomplete,
    End,
}

/// The reason why bytes are not a header or an item.
#[derive(Debug, thiserror::Error)]
pub enum Invalid {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Content(String),
}

/// The reason why a store cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be written as a whole.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file cannot be read or written.
    #[error("cannot {action} \"{}\": {error}", path.display())]
    Io {
        /// The action that failed.
        action: &'static str,
        path: PathBuf,
        /// The error from the system.
        error: io::Error,
    },
    /// The file already exists.
    #[error("\"{}\" already exists; use --resume to continue it or --overwrite to replace it", .0.display())]
    Exists(PathBuf),
    /// Another run is writing the file.
    #[error("\"{}\" is being written by another run; wait for it to end, or use another --out", .0.display())]
    Busy(PathBuf),
    /// The file is not a store of this kind.
    #[error("\"{}\" is not {kind}: {reason}", path.display())]
    Foreign {
        path: PathBuf,
        /// The expected kind of file with its article, as [`StoreFormat::kind`] returns it.
        kind: String,
        reason: String,
    },
    /// A part of the file cannot be read.
    #[error("\"{}\" is damaged: {fault}; {remedy}", path.display())]
    Damaged {
        path: PathBuf,
        /// The first damaged part.
        fault: StoreFault,
        remedy: &'static str,
    },
    /// The file belongs to a run with other settings.
    #[error("\"{}\" belongs to another {job}: {difference}; use the same settings or another --out", path.display())]
    OtherRun {
        path: PathBuf,
        /// The kind of run, as in [`StoreFormat::JOB`].
        job: &'static str,
        /// A description of the changed setting.
        difference: String,
    },
    /// A program that affects the results has changed.
    #[error(
        "cannot resume \"{}\": {difference}; use --any-program to mix results of different programs, or another --out",
        path.display()
    )]
    ChangedProgram {
        path: PathBuf,
        /// A description of the changed program.
        difference: String,
    },
}

/// Returns a function that wraps a system error.
pub fn failed(action: &'static str, path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| StoreError::Io { action, path: path.to_owned(), error }
}

/// Describes a setting that has changed.
pub fn changed<T: Serialize + PartialEq>(name: &str, old: &T, now: &T) -> Option<String> {
    (old != now).then(|| format!("{name} was {} and is now {}", json(old), json(now)))
}

#[expect(clippy::expect_used, reason = "settings are numbers, words and lists of them")]
pub(crate) fn json(setting: &impl Serialize) -> Value {
    serde_json::to_value(setting).expect("a setting can be written as JSON")
}

/// A part of a file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreFault {
    /// The position in the file.
    pub at: Location,
    pub reason: String,
}

impl fmt::Display for StoreFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Location::Line(line) => write!(f, "line {line}: {}", self.reason),
            Location::Byte(byte) => write!(f, "byte {byte}: {}", self.reason),
        }
    }
}

/// A position in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(u64),
}

/// Takes the lock file next to a file, on behalf of the store at `path`.
///
/// # Errors
///
/// If another run holds the lock, or the lock file cannot be created.
pub fn lock_beside(name: &Path, path: PathBuf) -> Result<Lock, StoreError> {
    match Lock::beside(name) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(StoreError::Busy(path)),
        Err(error) => Err(StoreError::Io { action: "write", path, error }),
    }
}

/// Reads the items of a store one by one. An incomplete last item is left out.
#[derive(Debug)]
pub struct StoreReader<F: StoreFormat> {
    path: PathBuf,
    input: BufReader<File>,
    /// The settings that all items share.
    pub header: F::Header,
    /// Number of items read, damaged ones included.
    items: usize,
    position: u64,
    is_incomplete: bool,
}

impl<F: StoreFormat> StoreReader<F> {
    /// Opens a store and reads its header.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no valid header.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = files::open_regular(path).map_err(failed("read", path))?;
        let mut input = BufReader::with_capacity(1 << 18, file);
        let header = F::decode_header(&mut input).map_err(|reason| match reason {
            Invalid::Io(error) => failed("read", path)(error),
            Invalid::Content(reason) => StoreError::Foreign { path: path.into(), kind: F::kind(), reason },
        })?;
        let position = input.stream_position().map_err(failed("read", path))?;
        Ok(Self { path: path.into(), input, header, items: 0, position, is_incomplete: false })
    }

    /// Returns the end of the intact items that were read, in bytes. After an error, it is no longer valid.
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Returns whether reading stopped at an incomplete last item.
    pub const fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Returns the error for the next item.
    pub fn damaged(&self, reason: String, remedy: &'static str) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), fault: self.fault(reason), remedy }
    }

    /// Returns the fault of the next item.
    pub(crate) fn fault(&self, reason: String) -> StoreFault {
        StoreFault { at: F::location(self.items, self.position), reason }
    }

    /// Checks that a run with these settings may resume this one.
    pub(crate) fn check(&self, now: &F::Header) -> Result<(), StoreError> {
        F::difference(&self.header, now).map_or(Ok(()), |difference| {
            Err(StoreError::OtherRun { path: self.path.clone(), job: F::JOB, difference })
        })
    }
}

impl<F: StoreFormat> Iterator for StoreReader<F> {
    type Item = Result<F::Item, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = match F::decode(&mut self.input) {
            Ok(Decoded::End) => return None,
            Ok(Decoded::Incomplete) => {
                self.is_incomplete = true;
                return None;
            }
            Ok(Decoded::Item(item, length)) => {
                self.position += length as u64;
                Ok(item)
            }
            Err(Invalid::Content(reason)) => Err(self.damaged(reason, F::REMEDY)),
            Err(Invalid::Io(error)) => Err(failed("read", &self.path)(error)),
        };
        self.items += 1;
        Some(read)
    }
}

/// Writes the items of a store: to a new file that replaces the old one when it is complete
/// ([`StoreWriter::create`]), or at the end of a file ([`StoreWriter::append`], [`StoreWriter::resume`]).
#[derive(Debug)]
pub struct StoreWriter<F, W> {
    path: PathBuf,
    out: W,
    position: u64,
    format: PhantomData<fn() -> F>,
}

impl<F: StoreFormat, W: Write> StoreWriter<F, W> {
    /// Writes an item. Returns its offset and its length in bytes.
    pub fn add(&mut self, item: &F::Item) -> Result<(u64, usize), StoreError> {
        let written = F::encode(item).and_then(|bytes| self.out.write_all(&bytes).map(|()| bytes.len()));
        let length = written.map_err(failed("write", &self.path))?;
        let start = self.position;
        self.position += length as u64;
        Ok((start, length))
    }

    /// Writes buffered items to the file.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.out.flush().map_err(failed("write", &self.path))
    }
}

impl<F: StoreFormat> StoreWriter<F, AtomicFile> {
    /// Begins a file that has its name when it is [committed](Self::commit).
    pub fn create(path: &Path, header: &F::Header) -> Result<Self, StoreError> {
        let mut out = AtomicFile::create(path)?;
        let header = F::encode_header(header).map_err(failed("write", path))?;
        out.write_with(|out| out.write_all(&header))?;
        Ok(Self { path: path.into(), out, position: header.len() as u64, format: PhantomData })
    }

    /// Completes the file.
    pub fn commit(self) -> Result<(), StoreError> {
        Ok(self.out.commit()?)
    }
}

impl<F: StoreFormat> StoreWriter<F, File> {
    /// Appends to a complete file. Each item is written at once, so that a kill truncates at most the last one.
    pub(crate) fn append(path: &Path) -> Result<Self, StoreError> {
        let system = failed("write", path);
        let out = File::options().append(true).open(path).map_err(&system)?;
        let position = out.metadata().map_err(&system)?.len();
        Ok(Self { path: path.into(), out, position, format: PhantomData })
    }

    /// Syncs the file to disk.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        file::sync(&self.out, &self.path).map_err(failed("write", &self.path))
    }
}

impl<F: StoreFormat> StoreWriter<F, BufWriter<File>> {
    /// Resumes a file, or creates it. Calls `on_item` with each item, and drops an incomplete last one. Returns
    /// the number of dropped bytes. The file is not rewritten.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, belongs to a run with other settings, or is damaged.
    pub fn resume(
        path: &Path,
        header: &F::Header,
        on_item: &mut dyn FnMut(&F::Item),
    ) -> Result<(Self, u64), StoreError> {
        let system = failed("write", path);
        let mut options = File::options();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(&system)?;
        let length = file.metadata().map_err(&system)?.len();
        let first = F::encode_header(header).map_err(&system)?;
        let mut begun = Vec::new();
        (&mut file).take(first.len() as u64).read_to_end(&mut begun).map_err(&system)?;
        let mut position = first.len() as u64;
        match first.strip_prefix(begun.as_slice()) {
            // A killed run may have left an incomplete header.
            Some(rest) if !rest.is_empty() => file.write_all(rest).map_err(&system)?,
            _ => {
                let mut reader = StoreReader::<F>::open(path)?;
                reader.check(header)?;
                for item in &mut reader {
                    on_item(&item?);
                }
                position = reader.position();
                file.set_len(position).map_err(&system)?;
                file.seek(SeekFrom::End(0)).map_err(&system)?;
            }
        }
        let dropped = length.saturating_sub(position);
        Ok((Self { path: path.into(), out: BufWriter::new(file), position, format: PhantomData }, dropped))
    }

    /// Writes buffered items to the file, and syncs it to disk.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.flush()?;
        file::sync(self.out.get_ref(), &self.path).map_err(failed("write", &self.path))
    }
}
