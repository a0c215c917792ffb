//! A player of the laboratory.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{PlayerKind, PlayerSpec, Side};
use crate::profiler::{Phase, Profiler};
use crate::textbook::{Config, SearchCounts, Textbook, Transpositions};
use kelso_draughts::board::Move;
use kelso_draughts::referee::DrawRules;
use kelso_engine::search::{Control, MAX_DEPTH, MAX_PLY, SearchEvent};
use kelso_engine::{Engine, Setting, SettingError};
use kelso_players::player::{Player, PlayerError, SearchResult, Turn};
use kelso_players::session::ProtocolPlayer;
use kelso_random::{IndexedRandom, Random};
use kelso_runtime::sync::lock;

/// A player of the laboratory, with its table and its results.
#[derive(Debug)]
pub struct LabPlayer {
    spec: PlayerSpec,
    state: PlayerState,
    /// Records the phases of its searches.
    pub(super) profiler: Option<Arc<Profiler>>,
    /// The random numbers of the game, shared by both players.
    random: Arc<Mutex<Random>>,
    /// Search counts of the current game.
    counts: SearchCounts,
    pub(super) record: Side,
}

#[derive(Debug)]
enum PlayerState {
    Random,
    Textbook(Config, Transpositions),
    AlphaBeta(Box<Engine>),
}

const TABLE_MEBIBYTES: usize = 16;

impl LabPlayer {
    /// Creates a player with an empty table for games with these draw rules, which textbook searchers ignore.
    ///
    /// # Errors
    ///
    /// If the table cannot be allocated.
    pub fn new(spec: PlayerSpec, draws: DrawRules) -> Result<Self, SettingError> {
        let state = match spec.kind {
            PlayerKind::Random => PlayerState::Random,
            PlayerKind::Textbook(config) => {
                PlayerState::Textbook(config, Transpositions::for_depth(spec.limits.depth.unwrap_or(MAX_PLY)))
            }
            PlayerKind::AlphaBeta(evaluation) => {
                let table = Setting::Hash(TABLE_MEBIBYTES);
                let options = [table, Setting::Evaluation(evaluation), Setting::DrawRule(draws)];
                PlayerState::AlphaBeta(Engine::new(options)?.into())
            }
        };
        Ok(Self {
            spec,
            state,
            profiler: None,
            random: Arc::new(Mutex::new(kelso_random::stream(&[]))),
            counts: SearchCounts::default(),
            record: Side::default(),
        })
    }

    /// Clears the tables, so that a game does not depend on earlier ones.
    pub(super) fn begin_game(&mut self, random: &Arc<Mutex<Random>>) {
        self.random = random.clone();
        match &mut self.state {
            PlayerState::Random => {}
            PlayerState::Textbook(_, table) => table.clear(),
            PlayerState::AlphaBeta(engine) => engine.new_game(),
        }
    }

    /// Adds a game to the record.
    pub(super) fn end_game(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        self.record.depths += counts.deepest as u64;
        self.record.counts += counts;
    }

    /// Returns the player's move, if there is one, and adds the counts of its search to the totals.
    fn choose(&mut self, turn: &Turn<'_>) -> Option<Move> {
        let limits = &turn.limits.within(&self.spec.limits);
        let game = turn.game;
        let counts = &mut self.counts;
        let control = Control::stopped_by(turn.stop);
        match &mut self.state {
            PlayerState::Random => game.position().moves().choose(&mut *lock(&self.random)).copied(),
            PlayerState::Textbook(config, table) => {
                // When a search is stopped, only iterative deepening has a move to return.
                let depth_only = limits.depth.is_some() && limits.nodes.is_none() && limits.time.is_none();
                let deepening = config.deepening || !depth_only || limits.infinite;
                let config = Config { deepening, ..*config };
                let profiler = self.profiler.as_deref();
                if let Some(profiler) = profiler {
                    profiler.begin(Phase::Rest);
                }
                let evaluation = self.spec.evaluation.evaluation;
                let mut search =
                    Textbook::new(config, evaluation, table, &control, limits).profiled(profiler);
                let depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
                let result = match turn.report {
                    None => search.search(game.position(), depth),
                    Some(report) => search.search_with_reports(game.position(), depth, &mut |line| {
                        SearchResult::of_line(line).iter().for_each(report);
                    }),
                };
                *counts += search.counts;
                result.best
            }
            PlayerState::AlphaBeta(engine) => {
                let answer = engine.search(game, limits, &control, &mut |event| {
                    let SearchEvent::Line(line) = event else { return };
                    counts.deepest = counts.deepest.max(line.selective_depth);
                    if let Some(report) = turn.report {
                        SearchResult::of_line(line).iter().for_each(report);
                    }
                });
                counts.explored += answer.nodes;
                answer.best
            }
        }
    }
}

impl Player for LabPlayer {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        let start_time = thread_time();
        let mv = self.choose(turn);
        if let Some(profiler) = &self.profiler {
            profiler.end();
        }
        let mv = mv.ok_or_else(PlayerError::no_move)?;
        self.record.moves += 1;
        self.record.time += thread_time().saturating_sub(start_time);
        Ok(SearchResult::of(mv))
    }
}

/// The player as an engine.
impl ProtocolPlayer for LabPlayer {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn new_game(&mut self) {
        let random = self.random.clone();
        self.begin_game(&random);
    }
}

/// Returns the processor time of this thread, which other programs on the machine do not affect.
#[cfg(unix)]
#[expect(clippy::expect_used, reason = "the clock starts at 0 with the thread")]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().expect("processor time is not negative")
}

/// Returns the time since the first call, since this system does not report processor time.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
