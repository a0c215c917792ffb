//! Collections of games: files of any size, read by several threads with only a few games in memory at a
//! time.
//!
//! | for | see |
//! |---|---|
//! | reading games in parallel, in order | [`stream`] |
//! | duplicate and similar games | [`duplicates`] |

pub mod duplicates;
pub mod stream;
