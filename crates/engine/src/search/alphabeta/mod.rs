//! The engine's main search: principal variation search with iterative deepening, and the pruning, extensions
//! and reductions that gained strength in matches.

mod databases;
mod multi_pv;
mod node;
mod node_state;
mod practical;
mod pruning;
mod quiescence;
mod root;
mod singular;
mod threads;

pub use self::practical::PracticalMemory;

use std::thread;

use self::practical::Chances;
use self::threads::{StopHelpers, spawn_helpers};
use super::{
    SearchAlgorithm, SearchAnswer, SearchEvent, Task, control::LimitTracker, observer::Observation,
    ordering::MoveHistory, params::SearchParams, path::SearchPath, profiler::SearchPhase,
    shared_state::ThreadsState,
};
use crate::eval::{Accumulators, Evaluate};
use draughts::board::Position;
use draughts::result::Wdl;

/// Searches until a limit is reached or the search is stopped. Reports progress through `on_event`.
///
/// Every search reports at least one line and completes its first iteration, so that there is always an
/// answer.
///
/// With an observer, the search uses only one thread.
pub fn search(
    task: &Task<'_>,
    evaluation: &dyn Evaluate,
    observer: Observation<'_>,
    on_event: &mut dyn FnMut(SearchEvent),
) -> SearchAnswer {
    let task = &practical::with_draw_table(task);
    task.table.new_search();
    let threads = if observer.is_some() { 1 } else { task.options.threads };
    let chances =
        if observer.is_some() { Chances::default() } else { practical::examine_draw(task, evaluation) };
    let ranks = chances.ranks(&task.options.params);
    let shared_state = ThreadsState::new(threads, chances.nodes, ranks);
    let answer = thread::scope(|scope| {
        let _stop = StopHelpers(&shared_state);
        spawn_helpers(scope, task, evaluation, &shared_state, 0);
        ThreadSearch::new(task, evaluation, &shared_state, 0, observer.map(|observer| observer as _))
            .deepen(on_event)
    });
    task.control.wait(task.limits.infinite);
    let counts = shared_state.counts();
    SearchAnswer { nodes: counts.nodes, tb_hits: counts.tb_hits, time: task.control.elapsed(), ..answer }
}

/// The engine's own search, in a registry.
pub struct AlphaBeta;

impl SearchAlgorithm for AlphaBeta {
    fn search(
        &self,
        task: &Task<'_>,
        evaluation: &dyn Evaluate,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> SearchAnswer {
        search(task, evaluation, None, on_event)
    }
}

struct ThreadSearch<'a> {
    task: &'a Task<'a>,
    evaluation: &'a dyn Evaluate,
    shared_state: &'a ThreadsState,
    tracker: LimitTracker<'a>,
    path: SearchPath,
    history: MoveHistory,
    accumulators: Accumulators,
    /// The deepest ply reached in this iteration.
    selective_depth: usize,
    iteration: usize,
    /// The maximum ply to which lines are extended.
    max_extended_ply: usize,
    /// The maximum ply to which lines are extended by captures.
    max_extended_capture_ply: usize,
    /// Whether this is the shallow search of ProbCut.
    in_probcut: bool,
    root_pieces: u32,
    /// The database result of the root, for its side to move.
    root_result: Option<Wdl>,
    /// The root is a known draw, so the search continues beyond known draws.
    drawn_root: bool,
    /// Whether this is the first iteration, which is completed regardless of the limits.
    must_finish: bool,
    observer: Observation<'a>,
}

impl<'a> ThreadSearch<'a> {
    /// Creates the search of one thread. The first thread is number 0.
    fn new(
        task: &'a Task<'a>,
        evaluation: &'a dyn Evaluate,
        shared_state: &'a ThreadsState,
        thread: usize,
        observer: Observation<'a>,
    ) -> Self {
        let root_result = task.databases.probe(task.game.position());
        let drawn_root = root_result == Some(Wdl::Draw);
        Self {
            task,
            evaluation,
            shared_state,
            tracker: LimitTracker::new(task.control, task.limits, task.options.move_overhead)
                .with_shared_state(shared_state, thread),
            path: SearchPath::new(task.game, if drawn_root { 1 } else { 2 }),
            history: MoveHistory::new(),
            accumulators: Accumulators::default(),
            selective_depth: 0,
            iteration: 0,
            max_extended_ply: 0,
            max_extended_capture_ply: 0,
            in_probcut: false,
            root_pieces: task.game.position().piece_count(),
            root_result,
            drawn_root,
            must_finish: thread == 0,
            observer,
        }
    }

    #[inline]
    const fn params(&self) -> &'a SearchParams {
        &self.task.options.params
    }

    #[inline]
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let Self { evaluation, accumulators, .. } = self;
        self.tracker
            .timed(SearchPhase::Evaluation, || evaluation.evaluate_incremental(accumulators, position, ply))
    }

    /// Counts a node. Returns whether to end the search or this iteration.
    #[inline]
    fn should_stop(&mut self) -> bool {
        self.tracker.count() && !self.must_finish
    }
}
