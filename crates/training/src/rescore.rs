//! Scores chosen positions of other files again, usually with longer searches: as a file that judges
//! evaluations ([`crate::judge`]), or as other targets for the same positions.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use super::data::{OnSamples, SampleFiles};
use super::engines::GamesError;
use super::file::{SampleHeader, SampleReader, StoredGames};
use super::record::{header_of, record, score_of};
use super::sample::TrainingSample;
use kelso_batch::error::RunError;
use kelso_draughts::board::Game;
use kelso_draughts::board::relative::Key;
use kelso_engine::eval::network::{BUCKETS, bucket};
use kelso_engine::search::Limits;
use kelso_engine::{Engine, EngineSettings, Setting};
use kelso_players::player::{EnginePlayer, Player, PlayerError, Turn};
use kelso_random::RngExt;
use kelso_runtime::stop::StopToken;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Rescoring {
    /// The seed of the choice of positions.
    pub seed: u64,
    /// Nodes searched for each position.
    pub nodes: u64,
    /// Number of positions of each class of pieces.
    pub count: usize,
    /// The numbers of pieces of the positions.
    pub pieces: RangeInclusive<u32>,
    pub threads: usize,
    pub settings: EngineSettings,
}

/// One position of each class of pieces. They form a game of the file, so that any part of the file has
/// evenly many of each class.
type Row = Vec<TrainingSample>;

/// Nodes per mebibyte of the transposition table.
const NODES_PER_MEBIBYTE: u64 = 10_000;
const MAX_TABLE_MEBIBYTES: usize = 64;

impl Rescoring {
    /// Chooses the positions. The choice does not depend on the order of the files or the games, and a
    /// position is chosen at most once. If stopped, returns `None`.
    pub fn choose(
        &self,
        files: &SampleFiles,
        on_progress: OnSamples<'_>,
    ) -> Result<Option<Vec<Row>>, RunError> {
        // The positions with the smallest random numbers, by class.
        let mut chosen: [BTreeMap<u64, TrainingSample>; BUCKETS] = Default::default();
        let finished = files.each(on_progress, &mut Vec::new(), &mut |game| {
            for sample in game.samples.into_iter().filter(|sample| self.pieces.contains(&sample.pieces())) {
                let Key { own, enemy, kings } = sample.key();
                let number =
                    kelso_random::stream(&[self.seed, own.into(), enemy.into(), kings.into()]).random();
                let class = &mut chosen[bucket(sample.pieces())];
                if class.len() < self.count || class.last_key_value().is_some_and(|(&last, _)| number < last)
                {
                    class.entry(number).or_insert(sample);
                    if class.len() > self.count {
                        class.pop_last();
                    }
                }
            }
            Ok(())
        })?;
        let mut classes = chosen.map(BTreeMap::into_values);
        let rows = std::iter::from_fn(|| {
            let row: Row = classes.iter_mut().filter_map(Iterator::next).collect();
            Some(row).filter(|row| !row.is_empty())
        });
        Ok(finished.then(|| rows.collect()))
    }

    /// Scores positions until all are in the file or `on_progress` returns `false`. Finished rows are never
    /// lost.
    pub fn run(
        &self,
        rows: &[Row],
        out: &Path,
        on_progress: &mut dyn FnMut(StoredGames) -> bool,
    ) -> Result<StoredGames, GamesError> {
        let table = usize::try_from(self.nodes / NODES_PER_MEBIBYTE).unwrap_or(usize::MAX);
        let table = table.clamp(1, MAX_TABLE_MEBIBYTES);
        let settings = self.settings.clone().with_default(Setting::Hash(table));
        let engines: Vec<_> =
            (0..self.threads.max(1)).map(|_| Engine::checked(settings.clone())).collect::<Result<_, _>>()?;
        let header =
            SampleHeader { seed: self.seed, nodes: self.nodes, branches: None, ..header_of(&engines[0]) };
        if out.exists() {
            same_positions(rows, out)?;
        }
        let numbers = 0..rows.len() as u64;
        record(out, &header, engines, numbers, |engine, number| self.score(engine, rows, number), on_progress)
    }

    /// Returns a row with the scores of searches.
    fn score(&self, engine: &mut Engine, rows: &[Row], number: u64) -> Result<Row, PlayerError> {
        let row = usize::try_from(number).ok().and_then(|number| rows.get(number));
        row.into_iter().flatten().map(|sample| self.scored(engine, sample)).collect()
    }

    fn scored(&self, engine: &mut Engine, sample: &TrainingSample) -> Result<TrainingSample, PlayerError> {
        engine.new_game();
        let game = Game::new(sample.position());
        let stop = StopToken::default();
        let turn = Turn::new(&game, [None; 2], &stop);
        let result = EnginePlayer { engine, limits: Limits::nodes(self.nodes) }.choose_move(&turn)?;
        Ok(sample.with(TrainingSample::score_of(score_of(&result)), sample.label))
    }
}

/// Checks that a file contains the positions of the first rows.
fn same_positions(rows: &[Row], path: &Path) -> Result<(), RunError> {
    for (row, game) in rows.iter().zip(SampleReader::open(path)?) {
        let same = game?.samples.iter().map(TrainingSample::key).eq(row.iter().map(TrainingSample::key));
        if !same {
            let difference = "its positions are others".to_owned();
            return Err(RunError::OtherRun { path: path.to_owned(), job: "run", difference });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_other_run, head, random_game, read, write};
    use kelso_batch::testing::Folder;
    use kelso_engine::eval::EvaluationKind;

    fn rescoring(nodes: u64) -> Rescoring {
        let material = Setting::Evaluation(EvaluationKind::Material);
        let settings = [material].into();
        Rescoring { seed: 4, nodes, count: 30, pieces: 13..=24, threads: 2, settings }
    }

    fn files(folder: &Folder) -> SampleFiles {
        let games: Vec<_> = (0..40).map(|number| random_game(number, 60)).collect();
        write(&folder.path("a"), &head(), &games);
        SampleFiles::open(&[folder.path("a")]).unwrap()
    }

    #[test]
    fn as_many_distinct_positions_of_each_class_are_chosen() {
        let folder = Folder::new();
        let files = files(&folder);
        let rows = rescoring(50).choose(&files, &mut |_| true).unwrap().unwrap();
        assert_eq!(rows.len(), 30);
        for row in &rows {
            let classes: Vec<_> = row.iter().map(|sample| bucket(sample.pieces())).collect();
            assert_eq!(classes, [4, 5, 6, 7]);
        }
        let mut keys: Vec<_> = rows.iter().flatten().map(TrainingSample::key).collect();
        keys.sort_unstable();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]));
        let again = SampleFiles::open(&[folder.path("a"), folder.path("a")]).unwrap();
        assert_eq!(rescoring(50).choose(&again, &mut |_| true).unwrap().unwrap(), rows);
        assert_eq!(rescoring(50).choose(&files, &mut |bytes| bytes < 2000).unwrap(), None);
    }

    #[test]
    fn an_interrupted_run_continues_and_its_scores_are_those_of_the_searches() {
        let folder = Folder::new();
        let files = files(&folder);
        let rescoring = rescoring(50);
        let rows = rescoring.choose(&files, &mut |_| true).unwrap().unwrap();
        let done = rescoring.run(&rows, &folder.path("whole"), &mut |_| true).unwrap();
        assert_eq!((done.games, done.samples), (30, 120));
        let part = rescoring.run(&rows, &folder.path("part"), &mut |stored| stored.games < 5).unwrap();
        assert!(part.games < 30);
        rescoring.run(&rows, &folder.path("part"), &mut |_| true).unwrap();
        let whole = read(&folder.path("whole")).unwrap();
        assert_eq!(read(&folder.path("part")).unwrap(), whole);
        let scores = |games: &[crate::GameSamples]| -> Vec<i16> {
            games.iter().flat_map(|game| &game.samples).map(|sample| sample.score).collect()
        };
        let deeper = Rescoring { nodes: 2000, ..rescoring.clone() };
        deeper.run(&rows, &folder.path("deeper"), &mut |_| true).unwrap();
        assert!(scores(&read(&folder.path("deeper")).unwrap()) != scores(&whole));
        assert_other_run(deeper.run(&rows, &folder.path("whole"), &mut |_| true), "nodes was");
        let other = Rescoring { seed: 5, ..rescoring };
        let rows = other.choose(&files, &mut |_| true).unwrap().unwrap();
        assert_other_run(other.run(&rows, &folder.path("whole"), &mut |_| true), "positions");
    }
}
