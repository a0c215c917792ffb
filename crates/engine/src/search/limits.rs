//! The limits of a search.

use std::time::Duration;

use draughts::board::Move;

/// The limits of a search. The first one that is reached ends it; without any it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations to complete.
    pub depth: Option<usize>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Time to use.
    pub time: Option<TimeLimit>,
    /// Answer only when stopped, even if everything is known.
    pub infinite: bool,
    /// Ponder: limits of time count from the moment when the other side has played the expected move.
    pub ponder: bool,
    /// The root moves to search; all if it is empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Returns the limits of a search to a depth.
    #[must_use]
    pub fn depth(depth: usize) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Returns the limits of a search of a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns the limits of a search of an exact time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { time: Some(TimeLimit::Exact(time)), ..Self::default() }
    }

    /// Returns true if the search ends without being stopped.
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
