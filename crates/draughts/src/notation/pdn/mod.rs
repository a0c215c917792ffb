//! Games in Portable Draughts Notation: tags, then moves with comments, glyphs and variations, then a result.
//!
//! [`Games`] reads any [`Read`](std::io::Read), a game at a time, and gives each as an [`Entry`]: the [`PdnGame`] as far as
//! it can be read, and every fault with its place. [`PdnGame`] is what programs work on; its [`Display`](std::fmt::Display)
//! is the writer.
//!
//! ```
//! use draughts::notation::pdn::Games;
//!
//! let file = "[Black \"Ann\"]\n1.11x15 23-18! {the cross} 2. 8-11 (9-14 18x9) 1-0";
//! for entry in Games::new(file.as_bytes()) {
//!     entry.faults.iter().for_each(|fault| eprintln!("{fault}"));
//!     let mut game = entry.whole()?;
//!     let mut position = game.start;
//!     for ply in &mut game.plies {
//!         position = position.after(ply.mv);
//!         ply.comment.push_str(if position.must_capture() { " takes" } else { "" });
//!     }
//!     assert_eq!(game.tags.get("Black"), Some("Ann"));
//!     assert!(game.to_string().ends_with("1. 11-15 23-18 $1 {the cross} 2. 8-11 (2. 9-14 18x9) 1-0\n"));
//! }
//! # Ok::<(), draughts::notation::pdn::PdnError>(())
//! ```
//!
//! # What is read
//!
//! Real files are untidy, so reading is broad. A text that names exactly one legal move is that move: `10x14` where
//! nothing is taken, `22-15` or `22 15` where something is, a capture jump by jump, moves and numbers run together as in
//! `11-1523-19`. Numbers of moves are skipped, in whatever form. Bytes that are no UTF-8 are taken as Windows-1252, and a
//! byte order mark tells UTF-16. Games may have no tags, no moves, or no result at their end, and may follow each other on
//! a line. A game goes on however often a position is repeated. Writing has one form only.
//!
//! A fault costs what it makes doubtful and no more: an illegal move the rest of its line, a bad tag itself, a comment
//! without end the rest of the game, up to the next tag `Event` at the beginning of a line.
//!
//! # Captures that could be several moves
//!
//! Old collections give only the ends of a capture, even where two captures have the same ends. The moves that follow
//! mostly tell which was meant: every choice is followed, and if only one of them makes the whole line legal, it is
//! taken. Otherwise the move is an error, as it is for [`movetext`](super::movetext).
//!
//! # Results
//!
//! A result may stand in a tag, after the moves, and on the board, where a side without moves has lost. If these don't
//! agree, the game has a fault that says so, and the board goes before the moves, and these before the tag.
//!
//! # What a game keeps
//!
//! Comments lose their line breaks. Tags that only say what other parts of a [`PdnGame`] say (`Result`, `FEN`, `SetUp`,
//! `GameType`) become those parts and are written from them. Moves after the result become a comment.

mod batch;
mod error;
mod game;
mod grammar;
mod interpret;
mod nest;
mod reader;
mod resolve;
mod run;
mod split;
mod writer;

pub use batch::{Batch, Batches};
pub use error::{PdnError, PdnErrorKind, Results};
pub use game::{MAX_NESTING, PdnGame, PdnResult, Ply, Tags, Variation};
pub use reader::{Entry, Games};
