//! The search for the best move. It takes a game, limits, an evaluation and a table, reports events, and
//! returns a move. Probes of the endgame databases may read files, and the size of the table depends on the
//! memory of the machine; on WebAssembly, the search pauses to let the page run.

mod alphabeta;
mod buckets;
mod control;
mod event;
mod limits;
mod line;
mod memory;
mod observer;
mod ordering;
mod params;
mod path;
mod score;
mod table;
#[cfg(test)]
mod testing;
mod threads_state;
mod tracker;
mod win_rates;
mod window;

pub use alphabeta::{AlphaBeta, search_alphabeta};
pub use buckets::OutOfMemory;
pub use control::Control;
pub use event::{BookReport, LineReport, SearchAnswer, SearchEvent};
pub use limits::{Limits, Stability, TimeLimit};
pub use memory::SearchMemory;
pub use observer::{NodeEnd, Observation, SearchObserver, SearchPhase};
pub use params::{SEARCH_PARAMS, SearchParam, SearchParams};
pub use score::{Bound, MAX_PLY, Score};
pub use tracker::{LimitTracker, Stopped};
pub use win_rates::{WinRateModel, WinRates};
pub use window::Window;

use std::time::Duration;

use self::limits::Budget;
use crate::eval::Evaluation;
use kelso_draughts::board::Game;
use kelso_endgames::Databases;

/// The input of a search, apart from the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The position and the game that led to it.
    pub game: &'a Game,
    /// The limits of the search.
    pub limits: &'a Limits,
    pub memory: &'a SearchMemory,
    pub databases: &'a Databases,
    /// Controls the search from other threads.
    pub control: &'a Control,
    /// The options that affect the search.
    pub options: &'a SearchOptions,
}

/// The engine options that a search reads.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    pub threads: usize,
    /// Number of best moves to report.
    pub multi_pv: usize,
    /// Lines are reported with the chances of a win, a draw and a loss.
    pub show_wdl: bool,
    /// Part of the clock reserved for communication.
    pub move_overhead: Duration,
    /// The parameters of the search.
    pub params: SearchParams,
}

/// A search algorithm that a [`Registry`](crate::Registry) can offer.
pub trait Searcher: Sync {
    /// Searches until a limit is reached or the search is stopped. Reports progress through `on_event`.
    ///
    /// Every search reports at least one line and completes its first iteration, so that there is always an
    /// answer.
    fn search(
        &self,
        task: &Task<'_>,
        evaluation: &dyn Evaluation,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> SearchAnswer;
}
