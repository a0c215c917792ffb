//! Collections of games: files of any size, read by several threads while only a few games are in memory.
//!
//! | for | see |
//! |---|---|
//! | files, directories and standard input | [`place`] |
//! | reading games in parallel, in order | [`stream`] |
//! | duplicate and similar games | [`duplicates`] |
//! | moves played from a position and results, also from an index | [`continuations`] |
//! | ballots of games, and their names | [`opening`] |

pub mod continuations;
pub mod duplicates;
pub mod opening;
pub mod place;
pub mod stream;
