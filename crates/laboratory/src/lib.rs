//! The laboratory: games by the hundred between any two configurations of searcher, depth and evaluation, counted in
//! the columns of published studies; and the tree that a search saw.
//!
//! Everything runs in this process, one game after the other, and follows from a seed: the same series has the same
//! moves and the same counts in every run and on every machine. Only times differ. (A player with a limit of time is
//! the exception: what it finds depends on the machine.)
//!
//! ```
//! use laboratory::PlayerSpec;
//!
//! let players = PlayerSpec::parse_all("searcher=ab depth=3..5")?;
//! assert_eq!(players.len(), 3);
//! # Ok::<(), laboratory::PlayerSpecError>(())
//! ```

pub mod catalog;
pub mod chart;
pub mod evaluations;
pub mod experiments;
mod game;
mod player;
mod player_spec;
mod report;
mod series;
mod stopwatch;
pub mod textbook;
pub mod tree;

pub use catalog::CATALOG;
pub use player::LabPlayer;
pub use player_spec::{PlayerKind, PlayerSpec, PlayerSpecError};
pub use report::{Figures, Report, Row, Source};
pub use series::{Series, SeriesScore, Side};
