//! Writes games to a file.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{GAME_HEAD, GameSamples, HEAD, SampleHeader, SampleReader, checksum, foreign};
use runs::checkpoint::{CheckpointError, failed, lock_beside};
use runs::file::AtomicFile;
use runs::lock::Lock;

/// Appends games to a file.
#[derive(Debug)]
pub struct SampleWriter {
    path: PathBuf,
    file: Destination,
    /// Prevents other runs from writing to a resumed file.
    _lock: Option<Lock>,
}

#[derive(Debug)]
enum Destination {
    New(AtomicFile),
    Resumed(BufWriter<File>),
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

impl SampleWriter {
    /// Creates a file. It appears, replacing an existing one, when it is [finished](Self::finish).
    pub fn create(path: &Path, head: &SampleHeader) -> Result<Self, CheckpointError> {
        let mut file = AtomicFile::create(path)?;
        file.write_with(|out| out.write_all(&head.to_bytes()))?;
        Ok(Self { path: path.to_owned(), file: Destination::New(file), _lock: None })
    }

    /// Resumes a file, or creates it. An incomplete last game is dropped.
    pub fn resume(path: &Path, head: &SampleHeader) -> Result<(Self, StoredGames), CheckpointError> {
        let lock = lock_beside(path, path.to_owned())?;
        let system = failed("write", path);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(&system)?;
        let length = file.metadata().map_err(&system)?.len();
        let (mut begun, mut stored) = (Vec::new(), StoredGames::default());
        (&mut file).take(HEAD as u64).read_to_end(&mut begun).map_err(&system)?;
        if begun.len() < HEAD {
            // An incomplete header is accepted, but not another kind of file.
            let head = head.to_bytes();
            let rest = head.strip_prefix(begun.as_slice());
            let rest = rest.ok_or_else(|| foreign(path, "it is shorter than the header"))?;
            file.write_all(rest).map_err(&system)?;
        } else {
            file.seek(SeekFrom::Start(0)).map_err(&system)?;
            let mut reader = SampleReader::over(path, file.try_clone().map_err(&system)?)?;
            if let Some(difference) = reader.head().difference(head) {
                let path = path.to_owned();
                return Err(CheckpointError::Mismatch { path, job: "run", difference });
            }
            while let Some(game) = reader.next_game()? {
                stored.add(&game);
            }
            stored.dropped = length.saturating_sub(reader.position());
            file.set_len(reader.position()).map_err(&system)?;
            file.seek(SeekFrom::End(0)).map_err(&system)?;
        }
        let file = Destination::Resumed(BufWriter::new(file));
        Ok((Self { path: path.to_owned(), file, _lock: Some(lock) }, stored))
    }

    pub fn append(&mut self, game: &GameSamples) -> Result<(), CheckpointError> {
        let count = u16::try_from(game.samples.len()).unwrap_or(u16::MAX);
        let samples: Vec<u8> =
            game.samples.iter().take(count.into()).flat_map(|sample| sample.to_bytes()).collect();
        let mut head = [0; GAME_HEAD];
        head[..8].copy_from_slice(&game.number.to_le_bytes());
        head[8..12].copy_from_slice(&u32::from(count).to_le_bytes());
        let check = checksum(&head, &samples);
        head[12..].copy_from_slice(&check.to_le_bytes());
        let out = self.out();
        let written = out.write_all(&head).and_then(|()| out.write_all(&samples));
        written.map_err(failed("write", &self.path))
    }

    /// Writes buffered games to the file.
    pub fn flush(&mut self) -> Result<(), CheckpointError> {
        self.out().flush().map_err(failed("write", &self.path))
    }

    fn out(&mut self) -> &mut dyn Write {
        match &mut self.file {
            Destination::New(file) => file,
            Destination::Resumed(file) => file,
        }
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), CheckpointError> {
        self.flush()?;
        match self.file {
            Destination::New(file) => Ok(file.commit()?),
            Destination::Resumed(file) => file.get_ref().sync_all().map_err(failed("write", &self.path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::{head, random_game, read};
    use runs::checkpoint::Location;
    use runs::shard::Shard;
    use runs::testing::Folder;

    /// Writes a file, and returns its games and their offsets.
    fn written(path: &Path) -> (Vec<GameSamples>, Vec<usize>) {
        let mut games: Vec<GameSamples> = (0..6).map(|number| random_game(number, 40)).collect();
        games[3].samples.clear();
        let (mut file, held) = SampleWriter::resume(path, &head()).unwrap();
        assert_eq!(held, StoredGames::default());
        let (mut starts, mut at) = (Vec::new(), HEAD);
        for game in &games {
            file.append(game).unwrap();
            starts.push(at);
            at += GAME_HEAD + game.samples.len() * 16;
        }
        file.flush().unwrap();
        assert_eq!(fs::metadata(path).unwrap().len(), at as u64);
        (games, starts)
    }

    #[test]
    fn games_come_back() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        let (mut games, _) = written(&path);
        assert_eq!(read(&path).unwrap(), games);
        let (mut file, held) = SampleWriter::resume(&path, &head()).unwrap();
        let samples = games.iter().map(|game| game.samples.len() as u64).sum();
        assert_eq!(held, StoredGames { games: 6, samples, last: Some(5), ..StoredGames::default() });
        games.push(random_game(9, 30));
        file.append(&games[6]).unwrap();
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
            let (mut file, held) = SampleWriter::resume(&path, &head()).unwrap();
            assert_eq!((held.games, held.dropped), (5, (length - starts[5]) as u64));
            file.append(&games[5]).unwrap();
            file.flush().unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        // Even the header may be incomplete.
        for length in 0..HEAD {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(SampleWriter::resume(&path, &head()).unwrap().1, StoredGames::default());
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
                let error = SampleWriter::resume(&path, &head()).unwrap_err();
                let start = Location::Byte(starts[1] as u64);
                assert!(
                    matches!(&error, CheckpointError::Damaged { damage, .. } if damage.at == start),
                    "{error}"
                );
                assert!(matches!(read(&path), Err(CheckpointError::Damaged { .. })));
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
                [SampleWriter::resume(&path, &head()).unwrap_err(), SampleReader::open(&path).unwrap_err()]
            {
                assert!(
                    matches!(&error, CheckpointError::Foreign { reason, .. } if reason.contains(part)),
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
            (
                SampleHeader { databases: Some(0), ..head() },
                "endgame databases was \"up to 6 pieces\" and is now \"none\"",
            ),
        ] {
            let error = SampleWriter::resume(&path, &other).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn a_new_file_has_its_name_when_it_is_finished() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        let mut file = SampleWriter::create(&path, &head()).unwrap();
        file.append(&random_game(1, 20)).unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(read(&path).unwrap(), [random_game(1, 20)]);
        assert_eq!(SampleReader::open(&path).unwrap().head(), &head());
        drop(SampleWriter::create(&path, &SampleHeader::default()).unwrap());
        assert_eq!(folder.names(), ["a.pos"]);
        assert_eq!(read(&path).unwrap().len(), 1);
    }

    #[test]
    fn two_runs_never_write_one_file() {
        let folder = Folder::new();
        let path = folder.path("a.pos");
        written(&path);
        let first = SampleWriter::resume(&path, &head()).unwrap();
        let whole = fs::read(&path).unwrap();
        let error = SampleWriter::resume(&path, &head()).unwrap_err();
        assert!(matches!(error, CheckpointError::Busy(busy) if busy == path));
        assert_eq!(fs::read(&path).unwrap(), whole);
        drop(first);
        assert!(SampleWriter::resume(&path, &head()).is_ok());
    }
}
