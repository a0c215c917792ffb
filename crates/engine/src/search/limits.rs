//! When a search shall end.

use std::time::Duration;

use draughts::board::Move;

/// The limits of a search. Every limit that is set holds; with none it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations to complete.
    pub depth: Option<usize>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time to use.
    pub time: Option<TimeLimit>,
    /// Answer only when stopped, even if everything is known.
    pub infinite: bool,
    /// Think in the other side's time: limits of time count from the moment it has moved as expected.
    pub ponder: bool,
    /// Only these moves, if any are named.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Returns a search to a depth.
    #[must_use]
    pub fn depth(depth: usize) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Returns a search of so many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns a search of so much time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { time: Some(TimeLimit::Exact(time)), ..Self::default() }
    }

    /// Returns whether the search ends without being stopped.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !self.infinite
            && !self.ponder
            && (self.depth.is_some() || self.nodes.is_some() || self.time.is_some())
    }
}

/// A limit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Use this much.
    Exact(Duration),
    /// Use a sensible share of a clock.
    Clock {
        /// The remaining time.
        remaining: Duration,
        /// The time that each move adds.
        increment: Duration,
        /// Moves to the next time control, if there is one.
        moves_to_go: Option<u32>,
    },
}
