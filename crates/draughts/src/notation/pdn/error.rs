//! Errors in games.

use std::error::Error;
use std::fmt;
use std::io;

use super::result::ResultError;
use crate::notation::{MoveError, PositionError};
use crate::record::MAX_NESTING;
use crate::result::GameResult;
use kelso_syntax::Quoted;

/// The maximum number of errors that are reported for a game.
pub(super) const MAX_ERRORS: usize = 100;
/// The maximum length of a game.
pub(super) const MAX_GAME_BYTES: usize = 4 << 20;

/// An error and its byte offset in the text of a game.
pub(super) type PlacedError = (usize, PdnErrorKind);

/// An error in a game, and its position in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnError {
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    pub kind: PdnErrorKind,
}

/// An error in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PdnErrorKind {
    /// The rest of the file cannot be read.
    Unreadable { kind: io::ErrorKind, reason: String },
    /// The game is longer than 4 MiB.
    TooLong,
    /// The game is not English draughts. Contains the `GameType` tag.
    GameType(String),
    /// The `FEN` tag is not a position.
    Fen(PositionError),
    /// The moves begin with this number, but there is no `FEN` tag, and they are illegal from the start.
    MissingFen(u32),
    /// A move is malformed, illegal or ambiguous.
    Move(MoveError),
    /// The text does not follow the grammar. `found` is empty at the end of the game.
    Unexpected { found: String, expected: &'static str },
    /// Variations are nested too deep.
    TooDeep,
    /// The game has further errors, which are not reported.
    TooMany,
    /// The tag, the moves and the board give different results.
    Results(StatedResults),
    /// The `Result` tag is not a result.
    ResultTag(String),
    /// Text after the result.
    AfterResult(String),
    /// A tag of this name occurs again with another value, which does not count.
    RepeatedTag(String),
}

impl Error for PdnError {}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, line, column, kind } = self;
        write!(f, "game {game}, line {line}, column {column}: {kind}")
    }
}

impl Error for PdnErrorKind {}

impl fmt::Display for PdnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { reason, .. } => write!(f, "cannot read the rest of the file: {reason}"),
            Self::TooLong => write!(f, "the game is longer than {MAX_GAME_BYTES} bytes"),
            Self::GameType(text) => {
                write!(f, "game type {} is not English draughts: expected 21", Quoted(text))
            }
            Self::Fen(error) => error.fmt(f),
            Self::MissingFen(first) => write!(
                f,
                "the moves begin with number {first} but are illegal from the start of the game: expected a FEN tag"
            ),
            Self::Move(error) => error.fmt(f),
            Self::Unexpected { found, expected } if found.is_empty() => {
                write!(f, "unexpected end: expected {expected}")
            }
            Self::Unexpected { found, expected } => {
                write!(f, "unexpected {}: expected {expected}", Quoted(found))
            }
            Self::TooDeep => write!(f, "variations are nested more than {MAX_NESTING} deep"),
            Self::TooMany => write!(f, "more than {MAX_ERRORS} errors; the rest are not reported"),
            Self::Results(results) => results.fmt(f),
            Self::ResultTag(text) => write!(f, "invalid result {}: {ResultError}", Quoted(text)),
            Self::AfterResult(text) => write!(f, "unexpected {} after the result", Quoted(text)),
            Self::RepeatedTag(name) => {
                write!(f, "another tag {}: the first one counts", Quoted(name))
            }
        }
    }
}

impl PdnErrorKind {
    /// Returns whether the game is readable despite the error, which concerns only its result, the text after
    /// it, or a tag.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::Results(_) | Self::ResultTag(_) | Self::AfterResult(_) | Self::RepeatedTag(_))
    }
}

/// The results that a game states in different places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StatedResults {
    /// The `Result` tag.
    pub tag: Option<GameResult>,
    /// The result after the moves.
    pub moves: Option<GameResult>,
    /// The result on the board: a side without moves has lost.
    pub board: Option<GameResult>,
}

impl StatedResults {
    /// Returns the result on the board if there is one, otherwise the result after the moves, otherwise the
    /// tag's.
    #[must_use]
    pub fn result(self) -> Option<GameResult> {
        self.board.or(self.moves).or(self.tag)
    }

    /// Returns whether all stated results are the same.
    #[must_use]
    pub fn agree(self) -> bool {
        [self.board, self.moves, self.tag].into_iter().flatten().all(|result| Some(result) == self.result())
    }
}

impl fmt::Display for StatedResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places =
            [("in the tag", self.tag), ("after the moves", self.moves), ("on the board", self.board)];
        let stated: Vec<String> =
            places.iter().filter_map(|(place, result)| Some(format!("{} {place}", (*result)?))).collect();
        write!(f, "contradictory results: {}", stated.join(", "))
    }
}
