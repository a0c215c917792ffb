//! Errors in games.

use std::error::Error;
use std::fmt;

use crate::notation::MoveError;
use crate::result::GameResult;
use kelso_text::syntax::Quoted;

/// The maximum number of errors that are reported for a game.
pub(super) const MAX_FAULTS: usize = 100;
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
    /// The rest of the file cannot be read. Contains the reason.
    Unreadable(String),
    /// The game is longer than 4 MiB.
    TooLong,
    /// The game is not English draughts.
    GameType(String),
    /// A move is malformed, illegal or ambiguous.
    Move(MoveError),
    /// The tag, the moves and the board give different results.
    Results(StatedResults),
    /// A part of the game cannot be read. Contains the reason.
    Invalid(String),
    /// A part of the game is ignored. Contains the reason.
    Ignored(String),
}

impl Error for PdnError {}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, line, column, kind } = self;
        write!(f, "game {game}, line {line}, column {column}: {kind}")
    }
}

impl Error for PdnErrorKind {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Move(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for PdnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(reason) => write!(f, "cannot read the rest of the file: {reason}"),
            Self::TooLong => write!(f, "the game is longer than {MAX_GAME_BYTES} bytes"),
            Self::GameType(text) => {
                write!(f, "game type {} is not English draughts: expected 21", Quoted(text))
            }
            Self::Move(error) => error.fmt(f),
            Self::Results(results) => results.fmt(f),
            Self::Invalid(reason) | Self::Ignored(reason) => f.write_str(reason),
        }
    }
}

impl PdnErrorKind {
    /// Returns the error for text that does not follow the grammar. The text is empty at the end of the game.
    pub(super) fn unexpected(text: &str, expected: &str) -> Self {
        let found: String = text.chars().take_while(|c| !c.is_whitespace()).take(40).collect();
        let found = if found.is_empty() { "end".to_owned() } else { Quoted(&found).to_string() };
        Self::Invalid(format!("unexpected {found}: expected {expected}"))
    }

    /// Returns whether the game is readable despite the error: its results conflict, or text is in the wrong
    /// place.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::Results(_) | Self::Ignored(_))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::{fen, movetext};

    #[test]
    fn an_error_that_passes_on_another_has_it_as_its_source() {
        let malformed = movetext::parse(&Position::start(), "11").unwrap_err();
        let errors: [Box<dyn Error>; 3] = [
            Box::new(fen::parse("W:X").unwrap_err()),
            Box::new(malformed.clone()),
            Box::new(PdnErrorKind::Move(malformed)),
        ];
        for error in errors {
            assert_eq!(error.source().map(ToString::to_string), Some(error.to_string()));
        }
        // The text of this error contains its cause.
        assert!(fen::parse("B:W1:B5").unwrap_err().source().is_none());
    }
}
