//! Finding the best move. A search gets a game, limits, an evaluation and a table; it tells events and comes to an
//! answer. It knows no text, reads no input and prints nothing.

mod budget;
mod claims;
mod control;
mod crew;
mod event;
mod limits;
mod line;
mod memory;
mod ordering;
mod path;
mod score;
mod table;
pub mod textbook;
mod tournament;
mod watch;

pub use budget::Budget;
pub use control::Control;
pub use event::{Answer, Event, Report};
pub use limits::{Limits, TimeLimit};
pub use memory::OutOfMemory;
pub use score::{Bound, MAX_PLY, Score, Verdict};
pub use table::Table;
pub use tournament::{Margin, Margins, NAMES as MARGINS, search as tournament, watched};
pub use watch::{End, Unwatched, Watch};

use std::time::Duration;

use crate::board::{Game, Move};
use crate::egdb::Databases;

/// Root moves are told of one by one after this time.
const QUIET_SPELL: Duration = Duration::from_secs(1);

/// Everything that a search needs to know, its evaluation aside.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The position, with what has gone before.
    pub game: &'a Game,
    /// When to end.
    pub limits: &'a Limits,
    /// What is known already.
    pub table: &'a Table,
    /// What is known of endings.
    pub databases: &'a Databases,
    /// How it is stopped.
    pub control: &'a Control,
    /// The time that answering costs.
    pub overhead: Duration,
    /// How many threads search. Only the [tournament] searcher uses more than one.
    pub threads: usize,
    /// What the tournament searcher judges by.
    pub margins: &'a Margins,
    /// How many lines are wanted, the best first. Only the [tournament] searcher tells more than one.
    pub lines: usize,
}

impl Task<'_> {
    /// The moves to choose from.
    fn root_moves(&self) -> Vec<Move> {
        let wanted = &self.limits.search_moves;
        let legal = self.game.position().moves();
        legal.into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect()
    }
}
