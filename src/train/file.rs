//! Files of samples, game by game.
//!
//! A file is a head of 64 bytes and then games, each with a head of 16. All numbers have their lowest byte first.
//!
//! | bytes | head of the file |
//! |---|---|
//! | 0-7 | `KELSOPOS` |
//! | 8-11 | version, 1 |
//! | 12-15 | CRC-32 of bytes 16-63 |
//! | 16-23 | seed |
//! | 24-31 | nodes searched for each move; 0 in a file that was put together from others |
//! | 32-35, 36-39 | which shard of how many, from 1; 0 and 0 in a file that was put together |
//! | 40-63 | name of the evaluation that played, then zeros |
//!
//! | bytes | head of a game |
//! |---|---|
//! | 0-7 | number of the game |
//! | 8-11 | number of samples, at most 65,535 |
//! | 12-15 | CRC-32 of the samples after bytes 0-11 |
//!
//! A sample is 16 bytes ([`Sample::to_bytes`]). Games are only ever appended; one that was cut short by a crash is
//! dropped when the file is opened again to go on.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::sample::Sample;

const MAGIC: &[u8; 8] = b"KELSOPOS";
const VERSION: u32 = 1;
const HEAD: usize = 64;
const GAME_HEAD: usize = 16;
const NAME: usize = 24;

/// What the games of a file have in common.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// What chance was made of.
    pub seed: u64,
    /// Nodes searched for each move; 0 if that differs.
    pub nodes: u64,
    /// Which shard of how many, from 1; zeros if that differs.
    pub shard: (u32, u32),
    /// The evaluation that played.
    pub evaluation: String,
}

/// The samples of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Its number.
    pub number: u64,
    /// Its samples in the order of play.
    pub samples: Vec<Sample>,
}

/// Why a file of samples can't be used.
#[derive(Debug)]
pub enum FileError {
    /// The system refuses.
    System(PathBuf, io::Error),
    /// It is no file of samples.
    Foreign(PathBuf, &'static str),
    /// It holds the games of another run.
    Differs(PathBuf, String),
    /// Its last game, which begins at a byte, is not there whole.
    Cut(PathBuf, u64),
    /// Something in it is damaged, at a byte.
    Damaged(PathBuf, u64, &'static str),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(path, error) => write!(f, "cannot use {}: {error}", path.display()),
            Self::Foreign(path, why) => {
                write!(f, "{} is no file of positions: {why}", path.display())
            }
            Self::Differs(path, what) => {
                write!(
                    f,
                    "{} belongs to another run: {what}; choose another folder or the same settings",
                    path.display()
                )
            }
            Self::Cut(path, byte) => {
                write!(f, "the last game of {}, at byte {byte}, is cut short", path.display())
            }
            Self::Damaged(path, byte, what) => {
                write!(f, "{} is damaged at byte {byte}: {what}", path.display())
            }
        }
    }
}

impl std::error::Error for FileError {}

impl Head {
    fn to_bytes(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.shard.0.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.shard.1.to_le_bytes());
        for (byte, letter) in bytes[40..].iter_mut().zip(self.evaluation.bytes().take(NAME)) {
            *byte = letter;
        }
        let check = crc32fast::hash(&bytes[16..]);
        bytes[12..16].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEAD]) -> Result<Self, &'static str> {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if &bytes[..8] != MAGIC {
            return Err("it does not begin with KELSOPOS");
        }
        if word(8) != VERSION {
            return Err("its version is another than 1");
        }
        if word(12) != crc32fast::hash(&bytes[16..]) {
            return Err("the checksum of its head is wrong");
        }
        let name: Vec<u8> = bytes[40..].iter().copied().take_while(|&byte| byte != 0).collect();
        Ok(Self {
            seed: long(16),
            nodes: long(24),
            shard: (word(32), word(36)),
            evaluation: String::from_utf8(name).map_err(|_| "the evaluation's name is no text")?,
        })
    }

    /// The first thing in which another head differs.
    fn difference(&self, other: &Self) -> Option<String> {
        let differ = |what: &str, there: &dyn fmt::Display, here: &dyn fmt::Display| {
            let (there, here) = (there.to_string(), here.to_string());
            (there != here).then(|| format!("{what} {there} there and {here} here"))
        };
        let shard = |head: &Self| format!("{}/{}", head.shard.0, head.shard.1);
        differ("seed", &other.seed, &self.seed)
            .or_else(|| differ("nodes", &other.nodes, &self.nodes))
            .or_else(|| differ("shard", &shard(other), &shard(self)))
            .or_else(|| differ("evaluation", &other.evaluation, &self.evaluation))
    }
}

/// Reads the games of a file one by one.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    head: Head,
    /// Where the next game begins.
    at: u64,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// When it can't be read or is no file of samples.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(|error| FileError::System(path.to_owned(), error))?;
        Self::over(path, file)
    }

    fn over(path: &Path, file: File) -> Result<Self, FileError> {
        let mut file = BufReader::with_capacity(1 << 18, file);
        let mut bytes = [0; HEAD];
        file.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                FileError::Foreign(path.to_owned(), "it is shorter than its head")
            }
            _ => FileError::System(path.to_owned(), error),
        })?;
        let head = Head::from_bytes(&bytes).map_err(|why| FileError::Foreign(path.to_owned(), why))?;
        Ok(Self { path: path.to_owned(), file, head, at: HEAD as u64 })
    }

    /// What its games have in common.
    #[must_use]
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// The next game; none at the end.
    ///
    /// # Errors
    ///
    /// When the file can't be read any further, or what follows is damaged or cut short.
    pub fn next_game(&mut self) -> Result<Option<Played>, FileError> {
        let damaged = |what| FileError::Damaged(self.path.clone(), self.at, what);
        let system = |error| FileError::System(self.path.clone(), error);
        let mut head = Vec::with_capacity(GAME_HEAD);
        (&mut self.file).take(GAME_HEAD as u64).read_to_end(&mut head).map_err(system)?;
        if head.is_empty() {
            return Ok(None);
        }
        let Ok(head) = <[u8; GAME_HEAD]>::try_from(head) else {
            return Err(FileError::Cut(self.path.clone(), self.at));
        };
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| head[at + i]));
        let number = u64::from_le_bytes(std::array::from_fn(|i| head[i]));
        let count = word(8);
        let count = u16::try_from(count).map_err(|_| damaged("a game with more than 65,535 samples"))?;
        let size = usize::from(count) * Sample::BYTES;
        let mut bytes = Vec::with_capacity(size);
        (&mut self.file).take(size as u64).read_to_end(&mut bytes).map_err(system)?;
        if bytes.len() < size {
            return Err(FileError::Cut(self.path.clone(), self.at));
        }
        if checksum(&head, &bytes) != word(12) {
            return Err(damaged("the checksum of a game is wrong"));
        }
        let (samples, _) = bytes.as_chunks::<{ Sample::BYTES }>();
        let samples: Option<Vec<Sample>> = samples.iter().map(Sample::from_bytes).collect();
        let samples = samples.ok_or_else(|| damaged("a sample that is no position"))?;
        self.at += (GAME_HEAD + size) as u64;
        Ok(Some(Played { number, samples }))
    }
}

fn checksum(head: &[u8; GAME_HEAD], samples: &[u8]) -> u32 {
    let mut check = crc32fast::Hasher::new();
    check.update(&head[..12]);
    check.update(samples);
    check.finalize()
}

/// Appends games to a file.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
}

/// What an opened file held already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Games.
    pub games: u64,
    /// Samples of these.
    pub samples: u64,
    /// The number of the last game.
    pub last: Option<u64>,
    /// Bytes at the end that were no whole game and have been dropped.
    pub dropped: u64,
}

impl Writer {
    /// A new file; an old one of that name is replaced.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn create(path: &Path, head: &Head) -> Result<Self, FileError> {
        let system = |error| FileError::System(path.to_owned(), error);
        let mut file = File::create(path).map_err(system)?;
        file.write_all(&head.to_bytes()).map_err(system)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file) })
    }

    /// Opens a file to go on with it, or makes it if there is none. A game that was cut short is dropped.
    ///
    /// # Errors
    ///
    /// When it can't be used, or belongs to a run with another head.
    pub fn resume(path: &Path, head: &Head) -> Result<(Self, Held), FileError> {
        let system = |error| FileError::System(path.to_owned(), error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(system)?;
        let length = file.metadata().map_err(system)?.len();
        if length < HEAD as u64 {
            // Nothing but a head that never got whole.
            file.set_len(0).map_err(system)?;
            file.write_all(&head.to_bytes()).map_err(system)?;
            return Ok((Self { path: path.to_owned(), file: BufWriter::new(file) }, Held::default()));
        }
        let mut reader = Reader::over(path, file.try_clone().map_err(system)?)?;
        if let Some(what) = head.difference(reader.head()) {
            return Err(FileError::Differs(path.to_owned(), what));
        }
        let mut before = Held::default();
        loop {
            match reader.next_game() {
                Ok(Some(game)) => {
                    before.games += 1;
                    before.samples += game.samples.len() as u64;
                    before.last = Some(game.number);
                }
                Ok(None) | Err(FileError::Cut(..)) => break,
                Err(error) => return Err(error),
            }
        }
        before.dropped = length.saturating_sub(reader.at);
        file.set_len(reader.at).map_err(system)?;
        file.seek(SeekFrom::End(0)).map_err(system)?;
        Ok((Self { path: path.to_owned(), file: BufWriter::new(file) }, before))
    }

    /// Appends a game.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn append(&mut self, game: &Played) -> Result<(), FileError> {
        let count = game.samples.len().min(usize::from(u16::MAX));
        let samples: Vec<u8> = game.samples.iter().take(count).flat_map(|sample| sample.to_bytes()).collect();
        let mut head = [0; GAME_HEAD];
        head[..8].copy_from_slice(&game.number.to_le_bytes());
        head[8..12].copy_from_slice(&u32::try_from(count).unwrap_or(0).to_le_bytes());
        let check = checksum(&head, &samples);
        head[12..].copy_from_slice(&check.to_le_bytes());
        let written = self.file.write_all(&head).and_then(|()| self.file.write_all(&samples));
        written.map_err(|error| FileError::System(self.path.clone(), error))
    }

    /// Gives what was appended to the system.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    pub fn flush(&mut self) -> Result<(), FileError> {
        self.file.flush().map_err(|error| FileError::System(self.path.clone(), error))
    }
}
