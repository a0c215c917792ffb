//! Files and runs: long work that can be stopped and resumed, and never leaves incomplete files.
//!
//! | for | see |
//! |---|---|
//! | atomic writing of files, output files of a command | [`file`], [`outputs`] |
//! | work that resumes after an interruption | [`checkpoint`], [`store`] |
//! | locking a file against other processes | [`lock`] |
//! | signals from the system | [`signal`] |
//! | one of several parts of the work | [`shard`] |

pub mod checkpoint;
pub mod file;
pub mod lock;
pub mod outputs;
pub mod shard;
pub mod signal;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
