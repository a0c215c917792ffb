//! Endgame databases: the result of every position with few pieces and, for even fewer pieces, the number of
//! plies to the end.
//!
//! Results of 2-5 pieces and distances of 2-4 are compiled in. Further databases are files,
//! usually in the user's data folder. [`Databases`] opens them and looks positions up. With the
//! feature `build`, the module `build` builds and verifies them.
//!
//! ```
//! use kelso_draughts::notation::fen;
//! use kelso_draughts::result::{KnownValue, Wdl};
//! use kelso_endgames::Databases;
//!
//! let databases = Databases::compiled_in();
//! let position = fen::parse("B:W32:BK22,K23")?;
//! assert_eq!(databases.probe(&position), Some(Wdl::Win));
//! assert_eq!(databases.distance(&position), Some(KnownValue::new(Wdl::Win, Some(5))));
//! # Ok::<(), kelso_draughts::notation::PositionError>(())
//! ```
//!
//! # Values
//!
//! A result is win, loss or draw for the side to move with perfect play, without regard to repetition and
//! other draw rules. A distance is the number of plies to the end when the winner hurries and the loser
//! delays, across captures and promotions.
//!
//! # Files
//!
//! A [`Slice`] is all positions with given numbers of men and kings of both sides, the side to move first;
//! each side has at least one piece. The board is rotated so that the side to move moves up, so each position
//! with White to move is equivalent to one with Black to move. Every position of a slice has a number
//! (`index`). A file (`file`) stores the values in blocks that are coded one by one (`model`, `coder`).
//! Positions in which the side to move must capture are not stored: [`Databases::probe`] and
//! [`Databases::distance`] play the captures out, and [`Databases::probe_quiet`] returns `None`. Some
//! positions in which the other side threatens to capture are not stored either (`coverage`), but are looked
//! up one ply ahead. A side without pieces has lost; no file is needed for this.
//!
//! To write a reader: parse the header, the model and the directory; compute the number of the position; find
//! its group and block; determine which positions of the block are stored; and decode the block up to the
//! value.
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

mod bits;
#[cfg(feature = "build")]
pub mod build;
mod cache;
mod coder;
mod coverage;
mod databases;
mod file;
mod header;
mod index;
mod model;
mod node;
mod probe;
mod slice;
mod value;
mod walk;

pub use databases::{
    COMPILED_IN, DatabaseError, DatabaseOptions, Databases, EmbeddedDatabases, MissingFiles, MissingSlices,
    check_folder, default_folder, installed_folder,
};
pub use header::{Content, DatabaseHeader, FileError};
pub use slice::{MAX_PIECES, Slice};
pub use value::Counts;
