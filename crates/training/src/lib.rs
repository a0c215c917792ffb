//! Learning an evaluation from the engine's own games.
//!
//! Games of the engine against itself (`play`, `game`) become samples (`sample`): quiet positions with the score of a
//! search and the result of the game, in files (`file`) that can be looked into, split, merged and cleared of
//! repetitions (`data`). From samples a network is fitted (`fit`); the next games are played with them, and so on.
//! The weights of the hand-made evaluation are fitted to the same samples (`terms`). The search's margins (`margins`) and
//! hand-made evaluations (`tune`) are tuned by games in this process (`duel`).
//!
//! Every step gives the same on every machine of one kind and with any number of threads, and can be interrupted at any
//! moment. Only fitting computes in floating point, so that weights may differ in their last bits between kinds of processors.
//! What files hold is said in `file` and in [`engine::eval::network`].
//!
//! What was learned about learning, from published work and from own measurements: only quiet positions are worth
//! learning from; the blend of result and score decides more than the loss shows, so matches must judge; what a score means
//! differs from one generation to the next, so that it is fitted each time; positions that the databases know are played
//! badly without them unless they are learned from, too.

pub mod book;
pub mod data;
mod duel;
mod engines;
mod file;
pub mod fit;
mod game;
mod margins;
mod play;
mod sample;
pub mod terms;
#[cfg(test)]
mod testing;
pub mod tune;

pub use engines::checked_engine;
pub use file::{Head, Held, Played, Reader, Writer};
pub use game::SelfPlayRules;
pub use margins::{MarginsError, MarginsState, Tuning};
pub use play::{PlayError, PlayProgress, SelfPlay};
pub use sample::{DECIDED, Label, Sample};
