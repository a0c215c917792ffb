//! The laboratory plays series of games between configurations of searcher, depth and evaluation, and
//! compares the results with figures from published studies. It also draws search trees.
//!
//! Games are played in this process, one after another, and depend only on a seed: a series has the same
//! moves and counts in every run and on every machine, unless a player has a time limit.
//!
//! ```
//! use kelso_laboratory::PlayerSpec;
//!
//! let players = PlayerSpec::parse_all("searcher=ab depth=3..5")?;
//! assert_eq!(players.len(), 3);
//! # Ok::<(), kelso_laboratory::PlayerSpecError>(())
//! ```

mod best_line;
mod chart;
pub mod evaluation;
pub mod evaluations;
pub mod experiments;
mod observer;
mod player;
mod player_spec;
mod profile;
mod profiler;
mod report;
mod series;
pub mod textbook;
pub mod tree;
pub mod value;

pub use evaluations::{NamedEvaluation, evaluation_names};
pub use observer::TreeObserver;
pub use player::LabPlayer;
pub use player_spec::{PlayerKind, PlayerSpec, PlayerSpecError, searcher_names};
pub use profile::Profile;
pub use profiler::Phase;
pub use report::{Figures, Report, Row};
pub use series::{Series, SeriesScore, Side};
