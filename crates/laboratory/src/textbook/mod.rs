//! Searchers as textbooks teach them, each in a file that can be read in one sitting, in this order:
//!
//! 1. [`negamax`]: try everything, take the best.
//! 2. [`alphabeta`]: leave out what can't matter.
//! 3. [`alphabeta_tt`]: alpha-beta that looks up what it has seen before, in a [`Transpositions`].
//! 4. [`quiescence`]: where a line may end.
//! 5. [`deepening`]: one ply more, and again, until the time is up.
//! 6. [`mtdf`]: find the value by asking only "is it at least this much?".
//! 7. [`bns`]: find the best move by asking only "which are better than this?".
//!
//! A [`Config`] says which are combined. They know nothing of the game before their root and see no draws, as in the
//! studies that they are for; the searcher that plays in earnest is [`tournament`](engine::search::tournament). Values
//! are in the evaluation's own units, and nothing is random, so a search visits the same nodes in every run.

mod adapter;
mod alphabeta;
mod alphabeta_tt;
mod bns;
mod config;
mod counts;
mod deepening;
mod mtdf;
mod negamax;
mod node;
mod quiescence;
mod transpositions;

pub use config::{Config, Method, NoMoves};
pub use counts::SearchCounts;
pub use transpositions::Transpositions;

use draughts::board::{Move, MoveList, Position};
use engine::eval::Evaluate;
use engine::search::{
    Control, LimitTracker, Limits, NodeEnd, Observation, Score, SearchObserver, Stopped, Window,
};
use node::Node;

/// A value, unless the search was stopped.
type Searched = Result<Score, Stopped>;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextbookResult {
    /// The best move; none without a legal move.
    pub best: Option<Move>,
    /// The value of the position for the side to move. Best node search may know only a lower bound of it.
    pub value: Score,
    /// Whether the value is exact.
    pub exact: bool,
    /// The depth of the last search that was completed.
    pub depth: usize,
}

/// One search from one root: what every searcher shares.
pub struct Textbook<'a> {
    config: Config,
    evaluation: &'a dyn Evaluate,
    table: &'a mut Transpositions,
    tracker: LimitTracker<'a>,
    /// The moves of the root to choose from; all if there are none.
    only: &'a [Move],
    counts: SearchCounts,
    /// The best move at the root so far, in the pass over it that is going on.
    best: Option<Move>,
    observer: Observation<'a>,
}

impl<'a> Textbook<'a> {
    /// Returns a search that is to begin.
    pub fn new(
        config: Config,
        evaluation: &'a dyn Evaluate,
        table: &'a mut Transpositions,
        control: &'a Control,
        limits: &'a Limits,
        observer: Observation<'a>,
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
            observer,
        }
    }

    /// Searches to a depth, or, deepening, until the limits are reached. A search that is stopped before it has any
    /// result answers with a look one ply deep.
    pub fn search(&mut self, root: &Position, depth: usize) -> TextbookResult {
        if self.config.deepening {
            return self.deepen(root, depth, &mut |_, _, _| {});
        }
        self.one_depth(root, depth, None).unwrap_or_else(|Stopped| self.one_ply_search(root))
    }

    /// Searches to one depth with the configured method.
    fn one_depth(
        &mut self,
        root: &Position,
        depth: usize,
        guess: Option<Score>,
    ) -> Result<TextbookResult, Stopped> {
        let node = Node::root(root, depth.max(1));
        self.best = None;
        let value = match self.config.method {
            Method::Negamax => self.negamax(&node)?,
            Method::AlphaBeta => self.window_search(&node, Window::FULL)?,
            Method::Mtdf => self.mtdf(&node, guess)?,
            Method::Bns => return self.best_node_search(&node, guess),
        };
        Ok(TextbookResult { best: self.best, value, exact: true, depth: node.depth })
    }

    /// Alpha-beta, with or without a memory.
    fn window_search(&mut self, node: &Node<'_>, window: Window) -> Searched {
        if self.config.table { self.alphabeta_tt(node, window) } else { self.alphabeta(node, window) }
    }

    /// Returns a search of one ply, whatever the limits say, for those who can't wait.
    fn one_ply_search(&mut self, root: &Position) -> TextbookResult {
        let mut best = TextbookResult { best: None, value: Score::loss_in(0), exact: true, depth: 1 };
        let mut moves = MoveList::new();
        self.list(&Node::root(root, 1), &mut moves);
        for mv in moves {
            let value = -Score::own_units(self.evaluation.value(&root.after(mv)));
            if best.best.is_none() || value > best.value {
                best = TextbookResult { best: Some(mv), value, ..best };
            }
        }
        best
    }

    /// Returns the counts so far.
    #[must_use]
    pub fn counts(&self) -> SearchCounts {
        self.counts
    }

    /// Notes a move that is better than those before it.
    #[inline]
    fn improve(&mut self, node: &Node<'_>, mv: Move) {
        if node.ply == 0 {
            self.best = Some(mv);
        }
        self.observer.improve(node.ply, mv);
    }

    /// Reports the value of a node to the observer, and returns it.
    #[inline]
    fn done(&mut self, value: Score, end: NodeEnd) -> Score {
        self.observer.end(end);
        self.observer.leave(value);
        value
    }
}
