//! A player of the laboratory.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::{PlayerKind, PlayerSpec, REGISTRY, Side};
use crate::textbook::{Config, SearchCounts, Textbook, Transpositions};
use draughts::board::Move;
use engine::search::{Control, MAX_PLY, Profiler, SearchEvent, SearchPhase};
use engine::{Engine, Setting, SettingError};
use players::game::{Player, PlayerError, SearchResult, Turn};
use runtime::rng::{self, IndexedRandom, Random};

/// A player in a series of games, with its table and its results.
#[derive(Debug)]
pub(super) struct LabPlayer {
    spec: PlayerSpec,
    state: PlayerState,
    /// Records the phases of its searches.
    pub(super) profiler: Option<Arc<Profiler>>,
    /// The random numbers of the game, shared by both players.
    random: Rc<RefCell<Random>>,
    /// Search counts of the current game.
    counts: SearchCounts,
    pub(super) record: Side,
}

#[derive(Debug)]
enum PlayerState {
    Random,
    Textbook(Config, Transpositions),
    Engine(Box<Engine>),
}

const TABLE_MEBIBYTES: usize = 16;

impl LabPlayer {
    pub(super) fn new(spec: PlayerSpec) -> Result<Self, SettingError> {
        let state = match spec.kind {
            PlayerKind::Random => PlayerState::Random,
            PlayerKind::Textbook(config) => {
                PlayerState::Textbook(config, Transpositions::for_depth(spec.limits.depth.unwrap_or(MAX_PLY)))
            }
            PlayerKind::Engine(searcher) => {
                let mut engine =
                    Engine::new(TABLE_MEBIBYTES).map_err(SettingError::Memory)?.with_registry(REGISTRY);
                engine.apply(Setting::Evaluation(spec.evaluation))?;
                engine.apply(Setting::Searcher(searcher))?;
                PlayerState::Engine(Box::new(engine))
            }
        };
        let random = Rc::new(RefCell::new(rng::stream(&[])));
        Ok(Self {
            spec,
            state,
            profiler: None,
            random,
            counts: SearchCounts::default(),
            record: Side::default(),
        })
    }

    fn mark(&self, phase: SearchPhase) {
        if let Some(profiler) = &self.profiler {
            profiler.set(phase);
        }
    }

    /// Clears the tables, so that a game does not depend on earlier ones.
    pub(super) fn begin_game(&mut self, random: &Rc<RefCell<Random>>) {
        self.random = random.clone();
        match &mut self.state {
            PlayerState::Random => {}
            PlayerState::Textbook(_, table) => table.clear(),
            PlayerState::Engine(engine) => engine.new_game(),
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
        let (game, limits, counts) = (turn.game, &self.spec.limits, &mut self.counts);
        let control = Control::under(turn.stop).with_profiler(self.profiler.clone());
        match &mut self.state {
            PlayerState::Random => game.position().moves().choose(&mut *self.random.borrow_mut()).copied(),
            PlayerState::Textbook(config, table) => {
                let evaluation = self.spec.evaluation.evaluator();
                let mut search = Textbook::new(*config, evaluation, table, &control, limits, None);
                let found = search.search(game.position(), limits.depth.unwrap_or(MAX_PLY - 1));
                *counts += search.counts();
                found.best
            }
            PlayerState::Engine(engine) => {
                let answer = engine.search(game, limits, &control, &mut |event| {
                    if let SearchEvent::Line(report) = event {
                        counts.deepest = counts.deepest.max(report.selective_depth);
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
        if self.spec.kind != PlayerKind::Random {
            self.mark(SearchPhase::Rest);
        }
        let mv = self.choose(turn);
        self.mark(SearchPhase::Idle);
        let mv = mv.ok_or_else(PlayerError::no_move)?;
        self.record.moves += 1;
        self.record.time += thread_time().saturating_sub(start_time);
        Ok(SearchResult::of(mv))
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
