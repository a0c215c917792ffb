//! What is wrong with a game in a file, and where.

use std::fmt;

use super::game::{MAX_NESTING, PdnResult};
use super::split::MAX_GAME_BYTES;
use crate::notation::syntax::Quoted;
use crate::notation::{FenError, MoveError};

/// A game with more faults than these says so and no more.
pub(super) const MOST_FAULTS: usize = 100;

/// What is wrong, and at which byte of a game's text.
pub(super) type Fault = (usize, PdnErrorKind);

/// What is wrong with a game, and where in its file.
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
    /// The game isn't English draughts, or not known to be.
    GameType(String),
    /// The position that the game starts with is none.
    Fen(FenError),
    /// A move is malformed, illegal or ambiguous.
    Move(MoveError),
    /// The moves begin with this number, no position is given, and they can't be played from the start of the game.
    Middle(u32),
    /// The tag of the result holds something else.
    ResultTag(String),
    /// Tag, moves and board don't say the same.
    Results(Results),
    /// Moves stand after the result.
    AfterEnd(String),
    /// More is wrong than is told.
    TooMany,
}

/// What a game says of its result, wherever it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// The tag `Result`.
    pub tag: Option<PdnResult>,
    /// What stands after the moves.
    pub moves: Option<PdnResult>,
    /// A side without moves has lost, whatever the rest says.
    pub board: Option<PdnResult>,
}

impl Results {
    /// What goes before the rest: the board, then what stands after the moves, then the tag. `*` says nothing.
    #[must_use]
    pub fn result(self) -> PdnResult {
        self.said().next().unwrap_or(PdnResult::Unknown)
    }

    /// Whether all that is said is the same.
    #[must_use]
    pub fn agree(self) -> bool {
        self.said().all(|result| result == self.result())
    }

    fn said(self) -> impl Iterator<Item = PdnResult> {
        [self.board, self.moves, self.tag]
            .into_iter()
            .flatten()
            .filter(|&result| result != PdnResult::Unknown)
    }
}

impl PdnErrorKind {
    /// Whether the game can be read all the same, though what it says can't all be true or is in the wrong place.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::ResultTag(_) | Self::Results(_) | Self::AfterEnd(_))
    }
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
            Self::Middle(number) => write!(
                f,
                "the moves begin with number {number} and can't be played from the start, expected a tag FEN with \
                 the position before them"
            ),
            Self::ResultTag(value) => {
                write!(f, "result {}, expected 1-0, 0-1, 1/2-1/2 or *", Quoted(value))
            }
            Self::Results(results) => results.fmt(f),
            Self::TooMany => {
                write!(f, "more than {MOST_FAULTS} faults, expected fewer; the rest is not told")
            }
            Self::AfterEnd(text) => {
                write!(f, "found {} after the result, expected no moves there", Quoted(text))
            }
        }
    }
}

/// What contradicts what, the most credible last.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = [
            ("the tag says", self.tag),
            ("the moves end with", self.moves),
            ("on the board it is", self.board),
        ];
        let said = said.iter().filter_map(|(who, result)| Some((who, (*result)?)));
        let said: Vec<_> = said
            .filter(|&(_, result)| result != PdnResult::Unknown)
            .map(|(who, result)| format!("{who} {result}"))
            .collect();
        write!(f, "contradicting results: {}; expected the same", said.join(", "))
    }
}

impl std::error::Error for PdnError {}
