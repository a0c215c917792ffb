//! The search for the best move. It takes a game, limits, an evaluation and a table, reports events, and
//! returns a move. Probes of the endgame databases may read files, and the size of the table depends on the
//! memory of the machine; on WebAssembly, the search pauses to let the page run.

mod alphabeta;
mod buckets;
mod control;
mod coordination;
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
mod tracker;
mod win_rates;
mod window;

pub(crate) use alphabeta::search;
pub use buckets::OutOfMemory;
pub use control::Control;
pub use event::{BookReport, LineReport, SearchAnswer, SearchEvent};
pub use limits::{Limits, Stability, TimeLimit};
pub(crate) use memory::SearchMemory;
pub use observer::{NodeEnd, Observation, SearchObserver};
pub(crate) use params::margin_words;
pub use params::{MARGINS, Margin, SearchParams};
pub use score::{Bound, MAX_DEPTH, MAX_PLY, Score};
pub use tracker::{LimitTracker, Stopped};
pub use win_rates::WinRateModel;
pub use window::Window;

use std::time::Duration;

use self::limits::Budget;
use kelso_draughts::board::Game;
use kelso_draughts::referee::DrawRules;
use kelso_endgames::Databases;

/// The input of a search, apart from the evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
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
pub(crate) struct SearchOptions {
    pub threads: usize,
    /// Number of best moves to report.
    pub multi_pv: usize,
    /// Lines are reported with the chances of a win, a draw and a loss.
    pub show_wdl: bool,
    /// Part of the clock reserved for communication.
    pub move_overhead: Duration,
    /// When the game is drawn.
    pub draws: DrawRules,
    /// The maximum error that a level adds to evaluations, in hundredths of a man; 0 at full strength.
    pub max_error: i32,
    /// The parameters of the search.
    pub params: SearchParams,
}
