//! Tuning of the search's margins by many short games: simultaneous perturbation (Spall, 1992).
//!
//! Every pair of games is played between two copies of the engine, in one of which each margin is a step higher or lower
//! by chance, in the other the opposite. All margins then move a little towards the copy that scored more. Which margins
//! matter shows in time, since what doesn't matter moves by chance alone.
//!
//! Pairs come in batches. All of a batch start from the margins as the batches before have left them, and move them in the
//! order of their numbers when the last of them is played, so that the result is the same on any number of threads and however
//! often a run was stopped. Finished pairs of a batch under way are kept with the state.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fmt, io, thread};

use serde::{Deserialize, Serialize};

use super::duel::{Duel, points};
use super::file::FileError;
use common::chance::{self, IndexedRandom, Random, RngExt};
use common::file::{self, WriteError};
use draughts::board::Game;
use engine::search::{MARGINS, Margins};
use engine::{Engine, Setting, SettingError};
use players::openings;

const COUNT: usize = MARGINS.len();

/// How to tune.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// What chance is made of.
    pub seed: u64,
    /// Pairs of games in all.
    pub pairs: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// How many pairs at the same time.
    pub threads: usize,
    /// The engines' settings.
    pub settings: Vec<Setting>,
    /// Where to keep what has been found.
    pub file: PathBuf,
}

/// What has been found so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MarginsState {
    /// What must be the same in a run that continues this one.
    terms: Terms,
    /// Pairs of games that have moved the margins.
    pairs: u64,
    /// The margins as they have moved, in the order of their declaration.
    values: Vec<f64>,
    /// The pairs of the batch under way: what the first copy got, from -2 to 2.
    batch: Vec<Option<f64>>,
}

/// What the result depends on besides the number of pairs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Terms {
    seed: u64,
    nodes: u64,
    evaluation: String,
    weights: Option<u32>,
    databases: u32,
    settings: String,
}

impl Terms {
    /// What differs, with what it was and what it is.
    fn difference(&self, now: &Self) -> Option<String> {
        let differ = |what: &str, was: &dyn fmt::Debug, is: &dyn fmt::Debug| {
            let (was, is) = (format!("{was:?}"), format!("{is:?}"));
            (was != is).then(|| format!("{what} {was} on disk and {is} now"))
        };
        differ("seed", &self.seed, &now.seed)
            .or_else(|| differ("nodes", &self.nodes, &now.nodes))
            .or_else(|| differ("evaluation", &self.evaluation, &now.evaluation))
            .or_else(|| differ("weights' checksum", &self.weights, &now.weights))
            .or_else(|| differ("endgame databases of pieces up to", &self.databases, &now.databases))
            .or_else(|| differ("options", &self.settings, &now.settings))
    }
}

/// How far margins move at the beginning for a pair that one copy wins, in their steps; at the end a tenth of that.
const GAIN: f64 = 0.03;
/// Pairs of a batch: enough for many threads, few enough for the margins to follow.
const BATCH: u64 = 32;
/// No state is larger.
const MOST_BYTES: u64 = 1 << 26;

impl MarginsState {
    fn new(terms: Terms) -> Self {
        let values = MARGINS.iter().map(|margin| margin.default.into()).collect();
        Self { terms, pairs: 0, values, batch: Vec::new() }
    }

    fn load(path: &Path, terms: Terms) -> Result<Self, MarginsError> {
        let other = |what| MarginsError::Other(path.to_owned(), what);
        let bytes = match file::read_regular(path, MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::new(terms)),
            Err(error) => return Err(MarginsError::File(FileError::System(path.to_owned(), error))),
        };
        let state: Self = serde_json::from_slice(&bytes)
            .map_err(|error| other(format!("it is no state of this tuning: {error}")))?;
        if let Some(difference) = state.terms.difference(&terms) {
            return Err(other(difference));
        }
        if state.values.len() != COUNT || state.batch.len() as u64 > BATCH {
            return Err(other(format!("{} margins, expected {COUNT}", state.values.len())));
        }
        Ok(state)
    }

    /// Pairs of games played, those of the batch under way included.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs + self.batch.iter().flatten().count() as u64
    }

    fn store(&self, path: &Path) -> Result<(), WriteError> {
        // Numbers and lists of them always have a JSON form.
        file::write(path, &serde_json::to_vec(self).unwrap_or_default())
    }

    /// The margins in whole numbers.
    #[must_use]
    pub fn margins(&self) -> Margins {
        self.with(|_| 0.0)
    }

    fn with(&self, change: impl Fn(usize) -> f64) -> Margins {
        #[expect(clippy::cast_possible_truncation, reason = "margins are small")]
        Margins::new(std::array::from_fn(|index| {
            let value = self.values.get(index).copied().unwrap_or_default();
            (value + change(index)).round() as i32
        }))
    }
}

/// Why nothing was tuned.
#[derive(Debug)]
pub enum MarginsError {
    /// The state can't be read or written.
    File(FileError),
    /// The state is none, or that of another tuning, and in what.
    Other(PathBuf, String),
    /// The engine refuses a setting.
    Setting(SettingError),
}

impl fmt::Display for MarginsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Other(path, what) => write!(
                f,
                "cannot go on from {}: {what}; remove it to begin anew, or choose another --out",
                path.display()
            ),
            Self::Setting(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MarginsError {}

impl Tuning {
    /// Plays on from what the file holds, until all pairs are played or `watch` says that it is enough.
    ///
    /// # Errors
    ///
    /// When the file can't be used or belongs to another tuning, or the engine refuses a setting.
    pub fn run(&self, watch: &(dyn Fn(&MarginsState) -> bool + Sync)) -> Result<MarginsState, MarginsError> {
        let unwritable = |error: WriteError| MarginsError::File(error.into());
        let mut duels: Vec<Duel> = (0..self.threads.max(1))
            .map(|_| Duel::new(&self.settings, self.nodes))
            .collect::<Result<_, _>>()
            .map_err(MarginsError::Setting)?;
        let mut state = MarginsState::load(&self.file, self.terms(duels.first()))?;
        file::check(&self.file).map_err(unwritable)?;
        let games: Vec<Game> =
            openings::eleven_man().unwrap_or_default().iter().map(openings::Opening::game).collect();
        while state.pairs < self.pairs && watch(&state) {
            let complete = self.play_batch(&mut duels, &games, &mut state, watch);
            if complete {
                self.move_margins(&mut state);
            }
            state.store(&self.file).map_err(unwritable)?;
            if !complete {
                break;
            }
        }
        state.store(&self.file).map_err(unwritable)?;
        Ok(state)
    }

    fn terms(&self, duel: Option<&Duel>) -> Terms {
        let engine = duel.map(Duel::first);
        Terms {
            seed: self.seed,
            nodes: self.nodes,
            evaluation: engine.map(Engine::evaluation_name).unwrap_or_default(),
            weights: engine.and_then(Engine::weights_checksum),
            databases: engine.map_or(0, |engine| engine.databases().max_pieces()),
            settings: self
                .settings
                .iter()
                .map(|setting| format!("{setting:?}"))
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    /// Plays the pairs of a batch that have not been played yet; false if that was stopped.
    fn play_batch(
        &self,
        duels: &mut [Duel],
        games: &[Game],
        state: &mut MarginsState,
        watch: &(dyn Fn(&MarginsState) -> bool + Sync),
    ) -> bool {
        let size = BATCH.min(self.pairs - state.pairs);
        state.batch.resize(usize::try_from(size).unwrap_or_default(), None);
        let missing = state.batch.iter().zip(state.pairs..).filter(|(result, _)| result.is_none());
        let queue = Mutex::new(missing.map(|(_, pair)| pair).collect::<VecDeque<_>>());
        let (start, shared) = (state.clone(), Mutex::new(state));
        thread::scope(|scope| {
            for duel in duels {
                let (queue, start, shared) = (&queue, &start, &shared);
                scope.spawn(move || {
                    loop {
                        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                        let Some(pair) = next else { return };
                        let won = self.play_pair(duel, games, start, pair);
                        let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let index = usize::try_from(pair - start.pairs).unwrap_or_default();
                        if let Some(result) = state.batch.get_mut(index) {
                            *result = Some(won);
                        }
                        if !watch(&state) {
                            queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
                        }
                    }
                });
            }
        });
        let state = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.batch.iter().all(Option::is_some)
    }

    /// What the first copy of a pair gets.
    fn play_pair(&self, duel: &mut Duel, games: &[Game], state: &MarginsState, pair: u64) -> f64 {
        let (mut random, signs) = self.draw(pair);
        let change = |sign: f64| {
            state.with(|index| sign * signs[index] * f64::from(MARGINS.get(index).map_or(0, |m| m.step)))
        };
        duel.set(change(1.0), change(-1.0));
        let Some(game) = games.choose(&mut random) else { return 0.0 };
        points(duel.play(game, false)) - points(duel.play(game, true))
    }

    /// Which way each margin of a pair's first copy is moved, and the chance that is left for its opening.
    fn draw(&self, pair: u64) -> (Random, [f64; COUNT]) {
        let mut random = chance::stream(&[self.seed, pair]);
        let signs = std::array::from_fn(|_| if random.random_bool(0.5) { 1.0 } else { -1.0 });
        (random, signs)
    }

    /// Moves the margins by the results of a batch.
    fn move_margins(&self, state: &mut MarginsState) {
        for won in std::mem::take(&mut state.batch).into_iter().flatten() {
            let (_, signs) = self.draw(state.pairs);
            #[expect(clippy::cast_precision_loss, reason = "a share")]
            let done = state.pairs as f64 / self.pairs.max(1) as f64;
            let gain = GAIN * (1.0 - 0.9 * done.min(1.0));
            for ((value, margin), sign) in state.values.iter_mut().zip(&MARGINS).zip(signs) {
                let (low, high) = margin.range;
                *value = (*value + gain * won * sign * f64::from(margin.step)).clamp(low.into(), high.into());
            }
            state.pairs += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use common::testing::Folder;
    use engine::Evaluation;

    fn tuning(folder: &Folder, name: &str) -> Tuning {
        Tuning { seed: 3, pairs: 40, nodes: 30, threads: 1, settings: Vec::new(), file: folder.path(name) }
    }

    #[test]
    fn the_number_of_threads_and_of_runs_changes_nothing() {
        let folder = Folder::new("margins-threads");
        let one = tuning(&folder, "one").run(&|_| true).unwrap();
        assert_eq!(one.pairs(), 40);
        let usual: Vec<f64> = MARGINS.iter().map(|margin| margin.default.into()).collect();
        assert_ne!(one.values, usual);
        let three = Tuning { threads: 3, ..tuning(&folder, "three") }.run(&|_| true).unwrap();
        assert_eq!(three, one);
        // Stopped within each batch.
        let parts = Tuning { threads: 2, ..tuning(&folder, "parts") };
        for stop in [9, 35] {
            let heard = AtomicU32::new(0);
            let state = parts
                .run(&|state| heard.fetch_add(1, Ordering::SeqCst) == 0 || state.pairs() < stop)
                .unwrap();
            assert!((stop..40).contains(&state.pairs()), "{}", state.pairs());
        }
        assert_eq!(parts.run(&|_| true).unwrap(), one);
        assert_eq!(fs::read(folder.path("parts")).unwrap(), fs::read(folder.path("one")).unwrap());
    }

    #[test]
    fn a_tuning_of_other_terms_is_not_gone_on_with() {
        let folder = Folder::new("margins-terms");
        let first = Tuning { pairs: 2, ..tuning(&folder, "a") };
        first.run(&|_| true).unwrap();
        let evaluation = Setting::Evaluation(Evaluation::by_name("material").unwrap());
        for (other, part) in [
            (Tuning { seed: 4, ..first.clone() }, "seed 3 on disk and 4 now"),
            (Tuning { nodes: 31, ..first.clone() }, "nodes 30 on disk and 31 now"),
            (Tuning { settings: vec![evaluation], ..first.clone() }, "evaluation \"network"),
            (Tuning { settings: vec![Setting::EgdbPieces(3)], ..first.clone() }, "up to 5 on disk and 3 now"),
        ] {
            let error = other.run(&|_| true).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains("remove it to begin anew"), "{error}");
        }
        for text in ["", "{}", "{\"pairs\":5,\"values\":[1.0]}"] {
            fs::write(folder.path("a"), text).unwrap();
            assert!(matches!(first.run(&|_| true), Err(MarginsError::Other(..))), "{text}");
        }
    }
}
