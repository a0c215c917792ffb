//! Files and runs: long work that can be stopped and resumed, and never leaves incomplete files.
//!
//! | for | see |
//! |---|---|
//! | atomic writing of files, output files of a command | [`file`], [`outputs`] |
//! | work that resumes after an interruption | [`checkpoint`], [`store`] |
//! | locking a file against other processes | [`lock`] |
//! | worker threads | [`pool`] |
//! | stopping work, signals from the system | [`stop`], [`signal`] |
//! | one of several parts of the work | [`shard`] |
//! | random numbers from a seed | [`rng`] |
//! | the clock and random seeds, also where there is no operating system | [`platform`] |
//!
//! ```
//! use runs::stop::StopToken;
//!
//! let stop = StopToken::default();
//! let search = stop.child();
//! stop.stop();
//! assert!(search.is_stopped());
//! ```

pub mod checkpoint;
pub mod file;
pub mod lock;
pub mod outputs;
pub mod platform;
pub mod pool;
pub mod rng;
pub mod shard;
pub mod signal;
pub mod stop;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
