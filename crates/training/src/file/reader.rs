//! Reads the games of a file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{FileError, GAME_HEAD, HEAD, Head, Played, checksum};
use crate::sample::Sample;
use common::file;

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
        let file = file::open_regular(path).map_err(|error| FileError::System(path.to_owned(), error))?;
        Self::over(path, file)
    }

    pub(super) fn over(path: &Path, file: File) -> Result<Self, FileError> {
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

    /// How many bytes have been read.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.at
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
            let rest = [&head[..], &bytes].concat();
            // A length that is damaged would make all that follows look like a game that is cut short, to be dropped.
            return Err(
                if (1..=bytes.len() / Sample::BYTES).any(|skip| game_at(&rest, skip * Sample::BYTES)) {
                    damaged("the number of samples of a game is wrong")
                } else {
                    FileError::Cut(self.path.clone(), self.at)
                },
            );
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

/// Whether a whole game begins there.
fn game_at(bytes: &[u8], at: usize) -> bool {
    let Some((head, rest)) = bytes.get(at..).and_then(|bytes| bytes.split_first_chunk::<GAME_HEAD>()) else {
        return false;
    };
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let size = u16::try_from(word(8)).map(|count| usize::from(count) * Sample::BYTES);
    size.is_ok_and(|size| rest.get(..size).is_some_and(|samples| checksum(head, samples) == word(12)))
}
