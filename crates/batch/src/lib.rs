//! Batch jobs: files that are complete or absent, and long work that can be killed and resumed.
//!
//! A command first lists the files that it reads and writes ([`outputs`](outputs::Outputs)). It is refused if
//! it would replace a file that it may not replace. Each file is written under a temporary name and renamed
//! when it is complete ([`OutputFile`](file::OutputFile)). A long run appends each finished item, such as a
//! game, to a [`Checkpoint`](checkpoint::Checkpoint), and does only the missing items when it is resumed. It
//! holds a [`Lock`](lock::Lock), so that no other run writes the same files.
//!
//! | for | see |
//! |---|---|
//! | atomic writing of files | [`mod@file`] |
//! | output files of a command | [`outputs`] |
//! | work that resumes after an interruption, and its errors | [`checkpoint`], [`error`] |
//! | locking a file against other processes | [`lock`] |
//! | worker threads | [`pool`] |
//! | signals from the system | [`signal`] |
//! | one of several parts of the work | [`shard`] |

pub mod checkpoint;
pub mod error;
pub mod file;
pub mod lock;
pub mod outputs;
pub mod pool;
pub mod shard;
pub mod signal;
mod temporaries;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
