//! Openings: the ballots that tournaments draw by lot, and the book of what deep search says of positions near the
//! start.
//!
//! | for | see |
//! |---|---|
//! | the decks of three-move and eleven-man ballots | [`Deck`], [`Ballot`] |
//! | a position without colours, as its mover sees it | [`Key`] |
//! | what a book says of a position | [`Entry`], [`BookScore`], [`Drop`] |
//! | a book on disk or compiled in, and its format | [`file`] |
//! | which of its moves is played | [`choice`] |
//!
//! Nothing here searches. Books are made by the room [`bookmaking`](training::book).

mod ballot;
pub mod choice;
mod entry;
pub mod file;
mod key;
mod name;

pub use ballot::{Ballot, Deck};
pub use entry::{BookScore, Drop, Entry};
pub use file::{Book, BookError, BookMove, Found};
pub use key::{Key, moves, seen};

#[cfg(test)]
use crate::eval::testing;
