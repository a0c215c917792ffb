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

use std::thread;

use self::practical::{MoveRanks, examine_draw};
use self::root::{ExaminedRoot, root_moves};
use self::threads::{StopHelpers, spawn_helpers};
use super::{
    SearchAnswer, SearchEvent, Task, observer::Observation, ordering::MoveHistory, params::SearchParams,
    path::SearchPath, table::TranspositionTable, threads_state::ThreadsState, tracker::LimitTracker,
};
use crate::eval::{EvalCache, Evaluation, evaluation_error};
use kelso_draughts::board::Position;
use kelso_draughts::result::Wdl;

/// Searches until a limit is reached or the search is stopped. Reports progress through `on_event`. With an observer,
/// the search uses only one thread.
///
/// Every search reports at least one line and completes its first iteration, so that there is always an answer.
pub(crate) fn search(
    task: &Task<'_>,
    evaluation: Evaluation<'_>,
    observer: Observation<'_>,
    on_event: &mut dyn FnMut(SearchEvent),
) -> SearchAnswer {
    let threads = if observer.is_some() { 1 } else { task.options.threads };
    let shared = SharedSearch::new(task, evaluation, examine_root(task, evaluation), threads);
    shared.root.table.new_search();
    let answer = thread::scope(|scope| {
        let _stop = StopHelpers(&shared.threads);
        spawn_helpers(scope, &shared, 0);
        let observer = observer.map(|observer| observer as _);
        let first = ThreadSearch::new(&shared, 0);
        ThreadSearch { observer, on_event: Some(on_event), ..first }.deepen()
    });
    task.control.wait(task.limits.infinite);
    let counts = shared.threads.counts();
    SearchAnswer { nodes: counts.nodes, tb_hits: counts.tb_hits, time: task.control.elapsed(), ..answer }
}

/// Looks up the root in the databases and ranks its moves. If it is a known draw, searches the opponent's replies.
fn examine_root<'a>(task: &Task<'a>, evaluation: Evaluation<'a>) -> ExaminedRoot<'a> {
    let result = task.databases.probe(task.game.position());
    if result == Some(Wdl::Draw) {
        let MoveRanks { ranks, nodes } = examine_draw(task, evaluation);
        return ExaminedRoot {
            table: &task.memory.draw_table,
            result,
            moves: root_moves(task, &ranks),
            nodes,
        };
    }
    ExaminedRoot { table: &task.memory.table, result, moves: root_moves(task, &[]), nodes: 0 }
}

/// The input of a search, and the state that its threads share.
struct SharedSearch<'a> {
    task: Task<'a>,
    evaluation: Evaluation<'a>,
    root: ExaminedRoot<'a>,
    threads: ThreadsState,
}

impl<'a> SharedSearch<'a> {
    fn new(task: &Task<'a>, evaluation: Evaluation<'a>, root: ExaminedRoot<'a>, threads: usize) -> Self {
        let threads = ThreadsState::new(threads, root.nodes);
        Self { task: *task, evaluation, root, threads }
    }

    /// Examines the root of a task for a test.
    #[cfg(test)]
    fn of_task(task: &Task<'a>, threads: usize) -> Self {
        let evaluation = Evaluation::classic();
        Self::new(task, evaluation, examine_root(task, evaluation), threads)
    }

    /// Returns whether the root is a known draw, so that the search continues beyond known draws.
    #[inline]
    fn root_is_drawn(&self) -> bool {
        self.root.result == Some(Wdl::Draw)
    }
}

/// The search of one thread.
struct ThreadSearch<'a> {
    shared: &'a SharedSearch<'a>,
    task: &'a Task<'a>,
    table: &'a TranspositionTable,
    tracker: LimitTracker<'a>,
    path: SearchPath,
    history: MoveHistory,
    eval_cache: EvalCache,
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
    observer: Observation<'a>,
    /// The receiver of events; only the main search has one.
    on_event: Option<&'a mut dyn FnMut(SearchEvent)>,
}

impl<'a> ThreadSearch<'a> {
    /// Creates the search of a thread, without an observer. The first thread is number 0.
    fn new(shared: &'a SharedSearch<'a>, thread: usize) -> Self {
        let task = &shared.task;
        Self {
            shared,
            task,
            table: shared.root.table,
            tracker: LimitTracker::new(task.control, task.limits, task.options.move_overhead)
                .with_threads(&shared.threads, thread),
            path: SearchPath::new(task.game, task.options.draws, shared.root_is_drawn()),
            history: MoveHistory::new(),
            eval_cache: EvalCache::default(),
            selective_depth: 0,
            iteration: 0,
            max_extended_ply: 0,
            max_extended_capture_ply: 0,
            in_probcut: false,
            root_pieces: task.game.position().piece_count(),
            observer: None,
            on_event: None,
        }
    }

    #[inline]
    const fn params(&self) -> &'a SearchParams {
        &self.task.options.params
    }

    #[inline]
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let value = self.shared.evaluation.evaluate_incremental(&mut self.eval_cache, position, ply);
        match self.task.options.max_error {
            0 => value,
            max_error => value + evaluation_error(position, max_error),
        }
    }
}
