//! Games in Portable Draughts Notation: tags, then moves with comments, glyphs and variations, then a result.
//!
//! Real files are untidy, so reading is broad. Numbers of moves are skipped, in whatever form. Captures may be short.
//! Bytes that are no UTF-8 are taken as Latin-1. Games may have no tags, no moves, or no result at their end, and may
//! follow each other on a line. A game that can't be read is an error that says where and why; the games after it are
//! read all the same. Writing has one form only.
//!
//! # Captures that could be several moves
//!
//! Old collections give only the ends of a capture, even where two captures have the same ends. The moves that follow
//! mostly tell which was meant: every choice is followed, and if only one of them makes the whole line legal, it is
//! taken. Otherwise the move is an error, as it is for [`movetext`](super::movetext).
//!
//! # What a game keeps
//!
//! Comments lose their line breaks. Tags that only say what other parts of a [`PdnGame`] say (`Result`, `FEN`, `SetUp`,
//! `GameType`) become those parts and are written from them.

mod error;
mod game;
mod grammar;
mod nest;
mod reader;
mod resolve;
mod split;
mod writer;

pub use error::{PdnError, PdnErrorKind};
pub use game::{GameResult, MAX_NESTING, PdnGame, Ply, Tags, Variation};
pub use reader::Games;
