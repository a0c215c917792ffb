//! Games in Portable Draughts Notation: tags, then moves with comments, glyphs and variations, then a result.
//!
//! [`PdnReader`] reads any [`Read`](std::io::Read), and returns each game as a [`PdnEntry`]: the part of the
//! [`GameRecord`](crate::record::GameRecord) that can be read, and every error with its location. The
//! [`Display`](std::fmt::Display) of a `GameRecord` writes it as PDN.
//!
//! ```
//! use kelso_draughts::notation::pdn::PdnReader;
//!
//! let file = "[Black \"Ann\"]\n1.11x15 23-18! {the cross} 2. 8-11 (9-14 18x9) 1-0";
//! for entry in PdnReader::new(file.as_bytes()) {
//!     entry.errors().for_each(|error| eprintln!("{error}"));
//!     let mut game = entry.whole()?;
//!     let mut position = game.start;
//!     for ply in &mut game.plies {
//!         position = position.after(ply.mv);
//!         ply.comment.push_str(if position.must_capture() { " takes" } else { "" });
//!     }
//!     assert_eq!(game.tags.get("Black"), Some("Ann"));
//!     assert!(game.to_string().ends_with("1. 11-15 23-18 $1 {the cross} 2. 8-11 (2. 9-14 18x9) 1-0\n"));
//! }
//! # Ok::<(), kelso_draughts::notation::pdn::PdnError>(())
//! ```
//!
//! # Accepted text
//!
//! Real files are untidy, so reading is lenient. Text that matches exactly one legal move is read as that
//! move: `10x14` for a quiet move, `22-15` or `22 15` for a capture, a capture jump by jump, moves and
//! numbers without spaces as in `11-1523-19`. Move numbers of any form are skipped. Lines that are not valid
//! UTF-8 are read as Windows-1252, and UTF-16 is recognised. Games may lack tags, moves or the result, and
//! may follow each other on a line. Repetitions do not end a game. Games are written in a single form.
//!
//! An error affects as little as possible: an illegal move affects the rest of its line, an invalid tag only
//! itself, and an unclosed comment everything up to the next line that begins with an `Event` tag.
//!
//! # Ambiguous captures
//!
//! Old collections write only the start and end of a capture, even if two captures share both. The reader
//! chooses the capture that makes the following moves legal, if only one does. Otherwise the move is an
//! error, as in [`movetext`](super::movetext).
//!
//! # Results
//!
//! A result may be in a tag, after the moves, and on the board, where a side without moves has lost. If the
//! results differ, an error is reported, and the board takes precedence, then the text after the moves, then
//! the tag.
//!
//! # Changes
//!
//! Line breaks in comments are dropped. The tags `Result`, `FEN`, `SetUp` and `GameType` are converted to
//! fields of a `GameRecord`, and written from these fields. Moves after the result become a comment.

mod comment;
mod error;
mod grammar;
mod nest;
mod reader;
mod resolve;
mod result;
mod split;
mod writer;

pub use error::{PdnError, PdnErrorKind, StatedResults};
pub use reader::{Batch, PdnEntry, PdnReader};
pub use result::{ResultError, parse_result};
