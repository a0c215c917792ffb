//! What is in files of samples.

use super::{Source, Watch};
use crate::file::{Played, Reader};
use crate::sample::{DECIDED, Label, Sample};
use common::checkpoint::CheckpointError;

/// Counts of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Row {
    /// Samples.
    pub samples: u64,
    /// By result for the side to move: lost, drawn, won.
    pub results: [u64; 3],
    /// Whose score says that the game is decided.
    pub decided: u64,
    /// The scores of the others without their signs, added up.
    pub scores: u64,
}

/// Counts of the samples of files.
#[derive(Debug, Default)]
pub struct Summary {
    /// By file: games and samples.
    pub files: Vec<(u64, u64)>,
    /// All samples.
    pub all: Row,
    /// By number of pieces, from 0 to 24.
    pub pieces: [Row; 25],
    /// Samples whose positions were there before.
    pub repeated: u64,
    /// What is wrong with files, and keeps what follows in them from being read.
    pub problems: Vec<CheckpointError>,
    /// Whether everything was seen.
    pub finished: bool,
}

impl Row {
    fn add(&mut self, sample: &Sample) {
        self.samples += 1;
        let result = match sample.label {
            Label::Loss => 0,
            Label::Draw => 1,
            Label::Win => 2,
        };
        self.results[result] += 1;
        if sample.score.unsigned_abs() >= DECIDED.unsigned_abs() {
            self.decided += 1;
        } else {
            self.scores += u64::from(sample.score.unsigned_abs());
        }
    }

    /// The mean of undecided scores without their signs.
    #[must_use]
    pub fn mean_score(&self) -> f64 {
        share(self.scores, self.samples - self.decided)
    }
}

/// A quotient; 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "rounded for people")]
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Source {
    /// Counts what is there. A damaged file is counted as far as it goes.
    #[must_use]
    pub fn summary(&self, watch: Watch<'_>) -> Summary {
        let mut summary = Summary::default();
        let mut keys: Vec<u64> = Vec::new();
        let mut before = 0;
        summary.finished = self.files().iter().all(|(path, _)| {
            let mut count = (0, 0);
            let mut add = |game: &Played, summary: &mut Summary| {
                count.0 += 1;
                count.1 += game.samples.len() as u64;
                for sample in &game.samples {
                    summary.all.add(sample);
                    if let Some(row) = summary.pieces.get_mut(sample.pieces() as usize) {
                        row.add(sample);
                    }
                    keys.push(sample.key());
                }
            };
            let mut going = true;
            match Reader::open(path) {
                Ok(mut reader) => {
                    while going {
                        match reader.next_game() {
                            Ok(Some(game)) => add(&game, &mut summary),
                            Ok(None) => break,
                            Err(error) => {
                                summary.problems.push(error);
                                break;
                            }
                        }
                        going = watch(before + reader.position());
                    }
                    summary.problems.extend(reader.incomplete());
                    before += reader.position();
                }
                Err(error) => summary.problems.push(error),
            }
            summary.files.push(count);
            going
        });
        keys.sort_unstable();
        summary.repeated = keys.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        summary
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Head, Writer};
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
        let mut file = Writer::create(&path, &Head::default()).unwrap();
        for (number, samples) in (0..).zip(games) {
            file.append(&Played { number, samples }).unwrap();
        }
        file.finish().unwrap();
        let source = Source::open(&[path.clone(), path.clone()]).unwrap();
        let summary = source.summary(&mut |_| true);
        assert_eq!(summary.files, [(3, 5), (3, 5)]);
        // The start looks the same to both sides, and everything is there twice.
        assert_eq!(summary.repeated, 6);
        assert_eq!(summary.all, Row { samples: 10, results: [4, 2, 4], decided: 4, scores: 120 });
        assert_eq!(summary.pieces[24], Row { samples: 4, results: [2, 0, 2], decided: 0, scores: 120 });
        assert_eq!(summary.pieces[2], Row { samples: 6, results: [2, 2, 2], decided: 4, scores: 0 });
        assert!((summary.all.mean_score() - 20.0).abs() < 1e-9);
        assert!(summary.problems.is_empty() && summary.finished);

        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let summary = source.summary(&mut |_| true);
        assert_eq!((summary.files, summary.problems.len()), (vec![(2, 4), (2, 4)], 2));
        assert!(!source.summary(&mut |_| false).finished);
    }
}
