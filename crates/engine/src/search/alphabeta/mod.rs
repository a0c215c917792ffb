//! The engine's main search: principal variation search with iterative deepening, and the pruning, extensions
//! and reductions that gained strength in matches.

mod databases;
mod helpers;
mod multi_pv;
mod node;
mod node_state;
mod pruning;
mod quiescence;
mod root;
mod singular;
mod thread_search;

use std::thread;

use self::databases::examine_root;
use self::helpers::{StopHelpers, spawn_helpers};
use self::thread_search::{SharedSearch, ThreadSearch};
use super::observer::Observation;
use super::{SearchAnswer, SearchEvent, Task};
use crate::eval::Evaluation;

/// Searches until a limit is reached or the search is stopped. Reports progress through `on_event`. With an
/// observer, the search uses only one thread.
///
/// Every search reports at least one line and completes its first iteration, so that there is always an
/// answer.
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
        let _stop = StopHelpers(&shared.coordination);
        spawn_helpers(scope, &shared, 0);
        let observer = observer.map(|observer| observer as _);
        let first = ThreadSearch::new(&shared, 0);
        ThreadSearch { observer, on_event: Some(on_event), ..first }.deepen()
    });
    task.control.wait(task.limits.infinite);
    let counts = shared.coordination.counts();
    SearchAnswer { nodes: counts.nodes, tb_hits: counts.tb_hits, time: task.control.elapsed(), ..answer }
}

#[cfg(test)]
impl<'a> SharedSearch<'a> {
    /// Examines the root of a task for a test.
    fn of_task(task: &Task<'a>, threads: usize) -> Self {
        let evaluation = Evaluation::classic();
        Self::new(task, evaluation, examine_root(task, evaluation), threads)
    }
}
