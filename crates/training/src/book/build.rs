//! Building of books by several workers.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::header::BuildStep;
use super::search::Searcher;
use super::tree::{NodeId, Tree};
use common::pool::{self, lock};
use common::stop::StopToken;
use engine::book::Key;
use engine::search::Control;

/// The time that an idle worker waits for others.
const WAIT: Duration = Duration::from_millis(1);

/// The limits of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildLimits {
    /// The number of positions.
    pub positions: Option<usize>,
    /// The time.
    pub time: Option<Duration>,
}

/// Called with every step and the book.
pub type OnStep<'a, E> = dyn FnMut(&BuildStep, &Tree) -> Result<(), E> + 'a;

/// The state that workers share.
struct BuildState {
    tree: Tree,
    /// Roots to be searched.
    roots: Vec<Key>,
    /// Number of workers that are searching.
    searching: usize,
    /// The number of the next step.
    number: u64,
    /// True if the build has ended.
    ended: bool,
    limits: BuildLimits,
}

/// The next job of a worker.
enum Job {
    Root(Key),
    Expand(NodeId, Key),
    Wait,
    End,
}

impl BuildState {
    fn take(&mut self) -> Job {
        self.ended |= self.limits.positions.is_some_and(|positions| self.tree.positions() >= positions);
        if self.ended {
            return Job::End;
        }
        let job = if let Some(root) = self.roots.pop() {
            Job::Root(root)
        } else if let Some((id, _)) = self.tree.next() {
            self.tree.set_busy(id, true);
            Job::Expand(id, self.tree.key(id))
        } else if self.searching > 0 {
            return Job::Wait;
        } else {
            self.ended = true;
            return Job::End;
        };
        self.searching += 1;
        job
    }

    /// Applies a step and reports it under the lock, so that the steps on disk can be replayed in their order.
    fn apply(&mut self, step: BuildStep, report: &dyn Fn(BuildStep)) {
        self.number += 1;
        if step.apply(&mut self.tree).is_ok() {
            report(step);
        }
    }
}

/// Expands a tree until a limit is reached or `stop` is set. `on_step` is called with every step in an order in which they can be
/// replayed; an error ends the build.
///
/// # Errors
///
/// Returns the error of `on_step`.
pub fn run<E>(
    tree: Tree,
    number: u64,
    roots: &[Key],
    searchers: Vec<Searcher>,
    limits: BuildLimits,
    stop: &StopToken,
    on_step: &mut OnStep<'_, E>,
) -> Result<Tree, E> {
    let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
    let mut roots: Vec<Key> = roots.iter().copied().filter(|&root| tree.find(root).is_none()).collect();
    roots.reverse();
    let shared = Mutex::new(BuildState { tree, roots, searching: 0, number, ended: false, limits });
    let halt = stop.child();
    let expand = |mut searcher: Searcher, report: &dyn Fn(BuildStep)| {
        let control = Control::under(&halt);
        while do_job(&shared, &mut searcher, &control, report) {}
    };
    let end = || {
        lock(&shared).ended = true;
        halt.stop();
    };
    pool::run(searchers, expand, end, |made| {
        let mut shared = lock(&shared);
        if let Some(made) = made {
            on_step(&made, &shared.tree)?;
        }
        shared.ended |= stop.is_stopped() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        Ok(!shared.ended)
    })?;
    Ok(shared.into_inner().unwrap_or_else(PoisonError::into_inner).tree)
}

/// Does one job. Returns false at the end.
fn do_job(
    shared: &Mutex<BuildState>,
    searcher: &mut Searcher,
    control: &Control,
    report: &dyn Fn(BuildStep),
) -> bool {
    let job = lock(shared).take();
    match job {
        Job::End => return false,
        Job::Wait => thread::sleep(WAIT),
        Job::Root(key) => {
            let found = searcher.root(key, control);
            let mut shared = lock(shared);
            shared.searching -= 1;
            if let Some(judgement) = found {
                let step = BuildStep::new(shared.number, key, true, &[judgement]);
                shared.apply(step, report);
            }
        }
        Job::Expand(id, key) => {
            let known = |child: Key| {
                let shared = lock(shared);
                shared.tree.find(child).map(|id| shared.tree.judgement(id))
            };
            let found = searcher.expand(key, &known, control);
            let mut shared = lock(shared);
            shared.searching -= 1;
            match found {
                Some(found) => {
                    let step = BuildStep::new(shared.number, key, false, &found);
                    shared.apply(step, report);
                }
                None => shared.tree.set_busy(id, false),
            }
        }
    }
    true
}
