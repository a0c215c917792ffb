//! Openings: the ballots that tournaments draw by lot, and the opening book.
//!
//! | for | see |
//! |---|---|
//! | the decks of three-move and eleven-man ballots | [`Deck`], [`Ballot`] |
//! | a position without colours | [`Key`] |
//! | the entry of a position | [`BookEntry`], [`BookScore`], [`Drop`] |
//! | a book and its format | [`mod@file`] |
//!
//! The `book` crate builds books.

mod ballot;
mod entry;
pub mod file;
mod key;

pub use ballot::{Ballot, Deck};
pub use entry::{BookEntry, BookScore, Drop};
pub use file::{Book, BookError, BookFault, BookMove, BookPosition};
pub use key::{Key, moves};

#[cfg(test)]
use crate::eval::testing;
