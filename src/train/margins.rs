//! Tuning of the search's margins by many short games: simultaneous perturbation (Spall, 1992).
//!
//! Every pair of games is played between two copies of the engine, in one of which each margin is a step higher or lower
//! by chance, in the other the opposite. All margins then move a little towards the copy that scored more. Which margins
//! matter shows in time, since what doesn't matter moves by chance alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use serde::{Deserialize, Serialize};

use super::duel::{Duel, points};
use super::file::FileError;
use crate::arena::openings;
use crate::board::Game;
use crate::common::chance::{self, IndexedRandom, RngExt};
use crate::common::file::{self, WriteError};
use crate::engine::{Setting, SettingError};
use crate::search::{MARGINS, Margins};

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
    /// Pairs of games played.
    pub pairs: u64,
    /// The margins as they have moved, in the order of their declaration.
    pub values: Vec<f64>,
}

/// How far margins move at the beginning for a pair that one copy wins, in their steps; at the end a tenth of that.
const GAIN: f64 = 0.03;
/// The state is written this often.
const KEEP: u64 = 64;

impl Default for MarginsState {
    fn default() -> Self {
        Self { pairs: 0, values: MARGINS.iter().map(|margin| margin.default.into()).collect() }
    }
}

impl MarginsState {
    fn load(path: &Path) -> io::Result<Self> {
        match fs::read_to_string(path) {
            Ok(text) => {
                let state: Self = serde_json::from_str(&text).map_err(io::Error::other)?;
                if state.values.len() == COUNT {
                    Ok(state)
                } else {
                    Err(io::Error::other(format!("{} margins, expected {COUNT}", state.values.len())))
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
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
    /// The engine refuses a setting.
    Setting(SettingError),
}

impl std::fmt::Display for MarginsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
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
    /// When the file can't be used, or the engine refuses a setting.
    pub fn run(&self, watch: &(dyn Fn(&MarginsState) -> bool + Sync)) -> Result<MarginsState, MarginsError> {
        let state =
            MarginsState::load(&self.file).map_err(|error| FileError::System(self.file.clone(), error));
        let state = Mutex::new(state.map_err(MarginsError::File)?);
        let games: Vec<Game> =
            openings::eleven_man().unwrap_or_default().iter().map(openings::Opening::game).collect();
        let duels: Vec<Duel> = (0..self.threads.max(1))
            .map(|_| Duel::new(&self.settings, self.nodes))
            .collect::<Result<_, _>>()
            .map_err(MarginsError::Setting)?;
        let result: Result<(), FileError> = thread::scope(|scope| {
            let threads: Vec<_> = duels
                .into_iter()
                .enumerate()
                .map(|(thread, duel)| {
                    let (state, games) = (&state, &games);
                    scope.spawn(move || self.play(duel, thread as u64, games, state, watch))
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
        });
        result.map_err(MarginsError::File)?;
        let state = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.store(&self.file).map_err(|error| MarginsError::File(error.into()))?;
        Ok(state)
    }

    fn play(
        &self,
        mut duel: Duel,
        thread: u64,
        games: &[Game],
        state: &Mutex<MarginsState>,
        watch: &(dyn Fn(&MarginsState) -> bool + Sync),
    ) -> Result<(), FileError> {
        let lock = || state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut random = chance::stream(&[self.seed, thread, lock().pairs]);
        loop {
            let before = lock().clone();
            if before.pairs >= self.pairs || !watch(&before) {
                return Ok(());
            }
            let signs: [f64; COUNT] =
                std::array::from_fn(|_| if random.random_bool(0.5) { 1.0 } else { -1.0 });
            let change = |sign: f64| {
                before.with(|index| sign * signs[index] * f64::from(MARGINS.get(index).map_or(0, |m| m.step)))
            };
            duel.set(change(1.0), change(-1.0));
            let Some(game) = games.choose(&mut random) else { return Ok(()) };
            let won = points(duel.play(game, false)) - points(duel.play(game, true));
            let mut now = lock();
            #[expect(clippy::cast_precision_loss, reason = "a share")]
            let done = now.pairs as f64 / self.pairs.max(1) as f64;
            let gain = GAIN * (1.0 - 0.9 * done.min(1.0));
            for ((value, margin), sign) in now.values.iter_mut().zip(&MARGINS).zip(signs) {
                let (low, high) = margin.range;
                *value = (*value + gain * won * sign * f64::from(margin.step)).clamp(low.into(), high.into());
            }
            now.pairs += 1;
            if now.pairs % KEEP == 0 {
                now.store(&self.file)?;
            }
        }
    }
}
