//! Services that a search uses: a stop flag, a clock and files; and what to do before the process ends.
//!
//! | for | see |
//! |---|---|
//! | stopping work | [`stop`] |
//! | locking a mutex | [`sync`] |
//! | the clock and random seeds, also where there is no operating system | [`platform`] |
//! | reading lines of any content and length | [`lines`] |
//! | reading regular files, and the folder of the user's data | [`files`] |
//! | cleaning up before the process ends abruptly | [`cleanup`] |
//!
//! ```
//! use kelso_runtime::stop::StopToken;
//!
//! let stop = StopToken::default();
//! let search = stop.child();
//! stop.stop();
//! assert!(search.is_stopped());
//! ```

#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

pub mod cleanup;
pub mod files;
pub mod lines;
pub mod platform;
pub mod stop;
pub mod sync;
