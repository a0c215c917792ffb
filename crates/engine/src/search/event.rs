//! The events and the result of a search.

use std::time::Duration;

use super::score::{Bound, Score};
use crate::book::BookScore;
use kelso_draughts::board::Move;
use kelso_draughts::record::SearchInfo;
use kelso_draughts::win_rates::WinRates;

/// An event of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// A line was searched.
    Line(LineReport),
    /// The search of a root move begins. Not reported until the search has run for a while.
    Trying {
        /// Depth of the iteration.
        depth: usize,
        /// The root move.
        mv: Move,
        /// Number among the root moves, from 1.
        number: usize,
    },
    /// A book move is played without a search.
    Book(BookReport),
}

/// A book move that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookReport {
    pub mv: Move,
    /// Score for the side to move.
    pub score: BookScore,
    /// Depth of best play.
    pub depth: u8,
}

/// A report on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReport {
    /// Depth of the iteration.
    pub depth: usize,
    /// Deepest ply visited.
    pub selective_depth: usize,
    /// Rank among the requested lines, from 1.
    pub rank: usize,
    /// Score for the side to move.
    pub score: Score,
    /// The databases know that the line leads to a draw.
    pub known_draw: bool,
    /// The chances of a win, a draw and a loss, if the options ask for them.
    pub win_rates: Option<WinRates>,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Endgame database hits so far.
    pub tb_hits: u64,
    /// Fill of the transposition table, in thousandths.
    pub hash_full: u32,
    /// Time since the search began or, with a game clock, since it was requested.
    pub time: Duration,
    /// The moves, with best play by both sides.
    pub line: Vec<Move>,
}

impl LineReport {
    /// Creates a report on the best line, with only a score and moves.
    #[must_use]
    pub const fn new(score: Score, line: Vec<Move>) -> Self {
        Self {
            depth: 0,
            selective_depth: 0,
            rank: 1,
            score,
            known_draw: false,
            win_rates: None,
            bound: Bound::Exact,
            nodes: 0,
            tb_hits: 0,
            hash_full: 0,
            time: Duration::ZERO,
            line,
        }
    }

    /// Returns the score, the depth, the nodes and the time.
    #[must_use]
    pub fn info(&self) -> SearchInfo {
        SearchInfo {
            score: Some(self.score.reported()),
            depth: u32::try_from(self.depth).ok(),
            nodes: Some(self.nodes),
            time: Some(self.time),
            ..SearchInfo::default()
        }
    }

    /// Returns whether the score is exact, and not a bound.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        matches!(self.bound, Bound::Exact)
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SearchAnswer {
    /// The move to play, or `None` if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The lines, best first. If the last iteration was interrupted, the lines that it found precede those of
    /// the iteration before. A move from the book has no line.
    pub lines: Vec<LineReport>,
    /// The score of the best line or, if the search was interrupted when it had only a bound for that line,
    /// the last exact score before.
    pub score: Option<Score>,
    /// The chances that go with the score, if the options ask for them.
    pub win_rates: Option<WinRates>,
    /// Number of nodes searched by all threads.
    pub nodes: u64,
    /// Number of endgame database hits.
    pub tb_hits: u64,
    /// Time since the search began or, with a game clock, since it was requested.
    pub time: Duration,
}

impl SearchAnswer {
    /// Returns the best line or, after a book move, that move and the expected reply.
    #[must_use]
    pub fn line(&self) -> Vec<Move> {
        match self.lines.first() {
            Some(best) => best.line.clone(),
            None => self.best.into_iter().chain(self.ponder).collect(),
        }
    }

    /// Returns the score, the depth of the best line and the nodes.
    #[must_use]
    pub fn info(&self) -> SearchInfo {
        let depth = self.lines.first().and_then(|best| u32::try_from(best.depth).ok());
        SearchInfo {
            score: self.score.map(Score::reported),
            depth,
            nodes: Some(self.nodes),
            ..SearchInfo::default()
        }
    }
}
