//! Builds books with several workers: the roots, the workers' jobs, and the steps stored in the checkpoint.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::search::BookSearcher;
use super::tree::{BookJudgement, BookTree, ExpandError};
use kelso_batch::checkpoint::CheckpointHeader;
use kelso_batch::error::Salvage;
use kelso_batch::pool;
use kelso_draughts::ballot::{Ballot, Deck};
use kelso_draughts::board::Position;
use kelso_draughts::board::relative::Key;
use kelso_draughts::notation::fen::{self, PositionError};
use kelso_engine::book::BookScore;
use kelso_engine::search::Control;
use kelso_runtime::stop::StopToken;
use kelso_runtime::sync::lock;
use kelso_syntax::WordError;

/// The settings that must not change when a build is resumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuildHeader {
    /// The evaluation, with the checksum of its weights.
    pub judge: String,
    /// The program that searches.
    pub program: String,
    /// Nodes searched per position.
    pub nodes: u64,
    /// The cost of one ply, in hundredths of a man.
    pub width: u32,
    pub options: String,
    /// Maximum number of pieces in the endgame databases.
    pub databases: u32,
    pub roots: String,
}

/// A step of a build: a root, or a position whose moves were searched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuildStep {
    /// Number of the step, from 0.
    #[serde(rename = "n")]
    pub number: u64,
    /// The position, with Black to move.
    pub fen: String,
    /// Whether this is a root, which was searched itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
    /// For each searched position: its value for the side to move, the depth, and 1 if the result is known,
    /// else 0.
    #[serde(rename = "s")]
    pub searched: Vec<(i16, u8, u8)>,
}

/// The reason why a step cannot be applied.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StepError {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("value out of range")]
    Value,
    #[error("a root with more than one value")]
    Root,
    #[error(transparent)]
    Expand(#[from] ExpandError),
}

impl BuildStep {
    /// Creates a step.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the keys of a tree come from positions"
    )]
    pub fn new(number: u64, key: Key, root: bool, searched: &[BookJudgement]) -> Self {
        let fen = fen::format(&key.position().expect("a valid position key"));
        let searched = searched
            .iter()
            .map(|judgement| (judgement.score.number(), judgement.depth, u8::from(judgement.settled)))
            .collect();
        Self { number, fen, root, searched }
    }

    pub fn apply(&self, tree: &mut BookTree) -> Result<(), StepError> {
        let position = fen::parse(&self.fen)?;
        let key = Key::of(&position);
        let searched: Option<Vec<_>> = self
            .searched
            .iter()
            .map(|&(score, depth, settled)| {
                Some(BookJudgement { score: BookScore::read(score)?, depth, settled: settled == 1 })
            })
            .collect();
        let searched = searched.ok_or(StepError::Value)?;
        match (self.root, searched.as_slice()) {
            (true, &[judgement]) => {
                tree.add_root(key, judgement);
                Ok(())
            }
            (true, _) => Err(StepError::Root),
            (false, searched) => Ok(tree.expand(key, searched)?),
        }
    }
}

impl CheckpointHeader for BuildHeader {
    type Item = BuildStep;
    const FORMAT: &'static str = "kelso_book";
    const JOB: &'static str = "book";
    const SALVAGE: Salvage = Salvage::Start;

    fn number(step: &BuildStep) -> u64 {
        step.number
    }
}

/// The sets of roots: a deck's ballots in play, its barred ballots, or the starting position.
const SETS: [(&str, Option<(Deck, bool)>); 4] = [
    ("start", None),
    ("three-move", Some((Deck::ThreeMove, false))),
    ("barred", Some((Deck::ThreeMove, true))),
    ("eleven-man", Some((Deck::ElevenMan, false))),
];

/// Returns the distinct positions of the root sets named in a list.
pub fn root_keys(names: &str) -> Result<Vec<Key>, WordError> {
    let mut seen = HashSet::new();
    let mut keys = Vec::new();
    for name in names.split(',').map(str::trim) {
        let set = SETS.iter().find(|(set, _)| *set == name);
        let &(_, ballots) = set.ok_or_else(|| {
            let expected = format!("one of {}", SETS.map(|(name, _)| name).join(", "));
            WordError::unknown("roots", name, expected)
        })?;
        keys.extend(positions(ballots).iter().map(Key::of).filter(|&key| seen.insert(key)));
    }
    Ok(keys)
}

fn positions(ballots: Option<(Deck, bool)>) -> Vec<Position> {
    let Some((deck, barred)) = ballots else { return vec![Position::start()] };
    deck.ballots().iter().filter(|ballot| ballot.barred == barred).map(Ballot::end).collect()
}

/// Called with the book after every step, and periodically without a step. Returns `false` to stop.
pub type OnStep<'a, E> = dyn FnMut(Option<&BuildStep>, &BookTree) -> Result<bool, E> + 'a;

/// A build, shared by its workers.
struct Build {
    state: Mutex<BuildState>,
    /// Notified whenever there may be another job for a waiting worker.
    changed: Condvar,
}

struct BuildState {
    tree: BookTree,
    roots: Vec<Key>,
    /// Number of workers that are searching.
    searching: usize,
    /// The number of the next step.
    number: u64,
    ended: bool,
    /// The build stops at this number of positions.
    max: Option<usize>,
}

/// The next job of a worker.
enum BookJob {
    /// Search a root, or all positions one move after a given position.
    Search {
        key: Key,
        root: bool,
    },
    Wait,
    End,
}

impl BuildState {
    fn take(&mut self) -> BookJob {
        self.ended |= self.max.is_some_and(|max| self.tree.positions() >= max);
        if self.ended {
            return BookJob::End;
        }
        let job = if let Some(root) = self.roots.pop() {
            BookJob::Search { key: root, root: true }
        } else if let Some((key, _)) = self.tree.next() {
            self.tree.set_busy(key, true);
            BookJob::Search { key, root: false }
        } else if self.searching > 0 {
            return BookJob::Wait;
        } else {
            self.ended = true;
            return BookJob::End;
        };
        self.searching += 1;
        job
    }

    /// Applies and reports a step while holding the lock, so that steps are written to disk in an order in
    /// which they can be replayed.
    fn apply(&mut self, step: BuildStep, report: &dyn Fn(Result<BuildStep, StepError>)) {
        self.number += 1;
        report(step.apply(&mut self.tree).map(|()| step));
    }
}

/// Expands a tree until it has `max` positions or `stop` is set. Calls `on_step` with the steps in an order
/// in which they can be replayed; an error from it ends the build.
pub fn run<E: From<StepError>>(
    tree: BookTree,
    number: u64,
    roots: &[Key],
    searchers: Vec<BookSearcher>,
    max: Option<usize>,
    stop: &StopToken,
    on_step: &mut OnStep<'_, E>,
) -> Result<BookTree, E> {
    let mut roots: Vec<Key> = roots.iter().copied().filter(|&root| tree.judgement(root).is_none()).collect();
    roots.reverse();
    let state = BuildState { tree, roots, searching: 0, number, ended: false, max };
    let build = Build { state: Mutex::new(state), changed: Condvar::new() };
    let halt = stop.child();
    pool::run(
        searchers,
        |searcher, report| build.work(searcher, &Control::stopped_by(&halt), report),
        || {
            build.end();
            halt.stop();
        },
        |outcome| -> Result<bool, E> {
            let made = outcome.transpose()?;
            let running = on_step(made.as_ref(), &lock(&build.state).tree)?;
            if stop.is_stopped() || !running {
                build.end();
            }
            Ok(!lock(&build.state).ended)
        },
    )?;
    Ok(build.state.into_inner().unwrap_or_else(PoisonError::into_inner).tree)
}

impl Build {
    fn end(&self) {
        lock(&self.state).ended = true;
        self.changed.notify_all();
    }

    /// Does jobs until the build ends.
    fn work(
        &self,
        mut searcher: BookSearcher,
        control: &Control,
        report: &dyn Fn(Result<BuildStep, StepError>),
    ) {
        while let Some((key, root)) = self.next_job() {
            let judgements =
                searcher.search(key, root, &|child| lock(&self.state).tree.judgement(child), control);
            let mut state = lock(&self.state);
            state.searching -= 1;
            match judgements {
                Some(judgements) => {
                    let step = BuildStep::new(state.number, key, root, &judgements);
                    state.apply(step, report);
                }
                None => state.tree.set_busy(key, false),
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Waits for a job: a position, and whether it is a root. Returns `None` if the build has ended.
    fn next_job(&self) -> Option<(Key, bool)> {
        let mut state = lock(&self.state);
        loop {
            match state.take() {
                BookJob::Search { key, root } => return Some((key, root)),
                BookJob::Wait => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                BookJob::End => {
                    self.changed.notify_all();
                    return None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn position_sets_have_no_duplicates() {
        assert_eq!(root_keys("start").unwrap(), [Key::of(&Position::start())]);
        let ballots = root_keys("three-move, barred").unwrap();
        // Some ballots lead to the same position.
        assert!((140..=174).contains(&ballots.len()), "{}", ballots.len());
        assert!(root_keys("start,three-move,barred,eleven-man").unwrap().len() > 2000);
        let error = root_keys("start,nowhere").unwrap_err().to_string();
        assert!(error.contains("\"nowhere\"") && error.contains("eleven-man"), "{error}");
    }

    #[test]
    fn a_step_that_does_not_apply_is_reported_as_an_error() {
        let tree = BookTree::new(4);
        let mut state =
            BuildState { tree, roots: Vec::new(), searching: 0, number: 0, ended: false, max: None };
        let fen = fen::format(&Position::start());
        let reported = Cell::new(None);
        let step = BuildStep { number: 0, fen, root: true, searched: Vec::new() };
        state.apply(step, &|step| reported.set(Some(step)));
        assert_eq!(reported.take(), Some(Err(StepError::Root)));
    }
}
