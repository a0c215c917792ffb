//! Errors in a game of a file.

use std::fmt;

use thiserror::Error;

use super::game::{MAX_NESTING, PdnResult};
use super::split::MAX_GAME_BYTES;
use crate::notation::syntax::Quoted;
use crate::notation::{FenError, MoveError};

/// The maximum number of errors that are reported for a game.
pub(super) const MAX_FAULTS: usize = 100;

/// An error, and its byte offset in a game's text.
pub(super) type Fault = (usize, PdnErrorKind);

/// An error in a game, and its place in the file.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("game {game}, line {line}, column {column}: {kind}")]
pub struct PdnError {
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The error.
    pub kind: PdnErrorKind,
}

/// An error in a game.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum PdnErrorKind {
    /// The rest of the file cannot be read, for this reason.
    #[error("cannot read the rest of the file: {0}")]
    Unreadable(String),
    /// The game is longer than any real one.
    #[error("the game is longer than {MAX_GAME_BYTES} bytes")]
    TooLong,
    /// The text leaves the grammar.
    #[error("unexpected {}: expected {expected}", shown(found))]
    Malformed {
        /// The word found, empty at the end of a line or of the game.
        found: String,
        /// The expected text.
        expected: &'static str,
    },
    /// Variations are nested too deep.
    #[error("variations are nested more than {MAX_NESTING} deep")]
    TooDeep,
    /// The game is not English draughts.
    #[error("game type {} is not English draughts: expected 21", Quoted(.0))]
    GameType(String),
    /// The start position is invalid.
    #[error(transparent)]
    Fen(FenError),
    /// A move is malformed, illegal or ambiguous.
    #[error(transparent)]
    Move(MoveError),
    /// The moves begin with this number and are illegal from the start of the game.
    #[error("the moves begin with number {0} but are illegal from the start of the game: expected a FEN tag")]
    Middle(u32),
    /// The result tag is invalid.
    #[error("invalid result {}: expected 1-0, 0-1, 1/2-1/2 or *", Quoted(.0))]
    ResultTag(String),
    /// Tag, moves and board have different results.
    #[error(transparent)]
    Results(Results),
    /// Moves follow the result.
    #[error("unexpected {} after the result", Quoted(.0))]
    AfterEnd(String),
    /// There are more errors than are reported.
    #[error("more than {MAX_FAULTS} errors; the rest is not reported")]
    TooMany,
}

fn shown(found: &str) -> String {
    if found.is_empty() { "end".to_owned() } else { Quoted(found).to_string() }
}

/// The results that a game gives in different places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// The tag `Result`.
    pub tag: Option<PdnResult>,
    /// The result after the moves.
    pub moves: Option<PdnResult>,
    /// The result on the board: a side without moves has lost.
    pub board: Option<PdnResult>,
}

impl Results {
    /// Returns the result: that on the board comes first, then the one after the moves, then the tag. `*` does not count.
    #[must_use]
    pub fn result(self) -> PdnResult {
        self.known().next().unwrap_or(PdnResult::Unknown)
    }

    /// Returns whether all results are the same.
    #[must_use]
    pub fn agree(self) -> bool {
        self.known().all(|result| result == self.result())
    }

    fn known(self) -> impl Iterator<Item = PdnResult> {
        [self.board, self.moves, self.tag]
            .into_iter()
            .flatten()
            .filter(|&result| result != PdnResult::Unknown)
    }
}

impl PdnErrorKind {
    /// Returns whether the game can be read all the same, though something contradicts or is in the wrong place.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::ResultTag(_) | Self::Results(_) | Self::AfterEnd(_))
    }
}

impl std::error::Error for Results {}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places =
            [("in the tag", self.tag), ("after the moves", self.moves), ("on the board", self.board)];
        let known = places.iter().filter_map(|(place, result)| Some((place, (*result)?)));
        let known: Vec<_> = known
            .filter(|&(_, result)| result != PdnResult::Unknown)
            .map(|(place, result)| format!("{result} {place}"))
            .collect();
        write!(f, "contradicting results: {}", known.join(", "))
    }
}
