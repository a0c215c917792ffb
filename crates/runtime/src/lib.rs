//! Services that a search uses: a stop flag, a clock and files.
//!
//! | for | see |
//! |---|---|
//! | stopping work | [`stop`] |
//! | locking a mutex | [`sync`] |
//! | the clock and random seeds, also where there is no operating system | [`platform`] |
//! | reading lines of any content and length | [`lines`] |
//! | reading regular files, and the folder of the user's data | [`files`] |
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

pub mod files;
pub mod lines;
pub mod platform;
pub mod stop;
pub mod sync;
