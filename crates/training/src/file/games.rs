//! The games of a file as bytes.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{HEAD, SampleHeader};
use crate::sample::TrainingSample;
use kelso_batch::error::{RunError, Salvage, cannot_write, failed};
use kelso_batch::file;
use kelso_batch::lock::Lock;
use kelso_runtime::files;

const GAME_HEAD_BYTES: usize = 16;
/// The error of a game with more samples than its head can state.
const TOO_MANY: &str = "a game with more than 65,535 samples";

/// The samples of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSamples {
    pub number: u64,
    /// Samples in the order of play.
    pub samples: Vec<TrainingSample>,
}

impl GameSamples {
    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let count = u16::try_from(self.samples.len()).map_err(|_| io::Error::other(TOO_MANY))?;
        let mut bytes = Vec::with_capacity(GAME_HEAD_BYTES + self.samples.len() * TrainingSample::BYTES);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(u32::from(count).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.samples.iter().flat_map(|sample| sample.to_bytes()));
        let check = checksum(&bytes[..GAME_HEAD_BYTES], &bytes[GAME_HEAD_BYTES..]);
        bytes[12..GAME_HEAD_BYTES].copy_from_slice(&check.to_le_bytes());
        Ok(bytes)
    }
}

/// Reads the games of a file one by one. An incomplete last game is left out.
#[derive(Debug)]
pub struct SampleReader {
    path: PathBuf,
    input: BufReader<File>,
    pub header: SampleHeader,
    /// The end of the intact games that were read, in bytes.
    pub position: u64,
    is_incomplete: bool,
}

impl SampleReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no valid header.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let file = files::open_regular(path).map_err(failed("read", path))?;
        let mut input = BufReader::with_capacity(1 << 18, file);
        let bytes = up_to(&mut input, HEAD).map_err(failed("read", path))?;
        let bytes = bytes.as_slice().try_into().map_err(|_| "it is shorter than the header");
        let header = bytes.and_then(SampleHeader::from_bytes).map_err(|reason| RunError::Foreign {
            path: path.to_owned(),
            kind: "a position file".to_owned(),
            reason: reason.to_owned(),
        })?;
        Ok(Self { path: path.to_owned(), input, header, position: HEAD as u64, is_incomplete: false })
    }

    /// Returns the error for the incomplete last game that was reached, if the file has one.
    pub(crate) fn incomplete(&self) -> Option<RunError> {
        let salvage = Salvage::Manual("resume its run to play it again; the games before it are kept");
        self.is_incomplete.then(|| self.damaged("incomplete game", salvage))
    }

    /// Returns the error for the next game.
    fn damaged(&self, reason: &str, salvage: Salvage) -> RunError {
        let fault = format!("byte {}: {reason}", self.position);
        RunError::Damaged { path: self.path.clone(), fault, salvage }
    }

    fn read(&mut self) -> Result<Option<GameSamples>, RunError> {
        const SALVAGE: Salvage = Salvage::Manual("remove the file and play its games again");
        let head = up_to(&mut self.input, GAME_HEAD_BYTES).map_err(failed("read", &self.path))?;
        if head.is_empty() {
            return Ok(None);
        }
        let Ok(head) = <[u8; GAME_HEAD_BYTES]>::try_from(head) else {
            self.is_incomplete = true;
            return Ok(None);
        };
        let size = size(&head).ok_or_else(|| self.damaged(TOO_MANY, SALVAGE))?;
        let bytes = up_to(&mut self.input, size).map_err(failed("read", &self.path))?;
        if bytes.len() < size {
            let rest = [&head[..], &bytes].concat();
            // A damaged length would make the rest of the file look like an incomplete game, which would be
            // dropped.
            let mut starts =
                (1..=bytes.len() / TrainingSample::BYTES).map(|skip| skip * TrainingSample::BYTES);
            if starts.any(|at| game_at(&rest, at)) {
                return Err(self.damaged("wrong number of samples in a game", SALVAGE));
            }
            self.is_incomplete = true;
            return Ok(None);
        }
        if !is_intact(&head, &bytes) {
            return Err(self.damaged("wrong checksum of a game", SALVAGE));
        }
        let (samples, _) = bytes.as_chunks::<{ TrainingSample::BYTES }>();
        let samples: Option<Vec<TrainingSample>> = samples.iter().map(TrainingSample::from_bytes).collect();
        let samples = samples.ok_or_else(|| self.damaged("a sample is not a position", SALVAGE))?;
        let number = u64::from_le_bytes(std::array::from_fn(|i| head[i]));
        self.position += (GAME_HEAD_BYTES + size) as u64;
        Ok(Some(GameSamples { number, samples }))
    }
}

impl Iterator for SampleReader {
    type Item = Result<GameSamples, RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Reads this number of bytes, or fewer at the end of the input.
fn up_to(input: &mut impl Read, size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size);
    input.take(size as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the size of a game's samples in bytes, or `None` if the header states too many samples.
fn size(head: &[u8; GAME_HEAD_BYTES]) -> Option<usize> {
    let count = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
    Some(usize::from(u16::try_from(count).ok()?) * TrainingSample::BYTES)
}

fn is_intact(head: &[u8; GAME_HEAD_BYTES], samples: &[u8]) -> bool {
    checksum(head, samples).to_le_bytes() == head[12..]
}

/// Returns whether a whole game begins at a byte.
fn game_at(bytes: &[u8], at: usize) -> bool {
    let split = bytes.get(at..).and_then(|bytes| bytes.split_first_chunk::<GAME_HEAD_BYTES>());
    split.is_some_and(|(head, rest)| {
        size(head).and_then(|size| rest.get(..size)).is_some_and(|samples| is_intact(head, samples))
    })
}

fn checksum(head: &[u8], samples: &[u8]) -> u32 {
    let mut check = crc32fast::Hasher::new();
    check.update(&head[..12]);
    check.update(samples);
    check.finalize()
}

/// The games already in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StoredGames {
    pub games: u64,
    /// Number of samples in these games.
    pub samples: u64,
    pub last: Option<u64>,
    /// Bytes of an incomplete last game that were dropped.
    pub dropped: u64,
}

impl StoredGames {
    pub(crate) const fn add(&mut self, game: &GameSamples) {
        self.games += 1;
        self.samples += game.samples.len() as u64;
        self.last = Some(game.number);
    }
}

/// A file to which a run adds games.
#[derive(Debug)]
pub(crate) struct SampleRun {
    path: PathBuf,
    out: BufWriter<File>,
    /// The number of games in the file.
    pub stored: StoredGames,
    _lock: Lock,
}

impl SampleRun {
    /// Resumes a file, or creates it. An incomplete last game is dropped. The file is not rewritten.
    pub fn resume(path: &Path, header: &SampleHeader) -> Result<Self, RunError> {
        let lock = Lock::of_run(path, path)?;
        let system = cannot_write(path);
        let mut options = File::options();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(&system)?;
        let length = file.metadata().map_err(&system)?.len();
        let head = header.to_bytes();
        let begun = up_to(&mut file, HEAD).map_err(&system)?;
        let mut stored = StoredGames::default();
        match head.strip_prefix(begun.as_slice()) {
            // A killed run may have left an incomplete header.
            Some(rest) if !rest.is_empty() => file.write_all(rest).map_err(&system)?,
            _ => {
                let mut reader = SampleReader::open(path)?;
                if let Some(difference) = reader.header.difference(header) {
                    return Err(RunError::OtherRun { path: path.to_owned(), job: "run", difference });
                }
                for game in &mut reader {
                    stored.add(&game?);
                }
                stored.dropped = length.saturating_sub(reader.position);
                file.set_len(reader.position).map_err(&system)?;
                file.seek(SeekFrom::End(0)).map_err(&system)?;
            }
        }
        Ok(Self { path: path.to_owned(), out: BufWriter::new(file), stored, _lock: lock })
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameSamples) -> Result<(), RunError> {
        let written = game.to_bytes().and_then(|bytes| self.out.write_all(&bytes));
        written.map_err(cannot_write(&self.path))?;
        self.stored.add(game);
        Ok(())
    }

    /// Writes buffered games to the file.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.out.flush().map_err(cannot_write(&self.path))
    }

    /// Writes buffered games to the file, and syncs it to disk.
    pub fn sync(&mut self) -> Result<(), RunError> {
        self.flush()?;
        file::sync(self.out.get_ref(), &self.path).map_err(cannot_write(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::{head, random_game, read};
    use kelso_batch::shard::Shard;
    use kelso_batch::testing::Folder;

    /// Writes a file, and returns its games and their offsets.
    fn written(path: &Path) -> (Vec<GameSamples>, Vec<usize>) {
        let mut games: Vec<GameSamples> = (0..6).map(|number| random_game(number, 40)).collect();
        games[3].samples.clear();
        let mut file = SampleRun::resume(path, &head()).unwrap();
        assert_eq!(file.stored, StoredGames::default());
        let (mut starts, mut at) = (Vec::new(), HEAD);
        for game in &games {
            file.add(game).unwrap();
            starts.push(at);
            at += GAME_HEAD_BYTES + game.samples.len() * 16;
        }
        file.flush().unwrap();
        assert_eq!(fs::metadata(path).unwrap().len(), at as u64);
        (games, starts)
    }

    #[test]
    fn games_round_trip() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        let (mut games, _) = written(&path);
        assert_eq!(read(&path).unwrap(), games);
        let mut file = SampleRun::resume(&path, &head()).unwrap();
        let held = file.stored;
        let samples = games.iter().map(|game| game.samples.len() as u64).sum();
        assert_eq!(held, StoredGames { games: 6, samples, last: Some(5), ..StoredGames::default() });
        games.push(random_game(9, 30));
        file.add(&games[6]).unwrap();
        file.flush().unwrap();
        assert_eq!(read(&path).unwrap(), games);
    }

    #[test]
    fn only_an_incomplete_last_game_is_dropped() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        let (games, starts) = written(&path);
        let whole = fs::read(&path).unwrap();
        for length in starts[5] + 1..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read(&path).unwrap(), games[..5]);
            let mut file = SampleRun::resume(&path, &head()).unwrap();
            let held = file.stored;
            assert_eq!((held.games, held.dropped), (5, (length - starts[5]) as u64));
            file.add(&games[5]).unwrap();
            file.flush().unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        // Even the header may be incomplete.
        for length in 0..HEAD {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(SampleRun::resume(&path, &head()).unwrap().stored, StoredGames::default());
            assert_eq!(fs::read(&path).unwrap(), whole[..HEAD]);
        }
    }

    #[test]
    fn damage_is_an_error_and_nothing_is_lost() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        let (_, starts) = written(&path);
        let whole = fs::read(&path).unwrap();
        // Damage each byte of a game, including its length.
        for at in starts[1]..starts[2] {
            for change in [1, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                fs::write(&path, &bytes).unwrap();
                let error = SampleRun::resume(&path, &head()).unwrap_err();
                let start = format!("byte {}: ", starts[1]);
                assert!(
                    matches!(&error, RunError::Damaged { fault, .. } if fault.starts_with(&start)),
                    "{error}"
                );
                assert!(matches!(read(&path), Err(RunError::Damaged { .. })));
                assert_eq!(fs::read(&path).unwrap(), bytes);
            }
        }
    }

    #[test]
    fn other_files_are_refused_and_unchanged() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        written(&path);
        let whole = fs::read(&path).unwrap();
        let change = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            bytes
        };
        for (bytes, part) in [
            (b"hello".to_vec(), "shorter"),
            (b"hello".repeat(100), "KELSOPOS"),
            (change(9), "version"),
            (change(12), "checksum"),
            (change(50), "checksum"),
            (change(70), "checksum"),
        ] {
            fs::write(&path, &bytes).unwrap();
            for error in
                [SampleRun::resume(&path, &head()).unwrap_err(), SampleReader::open(&path).unwrap_err()]
            {
                assert!(
                    matches!(&error, RunError::Foreign { reason, .. } if reason.contains(part)),
                    "{error}"
                );
            }
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::write(&path, &whole).unwrap();
        for (other, part) in [
            (SampleHeader { seed: 6, ..head() }, "another run: seed was \"5\" and is now \"6\""),
            (SampleHeader { nodes: 6, ..head() }, "nodes was \"200\" and is now \"6\""),
            (
                SampleHeader { shard: Some(Shard { index: 2, count: 2 }), ..head() },
                "shard was \"1/2\" and is now \"2/2\"",
            ),
            (
                SampleHeader { evaluation: String::new(), ..head() },
                "evaluation was \"network small\" and is now \"\"",
            ),
            (SampleHeader { weights: Some(9), ..head() }, "weights was \"00001a2b\" and is now \"00000009\""),
            (SampleHeader { weights: None, ..head() }, "weights was \"00001a2b\" and is now \"none\""),
            (SampleHeader { branches: Some(2), ..head() }, "branches was \"515\" and is now \"2\""),
            (SampleHeader { stop_at: Some(9), ..head() }, "stop at was \"none\" and is now \"9 pieces\""),
            (
                SampleHeader { databases: Some(0), ..head() },
                "endgame databases was \"up to 6 pieces\" and is now \"none\"",
            ),
        ] {
            let error = SampleRun::resume(&path, &other).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn two_runs_never_write_one_file() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        written(&path);
        let first = SampleRun::resume(&path, &head()).unwrap();
        let whole = fs::read(&path).unwrap();
        let error = SampleRun::resume(&path, &head()).unwrap_err();
        assert!(matches!(error, RunError::Busy(busy) if busy == path));
        assert_eq!(fs::read(&path).unwrap(), whole);
        drop(first);
        assert!(SampleRun::resume(&path, &head()).is_ok());
    }
}
