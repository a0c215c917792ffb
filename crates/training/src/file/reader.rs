//! Reads the games in a file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{GAME_HEAD, GameSamples, HEAD, SampleHeader, checksum, damaged, foreign};
use crate::sample::TrainingSample;
use runs::checkpoint::{CheckpointError, Damage, Location, failed};
use runs::file;

/// Reads the games of a file one by one.
#[derive(Debug)]
pub struct SampleReader {
    path: PathBuf,
    file: BufReader<File>,
    head: SampleHeader,
    /// The offset of the next game.
    at: u64,
    /// Whether the last game is incomplete.
    cut: bool,
}

impl SampleReader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        let file = file::open_regular(path).map_err(failed("read", path))?;
        Self::over(path, file)
    }

    pub(super) fn over(path: &Path, file: File) -> Result<Self, CheckpointError> {
        let mut file = BufReader::with_capacity(1 << 18, file);
        let mut bytes = [0; HEAD];
        file.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => foreign(path, "it is shorter than the header"),
            _ => failed("read", path)(error),
        })?;
        let head = SampleHeader::from_bytes(&bytes).map_err(|reason| foreign(path, reason))?;
        Ok(Self { path: path.to_owned(), file, head, at: HEAD as u64, cut: false })
    }

    /// Returns the settings that all games share.
    pub const fn head(&self) -> &SampleHeader {
        &self.head
    }

    /// Returns the number of bytes read so far.
    pub const fn position(&self) -> u64 {
        self.at
    }

    /// Returns the error for an incomplete last game, if the file has one.
    pub fn incomplete(&self) -> Option<CheckpointError> {
        self.cut.then(|| CheckpointError::Damaged {
            path: self.path.clone(),
            damage: Damage { at: Location::Byte(self.at), reason: "incomplete game".to_owned() },
            remedy: "repeat `kelso train play` to play it again; the games before it are kept",
        })
    }

    /// Reads the next game, or returns `None` at the end. An incomplete last game, such as one left by a
    /// killed process, is ignored.
    pub fn next_game(&mut self) -> Result<Option<GameSamples>, CheckpointError> {
        let (path, at) = (self.path.as_path(), self.at);
        let system = failed("read", path);
        let mut head = Vec::with_capacity(GAME_HEAD);
        (&mut self.file).take(GAME_HEAD as u64).read_to_end(&mut head).map_err(&system)?;
        if head.is_empty() {
            return Ok(None);
        }
        let Ok(head) = <[u8; GAME_HEAD]>::try_from(head) else {
            self.cut = true;
            return Ok(None);
        };
        let size = size(&head).ok_or_else(|| damaged(path, at, "a game with more than 65,535 samples"))?;
        let mut bytes = Vec::with_capacity(size);
        (&mut self.file).take(size as u64).read_to_end(&mut bytes).map_err(system)?;
        if bytes.len() < size {
            let rest = [&head[..], &bytes].concat();
            // A damaged length would make the rest of the file look like an incomplete game, which would be
            // dropped.
            if (1..=bytes.len() / TrainingSample::BYTES)
                .any(|skip| game_at(&rest, skip * TrainingSample::BYTES))
            {
                return Err(damaged(path, at, "wrong number of samples in a game"));
            }
            self.cut = true;
            return Ok(None);
        }
        if !is_intact(&head, &bytes) {
            return Err(damaged(path, at, "wrong checksum of a game"));
        }
        let (samples, _) = bytes.as_chunks::<{ TrainingSample::BYTES }>();
        let samples: Option<Vec<TrainingSample>> = samples.iter().map(TrainingSample::from_bytes).collect();
        let samples = samples.ok_or_else(|| damaged(path, at, "a sample is not a position"))?;
        self.at += (GAME_HEAD + size) as u64;
        let number = u64::from_le_bytes(std::array::from_fn(|i| head[i]));
        Ok(Some(GameSamples { number, samples }))
    }
}

/// Returns the size of a game's samples in bytes, or `None` if the header states too many samples.
fn size(head: &[u8; GAME_HEAD]) -> Option<usize> {
    let count = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
    Some(usize::from(u16::try_from(count).ok()?) * TrainingSample::BYTES)
}

fn is_intact(head: &[u8; GAME_HEAD], samples: &[u8]) -> bool {
    checksum(head, samples).to_le_bytes() == head[12..]
}

/// Returns whether a whole game begins at a byte.
fn game_at(bytes: &[u8], at: usize) -> bool {
    let split = bytes.get(at..).and_then(|bytes| bytes.split_first_chunk::<GAME_HEAD>());
    split.is_some_and(|(head, rest)| {
        size(head).and_then(|size| rest.get(..size)).is_some_and(|samples| is_intact(head, samples))
    })
}
