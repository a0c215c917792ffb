//! Collections of games: files of any size, read on several threads with the memory of a few games, and what an archivist
//! asks of them.
//!
//! | for | see |
//! |---|---|
//! | files, folders and standard input | [`place`] |
//! | reading games side by side, in order | [`stream`] |
//! | finding games | [`query`] |
//! | games that are there twice, or nearly | [`duplicates`] |
//! | what was played from a position, and how it ended | [`continuations`] |
//! | the same from an index, for many positions | [`index`] |
//! | the ballots that games began with | [`opening`] |

pub mod continuations;
pub mod duplicates;
pub mod index;
pub mod opening;
pub mod place;
pub mod query;
pub mod stream;
