//! Summaries of files of samples.

use super::{OnProgress, SampleFiles};
use crate::sample::{DECIDED, Sample};
use common::checkpoint::CheckpointError;
use common::statistics::real;

/// Counts of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SampleCounts {
    /// Samples.
    pub samples: u64,
    /// By result for the side to move: lost, drawn, won.
    pub results: [u64; 3],
    /// Samples whose result is known.
    pub decided: u64,
    /// The sum of the absolute scores of the others.
    pub scores: u64,
}

/// Counts of the samples of files.
#[derive(Debug, Default)]
pub struct SampleSummary {
    /// By file: games and samples.
    pub files: Vec<(u64, u64)>,
    /// All samples.
    pub all: SampleCounts,
    /// By number of pieces, from 0 to 24.
    pub pieces: [SampleCounts; 25],
    /// Number of repeated positions.
    pub repeated: u64,
    /// The errors of files, which are read as far as possible.
    pub problems: Vec<CheckpointError>,
    /// True if all files were read.
    pub finished: bool,
}

impl SampleCounts {
    fn add(&mut self, sample: &Sample) {
        self.samples += 1;
        self.results[sample.label as usize] += 1;
        if sample.score.unsigned_abs() >= DECIDED.unsigned_abs() {
            self.decided += 1;
        } else {
            self.scores += u64::from(sample.score.unsigned_abs());
        }
    }

    /// The mean absolute score of undecided samples.
    pub fn mean_score(&self) -> f64 {
        real(self.scores) / real((self.samples - self.decided).max(1))
    }
}

impl SampleFiles {
    /// Counts the samples. A damaged file is counted as far as it can be read.
    pub fn summary(&self, on_progress: OnProgress<'_>) -> SampleSummary {
        let mut summary = SampleSummary { finished: true, ..SampleSummary::default() };
        let (mut keys, mut before) = (Vec::new(), 0);
        for file in self.files() {
            let (mut count, mut read, mut problems) = ((0, 0), 0, Vec::new());
            let mut on_bytes = |bytes| {
                read = bytes;
                on_progress(before + bytes)
            };
            let one = Self { files: vec![file.clone()], bytes: 0 };
            let outcome = one.each(&mut on_bytes, &mut problems, &mut |_, game| {
                count.0 += 1;
                count.1 += game.samples.len() as u64;
                for sample in &game.samples {
                    summary.all.add(sample);
                    if let Some(row) = summary.pieces.get_mut(sample.pieces() as usize) {
                        row.add(sample);
                    }
                    keys.push(sample.key);
                }
                Ok(())
            });
            before += read;
            summary.files.push(count);
            summary.problems.append(&mut problems);
            match outcome {
                Ok(true) => {}
                Ok(false) => {
                    summary.finished = false;
                    break;
                }
                Err(error) => summary.problems.push(error),
            }
        }
        keys.sort_unstable();
        summary.repeated = keys.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        summary
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{GameSamples, Label, SampleHeader, SampleWriter};
    use common::testing::Folder;
    use draughts::notation::fen;

    #[test]
    fn everything_is_counted() {
        let folder = Folder::new();
        let sample = |text: &str, score, label| Sample::new(&fen::parse(text).unwrap(), score, label, 0);
        let games = [
            vec![sample("B:W21-32:B1-12", -40, Label::Win), sample("W:W21-32:B1-12", 20, Label::Loss)],
            vec![sample("B:W32:B1", 0, Label::Draw), sample("B:W32:BK1", DECIDED, Label::Win)],
            vec![sample("B:W31:B1", -DECIDED, Label::Loss)],
        ];
        let path = folder.path("a.pos");
        let mut file = SampleWriter::create(&path, &SampleHeader::default()).unwrap();
        for (number, samples) in (0..).zip(games) {
            file.append(&GameSamples { number, samples }).unwrap();
        }
        file.finish().unwrap();
        let source = SampleFiles::open(&[path.clone(), path.clone()]).unwrap();
        let summary = source.summary(&mut |_| true);
        assert_eq!(summary.files, [(3, 5), (3, 5)]);
        // The start is the same position for both sides, and both files are the same.
        assert_eq!(summary.repeated, 6);
        assert_eq!(summary.all, SampleCounts { samples: 10, results: [4, 2, 4], decided: 4, scores: 120 });
        assert_eq!(
            summary.pieces[24],
            SampleCounts { samples: 4, results: [2, 0, 2], decided: 0, scores: 120 }
        );
        assert_eq!(summary.pieces[2], SampleCounts { samples: 6, results: [2, 2, 2], decided: 4, scores: 0 });
        assert!((summary.all.mean_score() - 20.0).abs() < 1e-9);
        assert!(summary.problems.is_empty() && summary.finished);

        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let summary = source.summary(&mut |_| true);
        assert_eq!((summary.files, summary.problems.len()), (vec![(2, 4), (2, 4)], 2));
        assert!(!source.summary(&mut |_| false).finished);
    }
}
