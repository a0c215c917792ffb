//! Collections of games: files of any size, read by several threads with only a few games in memory at a
//! time.
//!
//! | for | see |
//! |---|---|
//! | files, directories and standard input | [`place`] |
//! | reading games in parallel, in order | [`stream`] |
//! | duplicate and similar games | [`duplicates`] |
//! | conditions on games | [`conditions`] |
//! | moves played from a position, with their results | [`continuations`] |
//! | the ballot with which a game begins | [`opening`] |

pub mod conditions;
pub mod continuations;
pub mod duplicates;
pub mod opening;
pub mod place;
pub mod stream;
