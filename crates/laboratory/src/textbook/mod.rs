//! Textbook searchers, to be read in this order:
//!
//! 1. `negamax`: searches all moves.
//! 2. `alphabeta`: skips moves that cannot matter.
//! 3. `alphabeta_tt`: alpha-beta with a transposition table, [`Transpositions`].
//! 4. `quiescence`: extends lines that end in captures.
//! 5. `deepening`: iterative deepening.
//! 6. `mtdf`: MTD(f), which finds the value by null-window searches.
//! 7. `bns`: best node search, which finds the best move by null-window searches.
//!
//! A [`Config`] combines them. As in the studies, they ignore the game before the root and do not detect
//! draws. Values are in the evaluation's own units, and nothing is random, so a search visits the same nodes
//! in every run.

mod alphabeta;
mod alphabeta_tt;
mod bns;
mod deepening;
mod mtdf;
mod negamax;
mod node;
mod quiescence;
mod transpositions;

pub use transpositions::Transpositions;

use std::ops::AddAssign;
use std::time::Instant;

use crate::best_line::BestLine;
use crate::evaluation::{Evaluation, hundredths};
use crate::evaluations::peterson::V3;
use crate::observer::TreeObserver;
use crate::profiler::{Phase, Profiler};
use crate::value::{self, Value, ValueWindow};
use kelso_draughts::board::{Move, MoveList, Position};
use kelso_draughts::score::ReportedScore;
use kelso_engine::search::{Bound, Control, LimitTracker, Limits, LineReport, NodeEnd, Score, Stopped};

/// The search method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Plain negamax.
    Negamax,
    #[default]
    AlphaBeta,
    /// MTD(f): null-window searches around a guess of the value.
    Mtdf,
    /// Best node search: null-window searches for the best move.
    Bns,
}

/// How to score a position without legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NoMoves {
    /// A loss, as in the rules.
    #[default]
    Loss,
    /// The evaluation of the position, as in Peterson's program.
    Evaluation,
}

/// The features of a textbook search.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Config {
    pub method: Method,
    /// Use a transposition table. Plain negamax never does.
    pub table: bool,
    /// Extend lines while a capture is available.
    pub quiescence: bool,
    /// Search depths one after another.
    pub deepening: bool,
    /// Search the table move first. Otherwise, search moves in the order of generation.
    pub ordering: bool,
    /// How to score a position without legal moves.
    pub no_moves: NoMoves,
}

const PLAIN: Config = Config {
    method: Method::AlphaBeta,
    table: false,
    quiescence: false,
    deepening: false,
    ordering: false,
    no_moves: NoMoves::Loss,
};

/// All features, for the searchers that need them.
const FULL: Config = Config { table: true, quiescence: true, deepening: true, ordering: true, ..PLAIN };

/// The textbook searchers by name, in teaching order.
pub(crate) static TEXTBOOK: [(&str, Config); 8] = [
    ("negamax", Config { method: Method::Negamax, ..PLAIN }),
    ("ab", PLAIN),
    ("ab-tt", Config { table: true, ..PLAIN }),
    ("ab-q", Config { quiescence: true, ..PLAIN }),
    ("ab-tt-q", Config { table: true, quiescence: true, ..PLAIN }),
    ("deepening", FULL),
    ("mtdf", Config { method: Method::Mtdf, ..FULL }),
    ("bns", Config { method: Method::Bns, ..FULL }),
];

pub(crate) fn textbook_with(method: Method) -> (&'static str, Config) {
    TEXTBOOK.iter().copied().find(|(_, config)| config.method == method).unwrap_or(TEXTBOOK[0])
}

/// Returns the best move of a textbook search to a depth, which changes to the playing engine do not affect.
pub fn textbook_move(position: &Position, depth: usize) -> Option<Move> {
    let config = Config { table: true, quiescence: true, ..PLAIN };
    let mut table = Transpositions::for_depth(depth);
    let control = Control::new();
    Textbook::new(config, &V3, &mut table, &control, &Limits::depth(depth)).search(position, depth).best
}

type Searched = Result<Value, Stopped>;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextbookResult {
    /// The best move, or `None` without a legal move.
    pub best: Option<Move>,
    /// The value of the position for the side to move. Best node search may give only a lower bound.
    pub value: Value,
    /// Whether the value is exact.
    pub exact: bool,
    /// Depth of the last completed search.
    pub depth: usize,
}

/// A search from one root: the state shared by all searchers.
pub struct Textbook<'a> {
    config: Config,
    evaluation: &'a dyn Evaluation,
    table: &'a mut Transpositions,
    tracker: LimitTracker<'a>,
    /// The root moves to search, or all of them if empty.
    only: &'a [Move],
    /// The counts so far.
    pub counts: SearchCounts,
    /// The best move at the root in the current pass.
    best: Option<Move>,
    observer: Option<&'a mut dyn TreeObserver>,
    /// Records the phases of the search, if it is profiled.
    profiler: Option<&'a Profiler>,
    /// Records the principal variation, if it is to be reported.
    best_line: Option<BestLine>,
}

/// A position with its place in the tree.
#[derive(Clone, Copy, Debug)]
struct TextbookNode<'a> {
    position: &'a Position,
    mv: Option<Move>,
    ply: usize,
    /// Remaining depth in plies.
    depth: usize,
    /// The line was extended beyond the search depth.
    extended: bool,
}

impl<'a> TextbookNode<'a> {
    const fn root(position: &'a Position, depth: usize) -> Self {
        Self { position, mv: None, ply: 0, depth, extended: false }
    }
}

impl<'a> Textbook<'a> {
    /// Creates a search.
    pub fn new(
        config: Config,
        evaluation: &'a dyn Evaluation,
        table: &'a mut Transpositions,
        control: &'a Control,
        limits: &'a Limits,
    ) -> Self {
        let tracker = LimitTracker::new(control, limits, std::time::Duration::ZERO);
        Self {
            config,
            evaluation,
            table,
            tracker,
            only: &limits.search_moves,
            counts: SearchCounts::default(),
            best: None,
            observer: None,
            profiler: None,
            best_line: None,
        }
    }

    /// Adds an observer of the tree.
    #[must_use]
    pub fn observed(self, observer: &'a mut dyn TreeObserver) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Adds a recorder of the phases, if there is one.
    #[must_use]
    pub(crate) fn profiled(self, profiler: Option<&'a Profiler>) -> Self {
        Self { profiler, ..self }
    }

    /// Records that a phase begins.
    #[inline]
    fn begin(&self, phase: Phase) {
        if let Some(profiler) = self.profiler {
            profiler.begin(phase);
        }
    }

    /// Searches to a depth or, with iterative deepening, until the limits are reached.
    pub fn search(&mut self, root: &Position, depth: usize) -> TextbookResult {
        self.deepen(root, depth, &mut |_, _, _| {})
    }

    /// Searches like [`search`](Self::search), and reports each depth with its principal variation.
    pub fn search_with_reports(
        &mut self,
        root: &Position,
        depth: usize,
        on_line: &mut dyn FnMut(LineReport),
    ) -> TextbookResult {
        let started = Instant::now();
        let man = self.evaluation.man();
        self.best_line = Some(BestLine::default());
        self.deepen(root, depth, &mut |found, counts, line| {
            let score = match value::reported(found.value) {
                ReportedScore::Cp(value) => Score::evaluation(hundredths(value, man)),
                known => known.into(),
            };
            on_line(LineReport {
                depth: if found.best.is_some() { found.depth } else { 0 },
                selective_depth: counts.deepest.max(found.depth),
                bound: if found.exact { Bound::Exact } else { Bound::Lower },
                nodes: counts.explored,
                time: started.elapsed(),
                ..LineReport::new(score, line)
            });
        })
    }

    fn one_depth(
        &mut self,
        root: &Position,
        depth: usize,
        guess: Option<Value>,
    ) -> Result<TextbookResult, Stopped> {
        let node = TextbookNode::root(root, depth);
        self.best = None;
        let value = match self.config.method {
            Method::Negamax => self.negamax(&node)?,
            Method::AlphaBeta => self.alphabeta(&node, ValueWindow::FULL)?,
            Method::Mtdf => self.mtdf(&node, guess)?,
            Method::Bns => return self.best_node_search(&node, guess),
        };
        Ok(TextbookResult { best: self.best, value, exact: true, depth: node.depth })
    }

    /// Searches one ply regardless of the limits.
    fn one_ply_search(&mut self, root: &Position) -> TextbookResult {
        let mut best = TextbookResult { best: None, value: value::loss_in(0), exact: true, depth: 1 };
        let mut moves = MoveList::new();
        self.list(&TextbookNode::root(root, 1), &mut moves);
        for mv in moves {
            let value = -self.evaluation.value(&root.after(mv));
            if best.best.is_none() || value > best.value {
                best = TextbookResult { best: Some(mv), value, ..best };
            }
        }
        best
    }

    /// Records a move that is better than all moves searched before.
    #[inline]
    fn improve(&mut self, node: &TextbookNode<'_>, mv: Move) {
        if node.ply == 0 {
            self.best = Some(mv);
        }
        if let Some(observer) = &mut self.observer {
            observer.improve(node.ply, mv);
        }
        if let Some(best_line) = &mut self.best_line {
            best_line.improve(node.ply, mv);
        }
    }

    /// Reports the value of a node to the observer, and returns it.
    #[inline]
    fn done(&mut self, value: Value, end: NodeEnd) -> Value {
        if let Some(observer) = &mut self.observer {
            observer.end(end);
            observer.leave(value);
        }
        value
    }
}

/// Counts from one or more searches: the columns of Peterson's tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchCounts {
    pub explored: u64,
    pub cuts: u64,
    /// Nodes with an exact value in the table.
    pub table_exact: u64,
    /// Cutoffs by a bound in the table.
    pub table_cuts: u64,
    /// The deepest ply reached.
    pub deepest: usize,
}

impl AddAssign for SearchCounts {
    fn add_assign(&mut self, other: Self) {
        self.explored += other.explored;
        self.cuts += other.cuts;
        self.table_exact += other.table_exact;
        self.table_cuts += other.table_cuts;
        self.deepest = self.deepest.max(other.deepest);
    }
}
