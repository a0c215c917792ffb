//! Learning an evaluation from the engine's own games.
//!
//! Games of the engine against itself (`play`, `game`) become samples (`sample`): quiet positions with the score of a
//! search and the result of the game, in files (`file`) that can be looked into, split, merged and cleared of
//! repetitions (`data`).

mod duel;
mod file;
pub mod fit;
mod game;
mod margins;
mod play;
mod sample;

pub use file::{FileError, Head, Held, Played, Reader, Writer};
pub use game::Rules;
pub use margins::{State, TuneError, Tuning};
pub use play::{Plan, PlayError, Progress};
pub use sample::{DECIDED, Label, Sample};
