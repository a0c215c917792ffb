//! Learning an evaluation from the engine's own games.
//!
//! Games of the engine against itself (`play`, `game`) become samples (`sample`): quiet positions with the score of a
//! search and the result of the game, in files (`file`) that can be looked into, split, merged and cleared of
//! repetitions (`data`).

pub mod data;
mod file;
pub mod fit;
mod game;
mod play;
mod sample;
#[cfg(test)]
mod testing;

pub use file::{Draft, FileError, Head, Held, Played, Reader, Writer};
pub use game::Rules;
pub use play::{Plan, PlayError, Progress};
pub use sample::{DECIDED, Label, Sample};
