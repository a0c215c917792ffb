//! The helper threads of a parallel search. All threads search the same position and share the table. Far
//! from the leaves, each thread marks the positions of its line as
//! [busy](crate::search::coordination::BusyPositions), so that other threads search different subtrees first.
//! An iteration that one thread has finished counts for all. Only the first thread checks the time, reports
//! events and returns the result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope};

use super::thread_search::{SharedSearch, ThreadSearch};
use crate::search::coordination::Coordination;

/// Starts the helpers of a thread, or fewer if the system cannot create them all. Helpers start further
/// helpers, so that no thread starts more than two.
pub(super) fn spawn_helpers<'scope>(
    scope: &'scope Scope<'scope, '_>,
    shared: &'scope SharedSearch<'scope>,
    thread: usize,
) {
    for helper in
        [2 * thread + 1, 2 * thread + 2].into_iter().filter(|&helper| helper < shared.coordination.threads())
    {
        let thread = Builder::new().name(format!("helper {helper}"));
        let started = thread.spawn_scoped(scope, move || {
            spawn_helpers(scope, shared, helper);
            // If a helper panics, the panic hook reports it, and the search continues without it.
            let _ = catch_unwind(AssertUnwindSafe(|| ThreadSearch::new(shared, helper).deepen()));
        });
        if let Err(error) = started {
            log::warn!("cannot start thread {helper} of the search: {error}");
        }
    }
}

/// Stops the helper threads when the first thread is done, even if it panics, since the scope waits for them.
pub(super) struct StopHelpers<'a>(pub(super) &'a Coordination);

impl Drop for StopHelpers<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::current;
    use std::time::Duration;

    use super::*;
    use crate::eval::Evaluation;
    use crate::search::line::ScoredLine;
    use crate::search::testing::TestSearch;
    use crate::search::{Bound, Limits, LineReport, Score, SearchAnswer, SearchEvent, search};
    use kelso_draughts::board::{Game, Position};

    /// Returns a search of the starting position on a given number of threads.
    fn search_on(threads: usize, limits: &Limits) -> TestSearch {
        let mut search = TestSearch::new(Game::default(), limits.clone());
        search.options.threads = threads;
        search.options.move_overhead = Duration::ZERO;
        search
    }

    fn answer(threads: usize, limits: &Limits, evaluation: Evaluation<'_>) -> SearchAnswer {
        search(&search_on(threads, limits).task(), evaluation, None, &mut |_| {})
    }

    #[test]
    fn helper_threads_search_or_are_not_awaited() {
        for fails in [false, true] {
            let owner = current().id();
            let elsewhere = AtomicUsize::new(0);
            let evaluate = |position: &Position| {
                if current().id() != owner {
                    elsewhere.fetch_add(1, Ordering::Relaxed);
                    assert!(!fails, "fails as the test wants it");
                }
                Evaluation::classic().evaluate(position)
            };
            let limits = Limits::move_time(Duration::from_millis(200));
            assert!(answer(4, &limits, Evaluation::Function(&evaluate)).best.is_some());
            assert!(elsewhere.into_inner() > 0);
        }
    }

    /// Returns the reports of the first thread after another thread has finished three iterations with this
    /// line.
    fn reports_after_three(limits: &Limits, line: &ScoredLine) -> (Vec<LineReport>, SearchAnswer) {
        let search = search_on(2, limits);
        let task = search.task();
        let shared = SharedSearch::of_task(&task, 2);
        for depth in 1..=3 {
            shared.coordination.finish_iteration(depth, &[ScoredLine { depth, ..line.clone() }]);
        }
        let mut reports = Vec::new();
        let mut on_event = |event| {
            if let SearchEvent::Line(report) = event {
                reports.push(report);
            }
        };
        let mut search = ThreadSearch { on_event: Some(&mut on_event), ..ThreadSearch::new(&shared, 0) };
        let answer = search.deepen();
        (reports, answer)
    }

    #[test]
    fn an_iteration_finished_by_another_thread_is_used() {
        let mv = *Game::default().position().moves().last().unwrap();
        let moves = [mv].into_iter().collect();
        let theirs = ScoredLine { depth: 3, score: Score::evaluation(77), bound: Bound::Exact, moves };
        let (reports, answer) = reports_after_three(&Limits::depth(3), &theirs);
        // The first thread always searches the first iteration itself, so that there is always an answer.
        let their_depths: Vec<_> =
            reports.iter().filter(|report| report.score == theirs.score).map(|report| report.depth).collect();
        assert_eq!(their_depths, [2, 3]);
        assert_eq!((answer.score, answer.best), (Some(theirs.score), Some(mv)));
        // The next iteration begins with the move of that line.
        let (reports, _) = reports_after_three(&Limits::depth(4), &theirs);
        assert_eq!(reports.last().map(|report| report.depth), Some(4));
        assert_eq!(reports.iter().filter(|report| report.depth == 3).count(), 1);
    }

    #[test]
    fn a_single_threaded_search_is_deterministic() {
        let result = || {
            let answer = answer(1, &Limits::depth(9), Evaluation::classic());
            (answer.line(), answer.score, answer.nodes)
        };
        assert_eq!(result(), result());
    }

    #[test]
    fn the_node_limit_applies_to_the_sum_of_threads() {
        for limit in [20_000, 100_000] {
            let limits = Limits::nodes(limit);
            assert_eq!(answer(1, &limits, Evaluation::classic()).nodes, limit);
            // Each thread may exceed its share by the number of nodes between two checks.
            let nodes = answer(4, &limits, Evaluation::classic()).nodes;
            assert!((limit - 4096..=limit + 4096).contains(&nodes), "{nodes}");
        }
    }
}
