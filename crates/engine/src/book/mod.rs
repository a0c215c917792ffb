//! The opening book.
//!
//! | for | see |
//! |---|---|
//! | a position without colours | [`Key`](kelso_draughts::board::relative::Key) |
//! | the entry of a position | [`BookEntry`], [`BookScore`], [`ScoreDrop`] |
//! | a book and its format | [`mod@file`] |
//!
//! The crate `book-builder` builds books.

mod entry;
pub mod file;
mod moves;

pub use entry::{BookEntry, BookScore, ScoreDrop};
pub use file::{Book, BookError, BookFault, BookMove, BookPosition};
pub use moves::moves;

#[cfg(test)]
use crate::eval::testing;
