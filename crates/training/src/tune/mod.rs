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

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

pub use mutation::mutated;
use state::Header;
pub use state::{PairResult, TuneError, TuneFile, TuneState};

use super::duel::{Duel, points};
use common::chance::{self, SliceRandom};
use common::checkpoint::OpenMode;
use common::pool::{self, Queue};
use common::statistics::{Estimate, Pairs, Wdl};
use engine::EngineSettings;
use engine::Setting;
use engine::eval::TermWeights;
use players::openings;
use players::state::GameState;

/// How to tune.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The weights to begin with, and the evaluation that they are for.
    pub first: TermWeights,
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
    pub settings: EngineSettings,
    /// Where results are kept, to which `.state` is added.
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
pub type Watch<'a> = &'a dyn Fn(usize, usize) -> bool;

/// The stream of chance for a purpose, which no generation has.
const CLOSING: u64 = u64::MAX;

impl Tournament {
    /// Resumes the tournament, or begins it if there is no checkpoint.
    ///
    /// # Errors
    ///
    /// When the checkpoint cannot be used, or belongs to another tournament.
    pub fn resume(&self) -> Result<(TuneFile, TuneState), TuneError> {
        let mut results = BTreeMap::new();
        let mut seen = |PairResult { number, halves }| {
            if halves.iter().all(|&half| half <= 2) {
                results.insert(number, halves);
            }
        };
        let header = Header::new(self);
        let (file, _) = TuneFile::open(&self.file, header, OpenMode::RESUME, &mut seen)?;
        let mut state = TuneState { generation: 0, holder: self.first.values().to_vec(), played: Vec::new() };
        while !results.is_empty() {
            state.played = self.numbers(&state).map(|number| results.remove(&number)).collect();
            if self.conclude(&mut state).is_none() {
                break;
            }
        }
        Ok((file, state))
    }

    /// The numbers of the pairs of the generation that comes next.
    fn numbers(&self, state: &TuneState) -> Range<u64> {
        let size = (self.challengers * self.pairs) as u64;
        state.generation * size..(state.generation + 1) * size
    }

    /// The weights of a challenger, from 0, in the generation that comes next.
    #[must_use]
    pub fn challenger(&self, state: &TuneState, index: usize) -> TermWeights {
        let mut random = chance::stream(&[self.seed, state.generation, index as u64 + 1]);
        mutated(&self.holder(state), self.reach, &mut random)
    }

    /// The weights of the holder.
    #[must_use]
    pub fn holder(&self, state: &TuneState) -> TermWeights {
        self.first.with(&state.holder)
    }

    /// Plays the next generation and keeps its results. None if `watch` ended it.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or the engine refuses a setting.
    pub fn generation(
        &self,
        file: &mut TuneFile,
        state: &mut TuneState,
        watch: Watch<'_>,
    ) -> Result<Option<Generation>, TuneError> {
        let holder = self.holder(state);
        let challengers: Vec<TermWeights> =
            (0..self.challengers).map(|index| self.challenger(state, index)).collect();
        let openings = self.openings(state.generation, self.pairs);
        let duels: Vec<_> =
            challengers.iter().flat_map(|sheet| openings.iter().map(move |game| (sheet, game))).collect();
        let first = self.numbers(state).start;
        self.play(&holder, &duels, &mut state.played, watch, &mut |index, halves| {
            Ok(file.add(&PairResult { number: first + index as u64, halves })?)
        })?;
        Ok(self.conclude(state))
    }

    /// Ends a generation: its best challenger may be the new holder. None if not all of its pairs are played.
    fn conclude(&self, state: &mut TuneState) -> Option<Generation> {
        if !state.played.iter().all(Option::is_some) {
            return None;
        }
        let scores: Vec<Wdl> =
            state.played.chunks(self.pairs.max(1)).map(|results| counts(results).0).collect();
        // Of equal scores the first.
        let best = (0..scores.len()).rev().max_by_key(|&index| scores[index].half_points()).unwrap_or(0);
        let score = scores.get(best).copied().unwrap_or_default();
        let goes_on = score.half_points() > score.games();
        if goes_on {
            state.holder = self.challenger(state, best).values().to_vec();
        }
        state.generation += 1;
        state.played.clear();
        Some(Generation { number: state.generation, best: best + 1, score, goes_on })
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
        self.play(&self.first, &duels, &mut played, watch, &mut |_, _| Ok(()))?;
        if !played.iter().all(Option::is_some) {
            return Ok(None);
        }
        let (wdl, pairs) = counts(&played);
        Ok(Some((wdl, Estimate::best(wdl, pairs))))
    }

    /// As many openings as asked for, each as often as any other or once more.
    fn openings(&self, stream: u64, count: usize) -> Vec<GameState> {
        let mut all: Vec<GameState> =
            openings::eleven_man().unwrap_or_default().iter().map(openings::Opening::game).collect();
        all.shuffle(&mut chance::stream(&[self.seed, stream, 0]));
        all.iter().cycle().take(count).cloned().collect()
    }

    /// Plays the pairs of games that have no result yet, each of a sheet against `other`, and keeps each result.
    fn play(
        &self,
        other: &TermWeights,
        pairs: &[(&TermWeights, &GameState)],
        played: &mut Vec<Option<[u8; 2]>>,
        watch: Watch<'_>,
        keep: &mut dyn FnMut(usize, [u8; 2]) -> Result<(), TuneError>,
    ) -> Result<(), TuneError> {
        played.resize(pairs.len(), None);
        let missing: Vec<usize> = (0..pairs.len()).filter(|&index| played[index].is_none()).collect();
        let mut done = pairs.len() - missing.len();
        let count = self.threads.clamp(1, missing.len().max(1));
        let duels: Vec<Duel> = (0..count).map(|_| self.duel()).collect::<Result<_, _>>()?;
        let queue = Queue::new(missing);
        let play = |mut duel: Duel, report: &dyn Fn((usize, [u8; 2]))| {
            while let Some(index) = queue.next()
                && let Some((sheet, game)) = pairs.get(index)
            {
                duel.weigh(sheet, other);
                let halves = [points(duel.play(game, false)), -points(duel.play(game, true))];
                report((index, halves.map(half_points)));
            }
        };
        pool::run(
            duels,
            play,
            || queue.close(),
            |result| {
                if let Some((index, halves)) = result {
                    keep(index, halves)?;
                    played[index] = Some(halves);
                    done += 1;
                }
                Ok::<_, TuneError>(watch(done, pairs.len()))
            },
        )?;
        Ok(())
    }

    fn duel(&self) -> Result<Duel, TuneError> {
        let mut settings = self.settings.clone();
        settings.settings.push(Setting::Evaluation(self.first.evaluation()));
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
