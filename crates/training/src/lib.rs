//! Trains evaluations on the engine's games against itself.
//!
//! Self-play (`play`) produces samples (`sample`): quiet positions, each with a search score and the result
//! of its game. Samples are stored in files (`file`), which can be summarised, split, merged and deduplicated
//! (`data`), or scored again by longer searches (`rescore`), whose scores judge evaluations (`judge`). A
//! network is fitted to samples (`fit`), and plays the next games. The weights of the handcrafted evaluation
//! are fitted to the same samples (`terms`). The margins of the search (`margins`) are tuned by playing games
//! in this process (`duel`).
//!
//! Every step gives the same result with any number of threads, and can be interrupted at any time. Only
//! fitting uses floating point, so the last bits of weights may differ between kinds of processors. The file
//! formats are described in `file` and in [`kelso_engine::eval::network`].
//!
//! Lessons from published work and our own measurements: train only on quiet positions; the blend of result
//! and score matters more than the loss shows, so compare weights by matches; the scale of scores differs
//! between generations, so fit it each time; include positions that the databases cover, since otherwise the
//! engine plays them badly without databases.
//!
//! ```
//! use kelso_draughts::Position;
//! use kelso_draughts::result::Wdl;
//! use kelso_training::TrainingSample;
//!
//! let sample = TrainingSample::new(&Position::start(), 12, Wdl::Draw, 0);
//! assert_eq!(TrainingSample::from_bytes(&sample.to_bytes()), Some(sample));
//! ```

pub mod data;
mod duel;
mod engines;
mod file;
pub mod fit;
pub mod judge;
mod margins;
mod play;
mod record;
mod rescore;
mod sample;
pub mod terms;
#[cfg(test)]
mod testing;

pub use engines::GamesError;
pub use file::{GameSamples, SampleHeader, SampleReader, StoredGames};
pub use margins::{Spsa, SpsaState};
pub use play::SelfPlay;
pub use rescore::Rescoring;
pub use sample::{DECIDED_SCORE, TrainingSample};
