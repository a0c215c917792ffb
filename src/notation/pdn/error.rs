//! Why a game in a file can't be read.

use std::fmt;

use crate::notation::syntax::Quoted;
use crate::notation::{FenError, MoveError};

use super::game::MAX_NESTING;
use super::split::MAX_GAME_BYTES;

/// What is wrong, and at which byte of a game's text.
pub(super) type Fault = (usize, PdnErrorKind);

/// Why a game can't be read, and where in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnError {
    /// Which game of the file, from 1.
    pub game: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: PdnErrorKind,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PdnErrorKind {
    /// The file can't be read any further; this is the system's reason.
    Unreadable(String),
    /// The game is longer than any real one.
    TooLong,
    /// The text leaves the grammar.
    Malformed {
        /// The word found, empty at the end of a line or of the game.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Variations within variations within variations.
    TooDeep,
    /// The game isn't English draughts.
    GameType(String),
    /// The position that the game starts with is none.
    Fen(FenError),
    /// A move is malformed, illegal or ambiguous.
    Move(MoveError),
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, column {}: {}", self.game, self.line, self.column, self.kind)
    }
}

impl fmt::Display for PdnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(reason) => write!(f, "cannot read: {reason}"),
            Self::TooLong => write!(f, "a game of more than {MAX_GAME_BYTES} bytes, expected a shorter one"),
            Self::Malformed { found, expected } if found.is_empty() => {
                write!(f, "nothing follows, expected {expected}")
            }
            Self::Malformed { found, expected } => write!(f, "found {}, expected {expected}", Quoted(found)),
            Self::TooDeep => write!(f, "variations nested more than {MAX_NESTING} deep, expected fewer"),
            Self::GameType(value) => {
                write!(f, "game type {}, expected 21, which is English draughts", Quoted(value))
            }
            Self::Fen(error) => error.fmt(f),
            Self::Move(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PdnError {}
