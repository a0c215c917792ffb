//! Tuning of a hand-made evaluation by mutation and tournament, the way of the programs before learning.
//!
//! A generation is a tournament: from the holder's weights a number of challengers are made, in each of which every weight is
//! moved by chance, by a share of itself at most; each challenger plays the holder from the same openings, with both colours.
//! The challenger with the best score goes on as the next holder if it scored more than half; otherwise the holder stays. So
//! a weight of 0 stays 0, and a sign never changes.
//!
//! Games are searched to a number of nodes with an empty table, and who plays from where follows from the seed, so that a
//! generation comes to the same with any number of threads, and if it was interrupted.

mod mutation;
mod state;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

pub use mutation::mutated;
pub use state::{TuneError, TuneState};

use super::duel::{Duel, points};
use common::chance::{self, SliceRandom};
use common::statistics::{Estimate, Pairs, Wdl};
use draughts::board::Game;
use engine::Setting;
use engine::eval::Sheet;
use players::openings;

/// How to tune.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The weights to begin with, and the evaluation that they are for.
    pub first: Sheet,
    /// What chance is made of.
    pub seed: u64,
    /// Challengers of a generation.
    pub challengers: usize,
    /// Pairs of games that each of them plays.
    pub pairs: usize,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// By what share of itself a weight is moved at most.
    pub reach: f64,
    /// How many games at the same time.
    pub threads: usize,
    /// The engines' settings.
    pub settings: Vec<Setting>,
    /// Where the state is kept.
    pub file: PathBuf,
}

/// What a generation came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u64,
    /// The best challenger, from 1.
    pub best: usize,
    /// Its games.
    pub score: Wdl,
    /// Whether it is the new holder.
    pub goes_on: bool,
}

/// Hears after each pair of games how many of the generation or the match are played, of how many; may end it.
pub type Watch<'a> = &'a (dyn Fn(usize, usize) -> bool + Sync);

/// The stream of chance for a purpose, which no generation has.
const CLOSING: u64 = u64::MAX;

impl Tournament {
    /// What was kept of an earlier run, or the beginning.
    ///
    /// # Errors
    ///
    /// When the file can't be used, or is that of another tournament.
    pub fn load(&self) -> Result<TuneState, TuneError> {
        TuneState::load(&self.file, self)
    }

    /// The weights of a challenger, from 0, in the generation that comes next.
    #[must_use]
    pub fn challenger(&self, state: &TuneState, index: usize) -> Sheet {
        let mut random = chance::stream(&[self.seed, state.generation, index as u64 + 1]);
        mutated(&self.holder(state), self.reach, &mut random)
    }

    /// The weights of the holder.
    #[must_use]
    pub fn holder(&self, state: &TuneState) -> Sheet {
        self.first.with(&state.holder)
    }

    /// Plays the next generation and keeps what it came to. None if `watch` ended it; what was played is kept, too.
    ///
    /// # Errors
    ///
    /// When the file can't be written, or the engine refuses a setting.
    pub fn generation(
        &self,
        state: &mut TuneState,
        watch: Watch<'_>,
    ) -> Result<Option<Generation>, TuneError> {
        let holder = self.holder(state);
        let challengers: Vec<Sheet> =
            (0..self.challengers).map(|index| self.challenger(state, index)).collect();
        let openings = self.openings(state.generation, self.pairs);
        let duels: Vec<_> =
            challengers.iter().flat_map(|sheet| openings.iter().map(move |game| (sheet, game))).collect();
        let whole = self.play(&holder, &duels, &mut state.played, watch)?;
        if !whole {
            state.store(&self.file)?;
            return Ok(None);
        }
        let scores: Vec<Wdl> =
            state.played.chunks(openings.len().max(1)).map(|results| counts(results).0).collect();
        // Of equal scores the first.
        let best = (0..scores.len()).rev().max_by_key(|&index| scores[index].half_points()).unwrap_or(0);
        let score = scores.get(best).copied().unwrap_or_default();
        let goes_on = score.half_points() > score.games();
        if let Some(sheet) = challengers.get(best).filter(|_| goes_on) {
            state.holder = sheet.values().to_vec();
        }
        state.generation += 1;
        state.played.clear();
        state.store(&self.file)?;
        Ok(Some(Generation { number: state.generation, best: best + 1, score, goes_on }))
    }

    /// Plays the holder against the weights that the tournament began with, from openings that follow from the seed, too.
    /// None if `watch` ended it.
    ///
    /// # Errors
    ///
    /// When the engine refuses a setting.
    pub fn closing(
        &self,
        state: &TuneState,
        pairs: usize,
        watch: Watch<'_>,
    ) -> Result<Option<(Wdl, Option<Estimate>)>, TuneError> {
        let holder = self.holder(state);
        let openings = self.openings(CLOSING, pairs);
        let duels: Vec<_> = openings.iter().map(|game| (&holder, game)).collect();
        let mut played = Vec::new();
        if !self.play(&self.first, &duels, &mut played, watch)? {
            return Ok(None);
        }
        let (wdl, pairs) = counts(&played);
        Ok(Some((wdl, Estimate::best(wdl, pairs))))
    }

    /// As many openings as asked for, each as often as any other or once more.
    fn openings(&self, stream: u64, count: usize) -> Vec<Game> {
        let mut all: Vec<Game> =
            openings::eleven_man().unwrap_or_default().iter().map(openings::Opening::game).collect();
        all.shuffle(&mut chance::stream(&[self.seed, stream, 0]));
        all.iter().cycle().take(count).cloned().collect()
    }

    /// Plays the pairs of games that have no result yet, each of a sheet against `other`. Says whether all are played.
    fn play(
        &self,
        other: &Sheet,
        pairs: &[(&Sheet, &Game)],
        played: &mut Vec<Option<[u8; 2]>>,
        watch: Watch<'_>,
    ) -> Result<bool, TuneError> {
        played.resize(pairs.len(), None);
        let missing: Vec<usize> = (0..pairs.len()).filter(|&index| played[index].is_none()).collect();
        let before = pairs.len() - missing.len();
        let duels: Vec<Duel> = (0..self.threads.clamp(1, missing.len().max(1)))
            .map(|_| self.duel())
            .collect::<Result<_, _>>()?;
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let results = Mutex::new((played, before));
        thread::scope(|scope| {
            for mut duel in duels {
                let (next, stopped, results, missing) = (&next, &stopped, &results, &missing);
                scope.spawn(move || {
                    while !stopped.load(Ordering::Relaxed)
                        && let Some(&index) = missing.get(next.fetch_add(1, Ordering::Relaxed))
                        && let Some((sheet, game)) = pairs.get(index)
                    {
                        duel.weigh(sheet, other);
                        let halves = [
                            half_points(points(duel.play(game, false))),
                            half_points(-points(duel.play(game, true))),
                        ];
                        let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        if let Some(result) = results.0.get_mut(index) {
                            *result = Some(halves);
                        }
                        results.1 += 1;
                        if !watch(results.1, pairs.len()) {
                            stopped.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let (played, _) = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(played.iter().all(Option::is_some))
    }

    fn duel(&self) -> Result<Duel, TuneError> {
        let mut settings = self.settings.clone();
        settings.push(Setting::Evaluation(self.first.evaluation()));
        Duel::new(&settings, self.nodes).map_err(TuneError::Setting)
    }
}

/// Points from -1 to 1 as halves from 0 to 2.
fn half_points(points: f64) -> u8 {
    match points {
        p if p > 0.0 => 2,
        p if p < 0.0 => 0,
        _ => 1,
    }
}

/// The results of pairs, by game and by pair.
fn counts(played: &[Option<[u8; 2]>]) -> (Wdl, Pairs) {
    let (mut wdl, mut pairs) = (Wdl::default(), Pairs::default());
    for halves in played.iter().flatten() {
        for &half in halves {
            wdl.add_half_points(half);
        }
        if let Some(count) = pairs.0.get_mut(usize::from(halves[0] + halves[1])) {
            *count += 1;
        }
    }
    (wdl, pairs)
}
