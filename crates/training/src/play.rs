//! Self-play on all cores into one file that is only appended to.
//!
//! A game depends on the seed and its number alone, and games are written in the order of their numbers, so the file is the same
//! with any number of threads and after any interruption.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::engines::{GamesError, checked_engine, divide};
use super::file::{GameSamples, ResumedGames, SampleHeader, SampleWriter, failed};
use super::game::{self, SelfPlayRules};
use common::pool::InOrder;
use draughts::board::Position;
use engine::book::Deck;
use engine::{Engine, EngineSettings};
use players::openings;

/// The settings of self-play.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The settings of the games.
    pub rules: SelfPlayRules,
    /// Number of games of all shards.
    pub games: u64,
    /// The shard, counted from 1, and the number of shards.
    pub shard: (u32, u32),
    /// Number of concurrent games.
    pub threads: usize,
    /// The engine's settings.
    pub settings: EngineSettings,
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayProgress {
    /// Games in the file.
    pub games: u64,
    /// Games of this shard.
    pub of: u64,
    /// Samples in the file.
    pub samples: u64,
    /// Bytes of an incomplete last game, which have been dropped.
    pub dropped: u64,
}

/// Fits in the cache of a core.
const TABLE_MEBIBYTES: usize = 1;
/// The interval of flushes.
const FLUSH: Duration = Duration::from_secs(2);

impl SelfPlay {
    /// The name of the file in its directory.
    pub fn file_name(&self) -> PathBuf {
        format!("{}-{}-of-{}.pos", self.rules.seed, self.shard.0, self.shard.1).into()
    }

    /// The numbers of the games of this shard.
    fn numbers(&self) -> impl Iterator<Item = u64> {
        let (first, step) = (u64::from(self.shard.0) - 1, u64::from(self.shard.1.max(1)));
        (first..self.games).step_by(usize::try_from(step).unwrap_or(usize::MAX))
    }

    /// Plays until all games are in the file or `on_progress` returns false. Finished games are never lost.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be used or memory runs out.
    pub fn run(
        &self,
        folder: &Path,
        on_progress: &mut dyn FnMut(PlayProgress) -> bool,
    ) -> Result<PlayProgress, GamesError> {
        let engines: Vec<Engine> = (0..self.threads.max(1))
            .map(|_| checked_engine(TABLE_MEBIBYTES, &self.settings))
            .collect::<Result<_, _>>()?;
        std::fs::create_dir_all(folder).map_err(failed("create", folder))?;
        let head = self.header(engines.first());
        let (mut file, ResumedGames { games, samples, last, dropped }) =
            SampleWriter::resume(&folder.join(self.file_name()), &head)?;
        let mut progress = PlayProgress { games, of: self.numbers().count() as u64, samples, dropped };
        let missing: Vec<u64> =
            self.numbers().filter(|&number| last.is_none_or(|last| number > last)).collect();
        let starts = starts();
        let play = |engine: &mut Engine, (place, number): (usize, u64)| {
            (place, GameSamples { number, samples: game::play(engine, &self.rules, &starts, number) })
        };
        let (mut order, mut flushed, mut running) = (InOrder::default(), Instant::now(), true);
        divide(engines, missing.into_iter().enumerate(), play, |played| {
            // Unfinished games are dropped; a resumed run plays them again, the same.
            let finished = played.filter(|_| running).map(|(place, game)| order.add(place, game));
            for game in finished.into_iter().flatten() {
                file.append(&game)?;
                progress.games += 1;
                progress.samples += game.samples.len() as u64;
            }
            if flushed.elapsed() >= FLUSH {
                file.flush()?;
                flushed = Instant::now();
            }
            running = running && on_progress(progress);
            Ok::<_, GamesError>(running)
        })?;
        file.flush()?;
        Ok(progress)
    }

    fn header(&self, engine: Option<&Engine>) -> SampleHeader {
        let SelfPlayRules { seed, nodes, branches } = self.rules;
        SampleHeader {
            seed,
            nodes,
            shard: self.shard,
            evaluation: engine.map(Engine::evaluation_name).unwrap_or_default(),
            databases: engine.map(|engine| engine.databases().max_pieces()),
            weights: engine.and_then(Engine::weights_checksum),
            branches: Some(branches),
        }
    }
}

/// Half of all games begin at the start, half with an eleven-man ballot.
fn starts() -> Vec<Position> {
    let ballots = openings::ballots(Deck::ElevenMan);
    ballots.iter().flat_map(|ballot| [Position::start(), *ballot.game().position()]).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::SampleReader;
    use common::testing::Folder;
    use engine::Catalog;

    fn plan(shard: (u32, u32), threads: usize) -> SelfPlay {
        SelfPlay {
            rules: SelfPlayRules { seed: 3, nodes: 60, branches: 1 },
            games: 10,
            shard,
            threads,
            settings: vec![Catalog::default().setting("Evaluation", Some("material")).unwrap()].into(),
        }
    }

    fn games(path: &Path) -> Vec<GameSamples> {
        let mut reader = SampleReader::open(path).unwrap();
        std::iter::from_fn(|| reader.next_game().unwrap()).collect()
    }

    #[test]
    fn games_are_the_same_however_they_are_played() {
        let folder = Folder::new();
        let run = |plan: &SelfPlay, name: &str| {
            let progress = plan.run(&folder.path(name), &mut |_| true).unwrap();
            assert_eq!(progress.games, progress.of);
            folder.path(name).join(plan.file_name())
        };
        let one = run(&plan((1, 1), 1), "one");
        let whole = games(&one);
        assert_eq!(whole.iter().map(|game| game.number).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        assert!(whole.iter().map(|game| game.samples.len()).sum::<usize>() > 200);
        let two = run(&plan((1, 1), 2), "two");
        assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());

        // Stopped after every second game, and once in the middle of a write.
        let mut runs = 0;
        loop {
            let mut left = 2;
            let progress = plan((1, 1), 2)
                .run(&folder.path("three"), &mut |_| {
                    left -= 1;
                    left > 0
                })
                .unwrap();
            runs += 1;
            if progress.games == progress.of {
                break;
            }
            if runs == 2 {
                let path = folder.path("three").join(plan((1, 1), 2).file_name());
                let bytes = fs::read(&path).unwrap();
                fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
            }
        }
        assert!(runs > 2, "{runs}");
        let three = folder.path("three").join(plan((1, 1), 2).file_name());
        assert_eq!(fs::read(&one).unwrap(), fs::read(three).unwrap());

        let mut parts = games(&run(&plan((1, 2), 1), "parts"));
        parts.extend(games(&run(&plan((2, 2), 1), "parts")));
        parts.sort_by_key(|game| game.number);
        assert!(parts == whole);
    }

    #[test]
    fn more_games_make_a_run_longer() {
        let folder = Folder::new();
        let few = SelfPlay { games: 2, ..plan((1, 1), 1) };
        few.run(&folder.path("a"), &mut |_| true).unwrap();
        let more = SelfPlay { games: 4, ..plan((1, 1), 1) };
        let progress = more.run(&folder.path("a"), &mut |_| true).unwrap();
        assert_eq!((progress.games, progress.of), (4, 4));
        let error = SelfPlay { rules: SelfPlayRules { nodes: 61, ..more.rules }, ..more }
            .run(&folder.path("a"), &mut |_| true)
            .unwrap_err();
        assert!(error.to_string().contains("another run: nodes was \"60\" and is now \"61\""), "{error}");
    }
}
