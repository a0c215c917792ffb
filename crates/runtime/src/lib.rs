//! Services that a search uses: a stop flag, a clock, random numbers and files.
//!
//! | for | see |
//! |---|---|
//! | stopping work | [`stop`] |
//! | locking a mutex | [`sync`] |
//! | random numbers from a seed | [`rng`] |
//! | the clock and random seeds, also where there is no operating system | [`platform`] |
//! | reading regular files, and the folder of the user's data | [`files`] |
//!
//! ```
//! use runtime::stop::StopToken;
//!
//! let stop = StopToken::default();
//! let search = stop.child();
//! stop.stop();
//! assert!(search.is_stopped());
//! ```

#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

pub mod files;
pub mod platform;
pub mod rng;
pub mod stop;
pub mod sync;
