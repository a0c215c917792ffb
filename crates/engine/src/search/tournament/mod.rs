//! The search that plays: principal variation search on iterative deepening, with everything that has shown in matches
//! that it helps.

mod databases;
mod margins;
mod multi_pv;
mod node;
mod node_state;
mod pruning;
mod quiescence;
mod root;
mod root_move;
mod singular;
mod threads;

pub use self::margins::{MARGINS, Margin, Margins};
use super::event::{Answer, Event};
use super::score::Score;
use super::{
    Task, control::LimitTracker, line::Variations, observer::SearchObserver, ordering::MoveHistory,
    path::Path, shared_state::SharedState,
};
use crate::eval::{Accumulators, Evaluate};
use draughts::board::Position;
use endgames::Wld;

/// Searches until a limit is reached or the search is stopped. Reports progress through `on_event`.
///
/// Every search reports at least one line and completes its first iteration, so that there is always an answer.
pub fn search<E: Evaluate + ?Sized>(
    task: &Task<'_>,
    evaluation: &E,
    on_event: &mut dyn FnMut(Event),
) -> Answer {
    task.table.age();
    let shared_state = SharedState::new(task.options.threads);
    let lines = threads::search(task, evaluation, &shared_state, on_event);
    answer(task, &shared_state, &lines)
}

/// Searches on one thread, with an observer.
pub fn observed(
    task: &Task<'_>,
    evaluation: &dyn Evaluate,
    observer: &mut dyn SearchObserver<Score>,
    on_event: &mut dyn FnMut(Event),
) -> Answer {
    task.table.age();
    let shared_state = SharedState::new(1);
    let lines = Search::new(task, evaluation, &shared_state, 0, observer).deepen(on_event);
    answer(task, &shared_state, &lines)
}

fn answer(task: &Task<'_>, shared_state: &SharedState, lines: &Variations) -> Answer {
    task.control.wait(task.limits.infinite);
    let best = lines.first().map(|found| &found.line);
    let at = |ply| best.and_then(|line| line.get(ply)).copied();
    Answer { best: at(0), ponder: at(1), nodes: shared_state.counts().nodes }
}

/// One thread's search.
struct Search<'a, E: Evaluate + ?Sized, W: SearchObserver<Score>> {
    task: &'a Task<'a>,
    evaluation: &'a E,
    shared_state: &'a SharedState,
    tracker: LimitTracker<'a>,
    path: Path,
    history: MoveHistory,
    accumulators: Accumulators,
    /// The deepest ply of this iteration.
    selective_depth: usize,
    /// The depth of this iteration.
    iteration: usize,
    /// No line gets longer than this by extensions.
    max_extended_ply: usize,
    /// Within the shallower search of ProbCut.
    in_probcut: bool,
    /// Pieces at the root.
    root_pieces: u32,
    /// The result of the root by the databases, for its side to move.
    root_result: Option<Wld>,
    /// The first iteration is completed whatever the limits say.
    must_finish: bool,
    observer: W,
}

impl<'a, E: Evaluate + ?Sized, W: SearchObserver<Score>> Search<'a, E, W> {
    /// For the thread in this thread; the first is 0.
    fn new(
        task: &'a Task<'a>,
        evaluation: &'a E,
        shared_state: &'a SharedState,
        thread: usize,
        observer: W,
    ) -> Self {
        Self {
            task,
            evaluation,
            shared_state,
            tracker: LimitTracker::new(task.control, task.limits, task.options.move_overhead)
                .with_shared_state(shared_state, thread),
            path: Path::new(task.game),
            history: MoveHistory::new(),
            accumulators: Accumulators::default(),
            selective_depth: 0,
            iteration: 0,
            max_extended_ply: 0,
            in_probcut: false,
            root_pieces: task.game.position().piece_count(),
            root_result: task.databases.probe(task.game.position()),
            must_finish: thread == 0,
            observer,
        }
    }

    /// Evaluates a position for the side to move.
    #[inline]
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.evaluation.evaluate_incremental(&mut self.accumulators, position, ply)
    }

    /// Counts a node, and says whether the search, or this iteration of it, is to end.
    #[inline]
    fn should_stop(&mut self) -> bool {
        self.tracker.count() && !self.must_finish
    }
}
