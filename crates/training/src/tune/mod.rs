//! Tuning of the handcrafted evaluation by mutation and tournament, as programs did before machine learning.
//!
//! A generation is a tournament: challengers are copies of the champion in which every weight is changed by a
//! random share of itself. Each challenger plays the champion from the same openings with both colours. The
//! challenger with the best score becomes the champion if it scored more than half. Since changes are
//! relative, a weight of 0 stays 0, and signs never change.
//!
//! Searches have a node limit and start with an empty table, and openings depend only on the seed, so the
//! result does not depend on the number of threads or on interruptions.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::duel::{Duel, ballots, play_missing};
use super::engines::{GamesError, options_text};
use kelso_draughts::board::Game;
use kelso_draughts::result::{Wdl, WdlCounts};
use kelso_engine::EngineSettings;
use kelso_engine::Setting;
use kelso_engine::eval::{EvaluationKind, TermWeights};
use kelso_reports::statistics::{Estimate, Pairs};
use kelso_runs::checkpoint::{Checkpoint, CheckpointHeader, ResumePolicy};
use kelso_runs::rng::{self, Random, RngExt, SliceRandom};

/// The settings of a tournament.
#[derive(Clone, Debug)]
pub struct MutationTournament {
    /// The initial weights.
    pub first: TermWeights,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Number of challengers per generation.
    pub challengers: usize,
    /// Number of pairs of games per challenger.
    pub pairs: usize,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Maximum relative change of a weight.
    pub reach: f64,
    /// Number of concurrent games.
    pub threads: usize,
    pub settings: EngineSettings,
    /// Path of the checkpoint, without `.state`.
    pub file: PathBuf,
}

/// The settings that must not change when a run is resumed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MutationHeader {
    evaluation: String,
    /// Checksum of the initial weights.
    weights: u32,
    seed: u64,
    challengers: usize,
    pairs: usize,
    nodes: u64,
    reach: f64,
    options: String,
}

/// The result of a pair of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MutationPair {
    /// Number of the pair, counted over all generations.
    #[serde(rename = "n")]
    pub number: u64,
    /// The challenger's half points with Black and with White.
    pub halves: [u8; 2],
}

impl CheckpointHeader for MutationHeader {
    type Item = MutationPair;
    const FORMAT: &'static str = "kelso_tune";
    const JOB: &'static str = "tournament";
    const EXTENSION: &'static str = ".state";
    const REMEDY: Option<&'static str> = Some("remove this line to play its games again");

    fn number(pair: &MutationPair) -> u64 {
        pair.number
    }
}

/// The state of a tournament, as determined by the results of its pairs.
#[derive(Clone, PartialEq, Debug)]
pub struct MutationState {
    /// Number of finished generations.
    pub generation: u64,
    champion: Vec<i32>,
    /// Results of pairs that have not been counted yet.
    played: BTreeMap<u64, MutationPair>,
}

/// The result of a generation.
#[derive(Clone, PartialEq, Debug)]
pub struct Generation {
    /// Number of the generation, from 1.
    pub number: u64,
    /// Number of the best challenger, from 1.
    pub best: usize,
    /// Results of the best challenger.
    pub score: WdlCounts,
    /// Whether the best challenger becomes the champion.
    pub is_champion: bool,
}

/// Called after each pair of games with the number of pairs played and the total. Returns `false` to stop.
pub type OnGame<'a> = &'a dyn Fn(usize, usize) -> bool;

/// The RNG stream of the final match; no generation uses it.
const FINAL_MATCH_STREAM: u64 = u64::MAX;

impl MutationTournament {
    /// Resumes the tournament, or begins it if there is no checkpoint.
    pub fn resume(&self) -> Result<(Checkpoint<MutationHeader>, MutationState), GamesError> {
        // Reject invalid options before the checkpoint is created.
        self.settings.build_checked(1)?;
        let mut played = BTreeMap::new();
        let mut seen = |pair: MutationPair| {
            if pair.halves.iter().all(|&half| half <= 2) {
                played.insert(pair.number, pair);
            }
        };
        let (file, _) = Checkpoint::open(&self.file, self.header(), ResumePolicy::RESUME, &mut seen)?;
        let mut state = MutationState { generation: 0, champion: self.first.values().to_vec(), played };
        while !state.played.is_empty() && self.conclude(&mut state).is_some() {}
        Ok((file, state))
    }

    fn header(&self) -> MutationHeader {
        MutationHeader {
            evaluation: EvaluationKind::Classic.name().to_owned(),
            weights: self.first.checksum(),
            seed: self.seed,
            challengers: self.challengers,
            pairs: self.pairs,
            nodes: self.nodes,
            reach: self.reach,
            options: options_text(&self.settings),
        }
    }

    /// Returns the numbers of the pairs of the next generation.
    fn numbers(&self, state: &MutationState) -> Range<u64> {
        let size = (self.challengers * self.pairs) as u64;
        state.generation * size..(state.generation + 1) * size
    }

    /// Returns the weights of a challenger of the next generation. Challengers are counted from 0.
    pub fn challenger(&self, state: &MutationState, index: usize) -> TermWeights {
        let mut random = rng::stream(&[self.seed, state.generation, index as u64 + 1]);
        mutated(&self.champion(state), self.reach, &mut random)
    }

    pub fn champion(&self, state: &MutationState) -> TermWeights {
        self.first.with(&state.champion)
    }

    /// Plays the next generation and records its results. Returns `None` if `on_progress` stopped it.
    pub fn generation(
        &self,
        file: &mut Checkpoint<MutationHeader>,
        state: &mut MutationState,
        on_progress: OnGame<'_>,
    ) -> Result<Option<Generation>, GamesError> {
        let champion = self.champion(state);
        let challengers: Vec<TermWeights> =
            (0..self.challengers).map(|index| self.challenger(state, index)).collect();
        let openings = self.openings(state.generation, self.pairs);
        let duels: Vec<_> =
            challengers.iter().flat_map(|weights| openings.iter().map(move |game| (weights, game))).collect();
        let first = self.numbers(state).start;
        self.play(first, &champion, &duels, &mut state.played, on_progress, &mut |pair| Ok(file.add(pair)?))?;
        Ok(self.conclude(state))
    }

    /// Ends a generation: its best challenger may become the champion. Returns `None` if pairs are missing.
    fn conclude(&self, state: &mut MutationState) -> Option<Generation> {
        let numbers = self.numbers(state);
        let played: Vec<MutationPair> =
            numbers.clone().map_while(|number| state.played.get(&number).copied()).collect();
        if (played.len() as u64) < numbers.end - numbers.start {
            return None;
        }
        let scores: Vec<WdlCounts> =
            played.chunks(self.pairs.max(1)).map(|results| counts(results).0).collect();
        // Ties go to the first challenger.
        let (best, &score) = scores.iter().enumerate().rev().max_by_key(|(_, score)| score.half_points())?;
        let is_champion = score.half_points() > score.total();
        if is_champion {
            state.champion = self.challenger(state, best).values().to_vec();
        }
        state.generation += 1;
        state.played = state.played.split_off(&numbers.end);
        Some(Generation { number: state.generation, best: best + 1, score, is_champion })
    }

    /// Plays a final match of the champion against the initial weights, from openings that depend on the
    /// seed. Returns `None` if `on_progress` stopped it.
    pub fn final_match(
        &self,
        state: &MutationState,
        pairs: usize,
        on_progress: OnGame<'_>,
    ) -> Result<Option<(WdlCounts, Option<Estimate>)>, GamesError> {
        let champion = self.champion(state);
        let openings = self.openings(FINAL_MATCH_STREAM, pairs);
        let duels: Vec<_> = openings.iter().map(|game| (&champion, game)).collect();
        let mut played = BTreeMap::new();
        self.play(0, &self.first, &duels, &mut played, on_progress, &mut |_| Ok(()))?;
        if played.len() < pairs {
            return Ok(None);
        }
        let (wdl, pairs) = counts(played.values());
        Ok(Some((wdl, Estimate::best(wdl, pairs))))
    }

    /// Returns `count` openings, in which every opening occurs equally often, give or take one.
    fn openings(&self, stream: u64, count: usize) -> Vec<Game> {
        let mut all = ballots();
        all.shuffle(&mut rng::stream(&[self.seed, stream, 0]));
        all.iter().cycle().take(count).cloned().collect()
    }

    /// Plays the pairs of games that have no result yet, numbered from `first`. Each pair is played between
    /// its own weights and `other`.
    fn play(
        &self,
        first: u64,
        other: &TermWeights,
        pairs: &[(&TermWeights, &Game)],
        played: &mut BTreeMap<u64, MutationPair>,
        on_progress: OnGame<'_>,
        keep: &mut dyn FnMut(&MutationPair) -> Result<(), GamesError>,
    ) -> Result<(), GamesError> {
        let mut settings = self.settings.clone();
        settings.settings.push(Setting::Evaluation(EvaluationKind::Classic));
        let mut duels = Duel::for_threads(self.threads.min(pairs.len()), &settings, self.nodes)?;
        let play = |duel: &mut Duel, number: u64| {
            #[expect(clippy::expect_used, reason = "the numbers of the pairs begin with the first")]
            let index = usize::try_from(number - first).expect("an index of a pair");
            let (weights, game) = pairs[index];
            duel.set_weights(weights, other);
            Ok(MutationPair { number, halves: duel.play_pair(game)? })
        };
        let numbers = first..first + pairs.len() as u64;
        play_missing(&mut duels, numbers, played, play, keep, &mut |done| on_progress(done, pairs.len()))
    }
}

/// Counts the results by game and by pair.
fn counts<'a>(played: impl IntoIterator<Item = &'a MutationPair>) -> (WdlCounts, Pairs) {
    let (mut wdl, mut pairs) = (WdlCounts::default(), Pairs::default());
    for MutationPair { halves, .. } in played {
        halves.iter().filter_map(|&half| Wdl::from_half_points(half)).for_each(|value| wdl.count(value));
        pairs.add_half_points(halves[0] + halves[1]);
    }
    (wdl, pairs)
}

/// Number of steps of the mutation range.
const RANGE_STEPS: usize = 2000;

/// Returns a copy in which each weight is changed by a random fraction of itself, at most `range`.
fn mutated(weights: &TermWeights, range: f64, random: &mut Random) -> TermWeights {
    let values: Vec<i32> = weights
        .values()
        .iter()
        .map(|&value| {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let share = random.random_range(0..=RANGE_STEPS) as f64 / (RANGE_STEPS / 2) as f64 - 1.0;
            #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
            let change = (f64::from(value) * range * share).round() as i32;
            value.saturating_add(change)
        })
        .collect();
    weights.with(&values)
}
