//! Finding the best move. A search gets a game, limits, an evaluation and a table; it tells events and comes to an
//! answer. It knows no text, reads no input and prints nothing.

mod budget;
mod claims;
mod control;
mod crew;
mod event;
pub mod level;
mod limits;
mod line;
mod ordering;
mod path;
mod score;
mod scorekind;
mod searcher;
mod table;
pub mod textbook;
mod tournament;
mod watch;
mod window;
mod zeroed;

pub use budget::Budget;
pub use control::Control;
pub use event::{Answer, BookReport, Event, Report};
pub use level::Level;
pub use limits::{Limits, TimeLimit};
pub use score::{Bound, MAX_PLY, Score};
pub use scorekind::ScoreKind;
pub use searcher::{Family, Searcher};
pub use table::Table;
pub use tournament::{MARGINS, Margin, Margins, search as tournament, watched};
pub use watch::{BestLine, End, Unwatched, Watch};
pub use window::{Scale, Window};
pub use zeroed::OutOfMemory;

use std::time::Duration;

use crate::eval::Evaluate;
use draughts::board::{Game, Move};
use endgames::Databases;

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
    /// How to search.
    pub options: &'a SearchOptions,
}

/// The options of the engine that a search reads.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The algorithm that finds the best move.
    pub searcher: Searcher,
    /// The number of threads.
    pub threads: usize,
    /// The number of best moves that get a line each.
    pub multi_pv: usize,
    /// The part of a clock that is kept for the way to the opponent and back.
    pub move_overhead: Duration,
    /// The numbers that the tournament searcher prunes and reduces by.
    pub margins: Margins,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let move_overhead = Duration::from_millis(10);
        Self {
            searcher: Searcher::TOURNAMENT,
            threads: 1,
            multi_pv: 1,
            move_overhead,
            margins: Margins::default(),
        }
    }
}

/// Searches until a limit is reached or the search is stopped, with the searcher that is set, and tells what it finds on
/// the way.
///
/// At least one line is told, and every search completes its first iteration, so that there is always an answer.
pub fn search<E: Evaluate>(task: &Task<'_>, evaluation: &E, tell: &mut dyn FnMut(Event)) -> Answer {
    match task.options.searcher.family() {
        Family::Tournament => tournament(task, evaluation, tell),
        Family::Textbook(config) => textbook::search(config, task, evaluation, tell),
    }
}

impl Task<'_> {
    /// The moves to choose from.
    fn root_moves(&self) -> Vec<Move> {
        let wanted = &self.limits.search_moves;
        let legal = self.game.position().moves();
        legal.into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect()
    }
}
