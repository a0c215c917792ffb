//! Several threads on one search. Each searches by itself what the first one does, and all share the table: what one has
//! found, the others don't search again. No two stay in step, since each learns an order of moves of its own, and
//! that alone spreads them over the tree: to leave iterations out or to turn the order of root moves showed no gain.
//! Only the first has the clock, tells what it finds, and answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope, scope};

use super::Search;
use super::root::Lines;
use crate::eval::Evaluate;
use crate::search::Task;
use crate::search::crew::Crew;
use crate::search::event::Event;
use crate::search::watch::Unwatched;

/// Searches with as many threads as the task wants, or as the system gives.
pub(super) fn search<E: Evaluate>(
    task: &Task<'_>,
    evaluation: &E,
    crew: &Crew,
    tell: &mut dyn FnMut(Event),
) -> Lines {
    scope(|scope| {
        let _dismissal = Dismissal(crew);
        recruit(scope, task, evaluation, crew, 0);
        Search::new(task, evaluation, crew, 0, Unwatched).deepen(tell)
    })
}

/// Starts the helpers of a thread, each of which starts its own, so that the first has to start two at the most.
fn recruit<'scope, E: Evaluate>(
    scope: &'scope Scope<'scope, '_>,
    task: &'scope Task<'_>,
    evaluation: &'scope E,
    crew: &'scope Crew,
    seat: usize,
) {
    for helper in [2 * seat + 1, 2 * seat + 2].into_iter().filter(|&helper| helper < crew.len()) {
        let help = move || {
            recruit(scope, task, evaluation, crew, helper);
            let mut search = Search::new(task, evaluation, crew, helper, Unwatched);
            // A helper that fails is missed by nobody: the hook of panics has told of it.
            let _ = catch_unwind(AssertUnwindSafe(|| search.deepen(&mut |_| {})));
        };
        if let Err(error) = Builder::new().name(format!("helper {helper}")).spawn_scoped(scope, help) {
            log::warn!("no thread {helper} to search on: {error}");
        }
    }
}

/// Sends the helpers home when the first thread is done, also if it panics: the scope waits for them.
struct Dismissal<'a>(&'a Crew);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{ThreadId, current};
    use std::time::Duration;

    use super::*;
    use crate::board::{Game, Position};
    use crate::egdb::Databases;
    use crate::eval::Classic;
    use crate::search::{Answer, Control, Limits, Margins, Table, tournament};

    fn answer<E: Evaluate>(threads: usize, limits: &Limits, evaluation: &E) -> Answer {
        let (game, table) = (Game::default(), Table::new(1).unwrap());
        let (databases, control) = (Databases::compiled_in(), Control::new(false));
        let task = Task {
            game: &game,
            limits,
            table: &table,
            databases: &databases,
            control: &control,
            overhead: Duration::ZERO,
            threads,
            lines: 1,
            margins: &Margins::default(),
        };
        tournament(&task, evaluation, &mut |_| {})
    }

    /// An evaluation that counts the threads on which it is asked, and fails on all but one if it is to.
    struct Watching {
        owner: ThreadId,
        fails: bool,
        elsewhere: AtomicUsize,
    }

    impl Watching {
        fn new(fails: bool) -> Self {
            Self { owner: current().id(), fails, elsewhere: AtomicUsize::new(0) }
        }
    }

    impl Evaluate for Watching {
        fn evaluate(&self, position: &Position) -> i32 {
            if current().id() != self.owner {
                self.elsewhere.fetch_add(1, Ordering::Relaxed);
                assert!(!self.fails, "fails as the test wants it");
            }
            Classic::fitted().evaluate(position)
        }
    }

    #[test]
    fn helpers_help() {
        let evaluation = Watching::new(false);
        assert!(answer(4, &Limits::move_time(Duration::from_millis(200)), &evaluation).best.is_some());
        assert!(evaluation.elsewhere.into_inner() > 0);
    }

    #[test]
    fn helpers_that_fail_are_not_waited_for() {
        let evaluation = Watching::new(true);
        assert!(answer(4, &Limits::move_time(Duration::from_millis(200)), &evaluation).best.is_some());
        assert!(evaluation.elsewhere.into_inner() > 0);
    }

    #[test]
    fn one_thread_is_the_same_every_time() {
        let once = answer(1, &Limits::depth(9), Classic::fitted());
        assert_eq!(answer(1, &Limits::depth(9), Classic::fitted()), once);
    }

    #[test]
    fn a_limit_of_nodes_holds_for_the_sum() {
        for limit in [20_000, 100_000] {
            let limits = Limits::nodes(limit);
            assert_eq!(answer(1, &limits, Classic::fitted()).nodes, limit);
            // Each thread may be off by what it counts between two looks.
            let nodes = answer(4, &limits, Classic::fitted()).nodes;
            assert!((limit - 4096..=limit + 4096).contains(&nodes), "{nodes}");
        }
    }
}
