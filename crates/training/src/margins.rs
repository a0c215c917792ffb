//! Tuning of the margins of the search by SPSA, simultaneous perturbation stochastic approximation (Spall,
//! 1992).
//!
//! Each pair of games is played between two copies of the engine. In one copy, each margin is randomly one
//! step higher or lower; in the other, it is moved the opposite way. All margins then move a little towards
//! the copy that scored more. Margins that have no effect drift at random.
//!
//! Pairs are played in batches. All pairs of a batch start from the margins that the previous batch produced.
//! Once a whole batch has been played, its pairs move the margins in numerical order, so the result does not
//! depend on the number of threads or on interruptions. Finished pairs of an unfinished batch are kept in the
//! checkpoint.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::duel::{Duel, ballots, play_missing};
use super::engines::{GamesError, options_text};
use kelso_batch::checkpoint::{Checkpoint, CheckpointHeader, ResumePolicy};
use kelso_batch::error::Salvage;
use kelso_draughts::board::Game;
use kelso_engine::search::{MARGINS, SearchParams};
use kelso_engine::{Engine, EngineSettings, EvaluationId};
use kelso_players::player::PlayerError;
use kelso_random::{IndexedRandom, Random, RngExt};
use kelso_reports::statistics::real;

const PARAM_COUNT: usize = MARGINS.len();

/// The settings of a tuning run.
#[derive(Clone, Debug)]
pub struct Spsa {
    /// The seed of the random numbers.
    pub seed: u64,
    pub pairs: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Number of concurrent pairs.
    pub threads: usize,
    pub settings: EngineSettings,
    pub file: PathBuf,
}

/// The state of a tuning run, as determined by the results of its pairs.
#[derive(Clone, PartialEq, Debug)]
pub struct SpsaState {
    /// Number of pairs that have moved the margins.
    pairs: u64,
    /// The margins in declaration order.
    values: [f64; PARAM_COUNT],
    /// Number of pairs of the current batch that have been played.
    begun: u64,
}

/// The settings that must not change when a run is resumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpsaHeader {
    seed: u64,
    nodes: u64,
    evaluation: String,
    weights: Option<u32>,
    databases: u32,
    options: String,
}

/// The result of a pair of games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaPair {
    /// Number of the pair, from 0.
    #[serde(rename = "n")]
    number: u64,
    /// Wins minus losses of the first copy, from -2 to 2.
    won: f64,
    /// Number of pairs in the run, on which the step size depends.
    of: u64,
}

impl CheckpointHeader for SpsaHeader {
    type Item = SpsaPair;
    const FORMAT: &'static str = "kelso_margins";
    const JOB: &'static str = "tuning";
    const EXTENSION: &'static str = "";
    const SALVAGE: Salvage = Salvage::Manual("remove this line to play its games again");

    fn number(pair: &SpsaPair) -> u64 {
        pair.number
    }
}

/// Initial step size of SPSA: how far a margin moves per point scored, in units of the margin's own step. It
/// decays to a tenth of this.
const STEP_SIZE: f64 = 0.03;
/// Number of pairs per batch: enough for many threads, but few enough to update the margins often.
const BATCH_PAIRS: u64 = 32;

impl SpsaState {
    fn new() -> Self {
        Self { pairs: 0, values: std::array::from_fn(|index| MARGINS[index].default.into()), begun: 0 }
    }

    /// Returns the number of pairs played, including those of the current batch.
    pub fn pairs(&self) -> u64 {
        self.pairs + self.begun
    }

    /// Returns the margins as integers.
    pub fn margins(&self) -> SearchParams {
        self.with(&[0.0; PARAM_COUNT])
    }

    fn with(&self, changes: &[f64; PARAM_COUNT]) -> SearchParams {
        #[expect(clippy::cast_possible_truncation, reason = "margins are small")]
        SearchParams::new(std::array::from_fn(|index| (self.values[index] + changes[index]).round() as i32))
    }
}

impl Spsa {
    /// Plays the pairs that are not yet in the checkpoint until all are played or `on_progress` returns
    /// `false`.
    pub fn run(&self, on_progress: &dyn Fn(&SpsaState) -> bool) -> Result<SpsaState, GamesError> {
        let mut duels = Duel::for_threads(self.threads, &self.settings, self.nodes)?;
        let mut results = BTreeMap::new();
        let mut seen = |pair: SpsaPair| {
            if pair.won.abs() <= 2.0 {
                results.insert(pair.number, pair);
            }
            Ok::<_, GamesError>(())
        };
        let header = self.header(duels[0].first());
        let (mut file, _) = Checkpoint::open(&self.file, header, ResumePolicy::RESUME, &mut seen)?;
        let games = ballots();
        let mut state = SpsaState::new();
        while state.pairs < self.pairs && on_progress(&state) {
            let numbers = state.pairs..self.pairs.min(state.pairs + BATCH_PAIRS);
            let start = state.clone();
            let play = |duel: &mut Duel, number| self.play_pair(duel, &games, &start, number);
            let keep = &mut |pair: &SpsaPair| Ok(file.add(pair)?);
            play_missing(&mut duels, numbers.clone(), &mut results, play, keep, &mut |begun| {
                state.begun = begun as u64;
                on_progress(&state)
            })?;
            let batch: Option<Vec<_>> = numbers.map(|number| results.remove(&number)).collect();
            let Some(batch) = batch else { return Ok(state) };
            self.move_margins(&mut state, &batch);
        }
        file.finish()?;
        Ok(state)
    }

    fn header(&self, engine: &Engine) -> SpsaHeader {
        let EvaluationId { name: evaluation, checksum: weights } = engine.evaluation_id();
        SpsaHeader {
            seed: self.seed,
            nodes: self.nodes,
            evaluation,
            weights,
            databases: engine.databases().max_pieces(),
            options: options_text(&self.settings),
        }
    }

    fn play_pair(
        &self,
        duel: &mut Duel,
        games: &[Game],
        state: &SpsaState,
        number: u64,
    ) -> Result<SpsaPair, PlayerError> {
        let (mut random, steps) = self.draw(number);
        duel.set_params(state.with(&steps), state.with(&steps.map(|step| -step)));
        let halves = games.choose(&mut random).map(|game| duel.play_pair(game)).transpose()?;
        let [black, white] = halves.unwrap_or([1; 2]).map(f64::from);
        Ok(SpsaPair { number, won: black + white - 2.0, of: self.pairs })
    }

    /// Draws the direction in which each margin of the first copy moves, and returns the generator for the
    /// opening.
    fn draw(&self, pair: u64) -> (Random, [f64; PARAM_COUNT]) {
        let mut random = kelso_random::stream(&[self.seed, pair]);
        let steps = std::array::from_fn(|index| {
            let step = f64::from(MARGINS[index].step);
            if random.random_bool(0.5) { step } else { -step }
        });
        (random, steps)
    }

    fn move_margins(&self, state: &mut SpsaState, batch: &[SpsaPair]) {
        state.begun = 0;
        for &SpsaPair { won, of, .. } in batch {
            let (_, steps) = self.draw(state.pairs);
            let done = real(state.pairs) / real(of.max(1));
            let step_size = STEP_SIZE * (1.0 - 0.9 * done.min(1.0));
            for ((value, margin), step) in state.values.iter_mut().zip(MARGINS).zip(steps) {
                let (low, high) = margin.range;
                *value = (*value + step_size * won * step).clamp(low.into(), high.into());
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
    use crate::testing::assert_other_run;
    use kelso_batch::error::RunError;
    use kelso_batch::testing::Folder;
    use kelso_engine::Setting;
    use kelso_engine::eval::EvaluationKind;

    fn tuning(folder: &Folder, name: &str) -> Spsa {
        Spsa {
            seed: 3,
            pairs: 40,
            nodes: 300,
            threads: 1,
            settings: EngineSettings::default(),
            file: folder.path(name),
        }
    }

    #[test]
    fn the_number_of_threads_and_of_runs_changes_nothing() {
        let folder = Folder::new();
        let one = tuning(&folder, "one").run(&|_| true).unwrap();
        assert_eq!(one.pairs(), 40);
        assert_ne!(one, SpsaState { pairs: 40, ..SpsaState::new() });
        let three = Spsa { threads: 3, ..tuning(&folder, "three") }.run(&|_| true).unwrap();
        assert_eq!(three, one);
        // The run is stopped in the middle of each batch. Few more pairs are played before it ends.
        let parts = Spsa { threads: 2, ..tuning(&folder, "parts") };
        for stop in [9, 33] {
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
    fn a_run_with_other_settings_is_not_resumed() {
        let folder = Folder::new();
        let first = Spsa { pairs: 2, ..tuning(&folder, "a") };
        first.run(&|_| true).unwrap();
        let evaluation = Setting::Evaluation(EvaluationKind::Material);
        let with = |setting| [setting].into();
        for (other, part) in [
            (Spsa { seed: 4, ..first.clone() }, "seed"),
            (Spsa { nodes: 301, ..first.clone() }, "nodes"),
            (Spsa { settings: with(evaluation), ..first.clone() }, "evaluation"),
            (Spsa { settings: with(Setting::EgdbPieces(3)), ..first.clone() }, "databases"),
        ] {
            assert_other_run(other.run(&|_| true), part);
        }
        for text in ["", "{}", "{\"pairs\":5,\"values\":[1.0]}"] {
            fs::write(folder.path("a"), text).unwrap();
            let error = first.run(&|_| true).unwrap_err();
            assert!(matches!(error, GamesError::File(RunError::Foreign { .. })), "{text}");
        }
    }
}
