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

/// The reason why a build ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildEnd {
    /// A limit was reached.
    Limit,
    /// Every position is settled.
    Complete,
    /// It was stopped.
    Stopped,
}

/// Called with every step and a function that returns a snapshot of the book.
pub type OnStep<'a, E> = dyn FnMut(&BuildStep, &dyn Fn() -> Snapshot) -> Result<(), E> + 'a;

/// The state that workers share.
struct BuildState {
    tree: Tree,
    /// Roots to be searched.
    roots: Vec<Key>,
    /// Number of workers that are searching.
    searching: usize,
    /// The number of the next step.
    number: u64,
    /// Set if the build has ended.
    ended: Option<BuildEnd>,
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
        if self.ended.is_some() {
            return Job::End;
        }
        if self.limits.positions.is_some_and(|positions| self.tree.positions() >= positions) {
            self.ended = Some(BuildEnd::Limit);
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
            self.ended = Some(BuildEnd::Complete);
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
) -> Result<(Tree, BuildEnd), E> {
    let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
    let mut roots: Vec<Key> = roots.iter().copied().filter(|&root| tree.find(root).is_none()).collect();
    roots.reverse();
    let shared = Mutex::new(BuildState { tree, roots, searching: 0, number, ended: None, limits });
    let halt = stop.child();
    let expand = |mut searcher: Searcher, report: &dyn Fn(BuildStep)| {
        let control = Control::under(&halt);
        while do_job(&shared, &mut searcher, &control, report) {}
    };
    let end = || {
        lock(&shared).ended.get_or_insert(BuildEnd::Stopped);
        halt.stop();
    };
    pool::run(searchers, expand, end, |made| {
        if let Some(made) = made {
            on_step(&made, &|| Snapshot::of(&lock(&shared).tree))?;
        }
        let mut shared = lock(&shared);
        if stop.is_stopped() {
            shared.ended = Some(BuildEnd::Stopped);
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            shared.ended = shared.ended.or(Some(BuildEnd::Limit));
        }
        Ok(shared.ended.is_none())
    })?;
    let BuildState { tree, ended, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((tree, ended.unwrap_or(BuildEnd::Stopped)))
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
                shared.tree.find(child).and_then(|id| shared.tree.judgement(id))
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

/// A snapshot of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// Number of positions with a value.
    pub positions: usize,
    /// Number of expanded positions.
    pub expanded: usize,
    /// The value of the first root, its depth, and the number of plies of best play in the book.
    pub first: Option<(engine::book::BookScore, u8, usize)>,
}

impl Snapshot {
    /// Takes a snapshot of a tree.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let first = tree.roots().first().and_then(|&root| {
            let now = tree.judgement(root)?;
            Some((now.score, now.depth, tree.best_line(root).len()))
        });
        Self { positions: tree.positions(), expanded: tree.expanded(), first }
    }
}
