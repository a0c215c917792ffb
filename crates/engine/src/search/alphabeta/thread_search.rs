//! The search of one thread, and what the threads of a search share.

use super::databases::{ExaminedRoot, RootEnding};
use crate::eval::{EvalCache, Evaluation, evaluation_error};
use crate::search::coordination::Coordination;
use crate::search::observer::Observation;
use crate::search::ordering::MoveHistory;
use crate::search::params::SearchParams;
use crate::search::path::SearchPath;
use crate::search::table::TranspositionTable;
use crate::search::tracker::LimitTracker;
use crate::search::{SearchEvent, Task};
use kelso_draughts::board::Position;

/// The input of a search, and the state that its threads share.
pub(super) struct SharedSearch<'a> {
    pub(super) task: Task<'a>,
    pub(super) evaluation: Evaluation<'a>,
    pub(super) root: ExaminedRoot<'a>,
    pub(super) coordination: Coordination,
}

impl<'a> SharedSearch<'a> {
    pub(super) fn new(
        task: &Task<'a>,
        evaluation: Evaluation<'a>,
        root: ExaminedRoot<'a>,
        threads: usize,
    ) -> Self {
        let coordination = Coordination::new(threads, root.nodes);
        Self { task: *task, evaluation, root, coordination }
    }
}

/// An iteration, which is numbered by its depth in plies.
#[derive(Default)]
pub(super) struct Iteration {
    pub(super) depth: usize,
    /// The deepest ply reached.
    pub(super) selective_depth: usize,
    /// The maximum ply to which lines are extended.
    pub(super) max_extended_ply: usize,
    /// The maximum ply to which lines are extended by captures.
    pub(super) max_extended_capture_ply: usize,
}

/// The search of one thread.
pub(super) struct ThreadSearch<'a> {
    pub(super) shared: &'a SharedSearch<'a>,
    pub(super) task: &'a Task<'a>,
    pub(super) table: &'a TranspositionTable,
    pub(super) tracker: LimitTracker<'a>,
    pub(super) path: SearchPath,
    pub(super) history: MoveHistory,
    pub(super) eval_cache: EvalCache,
    pub(super) iteration: Iteration,
    /// Whether this is the shallow search of ProbCut.
    pub(super) in_probcut: bool,
    pub(super) observer: Observation<'a>,
    /// The receiver of events; only the main search has one.
    pub(super) on_event: Option<&'a mut dyn FnMut(SearchEvent)>,
}

impl<'a> ThreadSearch<'a> {
    /// Creates the search of a thread, without an observer. The first thread is number 0.
    pub(super) fn new(shared: &'a SharedSearch<'a>, thread: usize) -> Self {
        let task = &shared.task;
        Self {
            shared,
            task,
            table: shared.root.table,
            tracker: LimitTracker::new(task.control, task.limits, task.options.move_overhead)
                .of_thread(&shared.coordination, thread),
            path: SearchPath::new(task.game, task.options.draws, shared.root.ending == RootEnding::Drawn),
            history: MoveHistory::new(),
            eval_cache: EvalCache::default(),
            iteration: Iteration::default(),
            in_probcut: false,
            observer: None,
            on_event: None,
        }
    }

    #[inline]
    pub(super) const fn params(&self) -> &'a SearchParams {
        &self.task.options.params
    }

    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let value = self.shared.evaluation.evaluate_incremental(&mut self.eval_cache, position, ply);
        match self.task.options.max_error {
            0 => value,
            max_error => value + evaluation_error(position, max_error),
        }
    }
}
