//! What a session can be told to do, in no particular language.

use std::fmt;
use std::time::Duration;

use draughts::board::{Color, Game};
use draughts::notation::syntax::{Mismatch, Quoted, column};
use draughts::notation::{FenError, HubPositionError, MoveError, MoveText};
use engine::book::Deck;
use engine::{OptionError, Setting};

/// A well-formed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Say who you are and what can be set.
    Identify,
    /// Say when everything before is done; at once during a search.
    Ready,
    /// Say at once that you are there.
    Ping,
    /// Set an option.
    Set(Setting),
    /// What comes belongs to another game.
    NewGame,
    /// The game is now this.
    Position(Game),
    /// Search.
    Go(Go),
    /// Count the leaves of the move tree.
    Perft(u32),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// List the legal moves.
    Moves,
    /// List the legal moves with every path that they can take.
    Paths,
    /// Look the position and what each move leads to up in the endgame databases.
    Probe,
    /// Offer the other side a draw.
    Offer,
    /// List the ballots of a deck, or tell the one with a number.
    Ballots(Deck, Option<u32>),
    /// Show the position.
    Show,
    /// Judge the position.
    Evaluate,
    /// Do the fixed work, to a depth if one is given.
    Bench(Option<usize>),
    /// Explain the commands.
    Help,
    /// End.
    Quit,
}

/// What a search is asked to keep to, as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Iterations.
    pub depth: Option<usize>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub move_time: Option<Duration>,
    /// Only end when stopped.
    pub infinite: bool,
    /// Think in the other side's time.
    pub ponder: bool,
    /// What each side has left, Black first.
    pub clocks: [Option<Duration>; 2],
    /// What each side gets for a move, Black first.
    pub increments: [Option<Duration>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Only these moves.
    pub search_moves: Vec<MoveText>,
}

impl Go {
    /// A side's clock; where only the other side's is known, that one.
    #[must_use]
    pub fn clock(&self, color: Color) -> Option<Duration> {
        self.clocks[color.index()].or(self.clocks[(!color).index()])
    }
}

/// Why a line is no command, or can't be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// Its first word is none that is known.
    Unknown {
        /// The word.
        word: String,
    },
    /// It leaves the grammar.
    Malformed {
        /// The line.
        line: String,
        /// Where, and what was expected.
        mismatch: Mismatch,
    },
    /// A word that may stand once stands twice.
    Repeated {
        /// The line.
        line: String,
        /// The word.
        word: String,
    },
    /// A word that stands alone has company.
    Alone {
        /// The line.
        line: String,
        /// The word.
        word: String,
    },
    /// It is longer than any line may be.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// The longest that is read.
        limit: usize,
    },
    /// Its option or value is none.
    Option(OptionError),
    /// Its parameter is none.
    Parameter {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// Its position is none.
    Fen(FenError),
    /// Its Hub position is none.
    HubPosition(HubPositionError),
    /// One of its moves is none.
    Move {
        /// Its place in the line's moves, from 1.
        number: usize,
        /// Why.
        error: MoveError,
    },
    /// The expected move was played, but no search waits for it.
    NotPondering,
    /// More searches wait than anybody can mean.
    TooMany {
        /// How many wait.
        waiting: usize,
    },
    /// No ballot has its number.
    NoBallot {
        /// The deck.
        deck: Deck,
        /// The number.
        number: u32,
    },
    /// The engine could not do it.
    Failed(String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { word } => {
                write!(f, "unknown command {}: expected one of those that \"help\" lists", Quoted(word))
            }
            Self::Malformed { line, mismatch: Mismatch { at, expected } } => {
                write!(
                    f,
                    "invalid command {} at character {}: expected {expected}",
                    Quoted(line),
                    column(line, *at)
                )
            }
            Self::Repeated { line, word } => {
                write!(f, "\"{word}\" twice in {}, expected it once", Quoted(line))
            }
            Self::Alone { line, word } => {
                write!(f, "\"{word}\" with other limits in {}, expected it alone", Quoted(line))
            }
            Self::TooLong { bytes, limit } => write!(f, "line of {bytes} bytes, expected at most {limit}"),
            Self::Option(error) => error.fmt(f),
            Self::Parameter { name, known } => {
                write!(f, "unknown parameter {}: expected one of {known}", Quoted(name))
            }
            Self::Fen(error) => error.fmt(f),
            Self::HubPosition(error) => error.fmt(f),
            Self::Move { number, error } => write!(f, "move {number}: {error}"),
            Self::NotPondering => write!(f, "\"ponderhit\" without a search begun by \"go ponder\""),
            Self::TooMany { waiting } => {
                write!(f, "{waiting} searches are waiting already, expected \"stop\" before another")
            }
            Self::NoBallot { deck, number } => {
                write!(
                    f,
                    "no {} ballot {number} is in play, expected a number that \"ballots {}\" lists",
                    deck.name(),
                    deck.name()
                )
            }
            Self::Failed(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}
