//! Summarises and deduplicates files of samples.
//!
//! Games are processed one by one. Deduplication keeps a key of twelve bytes for each sample, so thirty
//! million samples need less than a gigabyte. New files appear only when complete.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::file::{GameSamples, SampleHeader, SampleReader};
use crate::fit::losses::ExcessLoss;
use crate::sample::TrainingSample;
use kelso_batch::error::{RunError, failed};
use kelso_batch::file::OutputFile;
use kelso_draughts::result::WdlCounts;
use kelso_reports::statistics::real;

/// One in this many games, beginning with the first of each file, is held out to measure the loss.
const HELD_OUT_SHARE: u64 = 25;

/// Called with the number of bytes read. Returns `false` to stop.
pub type OnSamples<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Files of samples, read one after another.
#[derive(Clone, Debug)]
pub struct SampleFiles {
    /// The files with their headers.
    pub files: Vec<(PathBuf, SampleHeader)>,
    /// The total size of the files in bytes.
    pub bytes: u64,
}

/// Numbers of games and of their samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DataSize {
    pub games: u64,
    pub samples: u64,
}

#[derive(Debug, Default)]
pub struct CopyCounts {
    pub read: DataSize,
    pub written: DataSize,
    /// Errors for incomplete last games, which are left out.
    pub left_out: Vec<RunError>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SampleCounts {
    pub samples: u64,
    /// Results for the side to move.
    pub results: WdlCounts,
    /// Number of samples whose score is a known result.
    pub decided: u64,
    /// Sum of the absolute scores of all other samples.
    pub scores: u64,
}

/// Counts of the samples of files.
#[derive(Debug, Default)]
pub struct SampleSummary {
    pub files: Vec<DataSize>,
    pub all: SampleCounts,
    /// Counts by number of pieces, from 0 to 24.
    pub pieces: [SampleCounts; 25],
    /// Losses of the compiled-in network, by number of pieces, on the samples that a fit holds out.
    pub losses: [ExcessLoss; 25],
    /// Number of repeated positions.
    pub repeated: u64,
    /// Errors in files. A damaged file is read as far as possible.
    pub errors: Vec<RunError>,
    /// Whether all files were read.
    pub finished: bool,
}

/// Training and held-out samples, divided by game, so that no game is in both parts.
#[derive(Clone, Debug, Default)]
pub struct TrainingSet {
    pub train: Vec<TrainingSample>,
    /// Samples for measuring the loss.
    pub held_out: Vec<TrainingSample>,
}

impl SampleFiles {
    /// Opens all files, so that errors are found before the work begins.
    pub fn open(paths: &[PathBuf]) -> Result<Self, RunError> {
        let mut bytes = 0;
        let mut files = Vec::new();
        for path in paths {
            let reader = SampleReader::open(path)?;
            let metadata = std::fs::metadata(path).map_err(failed("read", path))?;
            bytes += metadata.len();
            files.push((path.clone(), reader.header));
        }
        Ok(Self { files, bytes })
    }

    /// Calls `take` with each game. Returns `false` if the reading was stopped.
    pub(crate) fn each(
        &self,
        on_progress: OnSamples<'_>,
        left_out: &mut Vec<RunError>,
        take: Take<'_>,
    ) -> Result<bool, RunError> {
        let mut bytes = 0;
        for (path, _) in &self.files {
            if !read(path, &mut bytes, on_progress, left_out, take)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Copies the first occurrence of each position to a new file, and drops games that have no positions
    /// left. If stopped, returns `None` and writes no file.
    pub fn deduplicate(
        &self,
        out: &Path,
        on_progress: OnSamples<'_>,
    ) -> Result<Option<CopyCounts>, RunError> {
        let heads: Vec<_> = self.files.iter().map(|(_, head)| head.clone()).collect();
        let mut file = OutputFile::create(out)?;
        file.write_with(|file| file.write_all(&SampleHeader::common(&heads).to_bytes()))?;
        let mut copied = CopyCounts::default();
        let mut seen = HashSet::new();
        let finished = self.each(on_progress, &mut copied.left_out, &mut |mut game| {
            copied.read.add(&game);
            game.samples.retain(|sample| seen.insert(sample.key()));
            if !game.samples.is_empty() {
                file.write_with(|file| file.write_all(&game.to_bytes()?))?;
                copied.written.add(&game);
            }
            Ok(())
        })?;
        if !finished {
            return Ok(None);
        }
        file.commit()?;
        Ok(Some(copied))
    }

    /// Counts the samples. In a damaged file, counts those that can be read.
    pub fn summary(&self, on_progress: OnSamples<'_>) -> SampleSummary {
        let mut summary = SampleSummary { finished: true, ..SampleSummary::default() };
        let mut keys = Vec::new();
        let mut bytes = 0;
        for (path, _) in &self.files {
            let mut size = DataSize::default();
            let outcome = read(path, &mut bytes, on_progress, &mut summary.errors, &mut |game| {
                size.add(&game);
                for sample in &game.samples {
                    summary.all.add(sample);
                    let pieces = sample.pieces() as usize;
                    if let Some(row) = summary.pieces.get_mut(pieces) {
                        row.add(sample);
                    }
                    if let Some(losses) = summary.losses.get_mut(pieces)
                        && is_held_out(&game)
                    {
                        losses.add_compiled_in(sample);
                    }
                    keys.push(sample.key());
                }
                Ok(())
            });
            summary.files.push(size);
            summary.finished = outcome.unwrap_or_else(|error| {
                summary.errors.push(error);
                true
            });
            if !summary.finished {
                break;
            }
        }
        keys.sort_unstable();
        summary.repeated = keys.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        summary
    }

    /// Reads all samples. An incomplete last game is left out.
    pub fn samples(&self, on_progress: OnSamples<'_>) -> Result<Vec<TrainingSample>, RunError> {
        let mut samples = Vec::new();
        self.each(on_progress, &mut Vec::new(), &mut |game| {
            samples.extend(game.samples);
            Ok(())
        })?;
        Ok(samples)
    }

    /// Reads all samples, and holds out those of one in `HELD_OUT_SHARE` games. An incomplete last game is
    /// left out.
    pub fn training_set(&self, on_progress: OnSamples<'_>) -> Result<TrainingSet, RunError> {
        let mut set = TrainingSet::default();
        self.each(on_progress, &mut Vec::new(), &mut |game| {
            let part = if is_held_out(&game) { &mut set.held_out } else { &mut set.train };
            part.extend(game.samples);
            Ok(())
        })?;
        Ok(set)
    }
}

fn is_held_out(game: &GameSamples) -> bool {
    game.number.is_multiple_of(HELD_OUT_SHARE)
}

/// Called with each game. An error stops the reading.
type Take<'a> = &'a mut dyn FnMut(GameSamples) -> Result<(), RunError>;

/// Calls `take` with each game of a file, and adds the bytes read to `bytes`. Returns `false` if the reading
/// was stopped.
fn read(
    path: &Path,
    bytes: &mut u64,
    on_progress: OnSamples<'_>,
    left_out: &mut Vec<RunError>,
    take: Take<'_>,
) -> Result<bool, RunError> {
    let mut reader = SampleReader::open(path)?;
    let before = *bytes;
    while let Some(game) = reader.next() {
        take(game?)?;
        *bytes = before + reader.position;
        if !on_progress(*bytes) {
            return Ok(false);
        }
    }
    left_out.extend(reader.incomplete());
    Ok(true)
}

impl DataSize {
    fn add(&mut self, game: &GameSamples) {
        self.games += 1;
        self.samples += game.samples.len() as u64;
    }
}

impl SampleCounts {
    fn add(&mut self, sample: &TrainingSample) {
        self.samples += 1;
        self.results.count(sample.label);
        if sample.distance().is_some() {
            self.decided += 1;
        } else {
            self.scores += u64::from(sample.score.unsigned_abs());
        }
    }

    /// Returns the mean absolute score of undecided samples.
    pub fn mean_score(&self) -> f64 {
        real(self.scores) / real((self.samples - self.decided).max(1))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::sample::DECIDED_SCORE;
    use crate::sample::TrainingSample;
    use crate::testing::{random_game, read, write};
    use kelso_batch::shard::Shard;
    use kelso_batch::testing::Folder;
    use kelso_draughts::notation::fen;
    use kelso_draughts::result::Wdl;

    fn head(seed: u64) -> SampleHeader {
        SampleHeader { seed, nodes: 7, shard: Some(Shard::WHOLE), ..SampleHeader::default() }
    }

    fn games(numbers: std::ops::Range<u64>) -> Vec<GameSamples> {
        numbers.map(|number| random_game(number, 30)).collect()
    }

    fn source(folder: &Folder) -> SampleFiles {
        write(&folder.path("a"), &head(1), &games(0..40));
        write(&folder.path("b"), &head(2), &games(30..60));
        SampleFiles::open(&[folder.path("a"), folder.path("b")]).unwrap()
    }

    #[test]
    fn the_first_of_equal_positions_is_kept() {
        let folder = Folder::new();
        let mut progress = 0;
        let mut on_progress = |bytes| {
            progress = bytes;
            true
        };
        let source = source(&folder);
        let copied = source.deduplicate(&folder.path("c"), &mut on_progress).unwrap().unwrap();
        assert_eq!(progress, source.bytes);
        let kept = read(&folder.path("c")).unwrap();
        let head = SampleHeader { shard: None, ..head(0) };
        assert_eq!(SampleReader::open(&folder.path("c")).unwrap().header, head);
        // Compare with a slow implementation.
        let mut seen = Vec::new();
        let mut expected = games(0..60);
        for game in &mut expected {
            game.samples.retain(|sample: &TrainingSample| {
                let new = !seen.contains(&sample.key());
                seen.push(sample.key());
                new
            });
        }
        expected.retain(|game| !game.samples.is_empty());
        assert_eq!(kept, expected);
        let [read, written] = [copied.read.samples, copied.written.samples];
        assert!(written < read && written > read / 3);
    }

    #[test]
    fn a_failed_command_leaves_no_file() {
        let folder = Folder::new();
        let source = source(&folder);
        let out = folder.path("c");
        assert!(source.deduplicate(&out, &mut |bytes| bytes < 3000).unwrap().is_none());
        assert_eq!(folder.names(), ["a", "b"]);
        let whole = fs::read(folder.path("b")).unwrap();
        let mut bytes = whole.clone();
        bytes[2000] ^= 1;
        fs::write(folder.path("b"), bytes).unwrap();
        let error = source.deduplicate(&out, &mut |_| true).unwrap_err();
        assert!(matches!(error, RunError::Damaged { .. }), "{error}");
        assert_eq!(folder.names(), ["a", "b"]);
        // An incomplete last game is not an error.
        fs::write(folder.path("b"), &whole[..whole.len() - 3]).unwrap();
        let copied = source.deduplicate(&out, &mut |_| true).unwrap().unwrap();
        assert_eq!((copied.read.games, copied.left_out.len()), (69, 1));
        let missing = folder.path("missing/c");
        let error = source.deduplicate(&missing, &mut |_| panic!("nothing is read")).unwrap_err();
        assert!(matches!(error, RunError::Io { action: "write", .. }), "{error}");
    }

    #[test]
    fn data_statistics_count_all_games() {
        let folder = Folder::new();
        let sample =
            |text: &str, score, label| TrainingSample::new(&fen::parse(text).unwrap(), score, label, 0);
        let games = [
            vec![sample("B:W21-32:B1-12", -40, Wdl::Win), sample("W:W21-32:B1-12", 20, Wdl::Loss)],
            vec![sample("B:W32:B1", 0, Wdl::Draw), sample("B:W32:BK1", DECIDED_SCORE, Wdl::Win)],
            vec![sample("B:W31:B1", -DECIDED_SCORE, Wdl::Loss)],
        ];
        let path = folder.path("a.pos");
        let games = games.map(|samples| GameSamples { number: 0, samples });
        write(&path, &SampleHeader::default(), &games);
        let source = SampleFiles::open(&[path.clone(), path.clone()]).unwrap();
        let summary = source.summary(&mut |_| true);
        assert_eq!(summary.files, [DataSize { games: 3, samples: 5 }; 2]);
        // The starting position equals its own flip, and both files are the same.
        assert_eq!(summary.repeated, 6);
        assert_eq!(
            summary.all,
            SampleCounts { samples: 10, results: WdlCounts::new(4, 2, 4), decided: 4, scores: 120 }
        );
        assert_eq!(
            summary.pieces[24],
            SampleCounts { samples: 4, results: WdlCounts::new(2, 0, 2), decided: 0, scores: 120 }
        );
        assert_eq!(
            summary.pieces[2],
            SampleCounts { samples: 6, results: WdlCounts::new(2, 2, 2), decided: 4, scores: 0 }
        );
        assert!((summary.all.mean_score() - 20.0).abs() < 1e-9);
        assert!(summary.errors.is_empty() && summary.finished);

        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let summary = source.summary(&mut |_| true);
        assert_eq!(summary.files, [DataSize { games: 2, samples: 4 }; 2]);
        assert_eq!(summary.errors.len(), 2);
        assert!(!source.summary(&mut |_| false).finished);
    }
}
