//! Several workers who make a book grow.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::header::Step;
use super::search::Searcher;
use super::tree::{NodeId, Tree};
use common::pool::{self, lock};
use common::stop::StopToken;
use engine::book::Key;
use engine::search::Control;

/// How long a worker waits who has nothing to do until another one has finished.
const WAIT: Duration = Duration::from_millis(1);

/// When a book is large enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// With so many positions.
    pub positions: Option<usize>,
    /// After so much time.
    pub time: Option<Duration>,
}

/// Why it has stopped growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It is large enough.
    Large,
    /// There is nothing left to search.
    Complete,
    /// Somebody wanted it so.
    Stopped,
}

/// Hears of every step, and can have a look at the book as it is by then.
pub type Tell<'a, E> = dyn FnMut(&Step, &dyn Fn() -> Snapshot) -> Result<(), E> + 'a;

/// What the workers share.
struct Site {
    tree: Tree,
    /// Roots that nobody has begun to search.
    roots: Vec<Key>,
    /// Workers who are searching.
    searching: usize,
    /// The number of the next step.
    number: u64,
    /// Set if there is nothing left, or the book is large enough.
    ended: Option<Ending>,
    size: Size,
}

/// What a worker does next.
enum Work {
    Root(Key),
    Expand(NodeId, Key),
    Wait,
    End,
}

impl Site {
    fn take(&mut self) -> Work {
        if self.ended.is_some() {
            return Work::End;
        }
        if self.size.positions.is_some_and(|positions| self.tree.positions() >= positions) {
            self.ended = Some(Ending::Large);
            return Work::End;
        }
        let work = if let Some(root) = self.roots.pop() {
            Work::Root(root)
        } else if let Some((id, _)) = self.tree.next() {
            self.tree.set_busy(id, true);
            Work::Expand(id, self.tree.key(id))
        } else if self.searching > 0 {
            return Work::Wait;
        } else {
            self.ended = Some(Ending::Complete);
            return Work::End;
        };
        self.searching += 1;
        work
    }

    /// Makes a step and reports it while nobody else can, so that the order on disk is one in which the steps can be made again.
    fn make(&mut self, step: Step, report: &dyn Fn(Step)) {
        self.number += 1;
        if step.make(&mut self.tree).is_ok() {
            report(step);
        }
    }
}

/// Makes a tree grow until it is large enough or `stop` is raised. Every step is told, in an order in which it can be
/// made again, with the tree as it has become; an error ends the work.
///
/// # Errors
///
/// When `tell` has one.
pub fn run<E>(
    tree: Tree,
    number: u64,
    roots: &[Key],
    searchers: Vec<Searcher>,
    size: Size,
    stop: &StopToken,
    tell: &mut Tell<'_, E>,
) -> Result<(Tree, Ending), E> {
    let deadline = size.time.and_then(|time| Instant::now().checked_add(time));
    let mut roots: Vec<Key> = roots.iter().copied().filter(|&root| tree.find(root).is_none()).collect();
    roots.reverse();
    let shared = Mutex::new(Site { tree, roots, searching: 0, number, ended: None, size });
    let halt = stop.child();
    let expand = |mut searcher: Searcher, report: &dyn Fn(Step)| {
        let control = Control::under(&halt);
        while work(&shared, &mut searcher, &control, report) {}
    };
    let end = || {
        lock(&shared).ended.get_or_insert(Ending::Stopped);
        halt.stop();
    };
    pool::run(searchers, expand, end, |made| {
        if let Some(made) = made {
            tell(&made, &|| Snapshot::of(&lock(&shared).tree))?;
        }
        let mut shared = lock(&shared);
        if stop.is_stopped() {
            shared.ended = Some(Ending::Stopped);
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            shared.ended = shared.ended.or(Some(Ending::Large));
        }
        Ok(shared.ended.is_none())
    })?;
    let Site { tree, ended, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((tree, ended.unwrap_or(Ending::Stopped)))
}

/// Does one piece of work, and says whether there is more.
fn work(shared: &Mutex<Site>, searcher: &mut Searcher, control: &Control, report: &dyn Fn(Step)) -> bool {
    let work = lock(shared).take();
    match work {
        Work::End => return false,
        Work::Wait => thread::sleep(WAIT),
        Work::Root(key) => {
            let found = searcher.root(key, control);
            let mut shared = lock(shared);
            shared.searching -= 1;
            if let Some(judgement) = found {
                let step = Step::new(shared.number, key, true, &[judgement]);
                shared.make(step, report);
            }
        }
        Work::Expand(id, key) => {
            let known = |child: Key| {
                let shared = lock(shared);
                shared.tree.find(child).and_then(|id| shared.tree.judgement(id))
            };
            let found = searcher.expand(key, &known, control);
            let mut shared = lock(shared);
            shared.searching -= 1;
            match found {
                Some(found) => {
                    let step = Step::new(shared.number, key, false, &found);
                    shared.make(step, report);
                }
                None => shared.tree.set_busy(id, false),
            }
        }
    }
    true
}

/// How a book stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// Positions that are worth something.
    pub positions: usize,
    /// Those that are expanded.
    pub expanded: usize,
    /// What the first root is worth, to how many plies that has been looked at, and how many of them are in the book.
    pub first: Option<(engine::book::BookScore, u8, usize)>,
}

impl Snapshot {
    /// How a tree stands.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let first = tree.roots().first().and_then(|&root| {
            let now = tree.judgement(root)?;
            Some((now.worth, now.depth, tree.best_line(root).len()))
        });
        Self { positions: tree.positions(), expanded: tree.expanded(), first }
    }
}
