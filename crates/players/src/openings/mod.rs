//! Where the games of a match begin.
//!
//! Checkers between equals is so often drawn from the usual start that matches are played from balloted openings:
//! the three-move deck, or the sharper eleven-man ballots, in which either side is a man short of twelve.

mod ballots;
mod file;

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use crate::state::GameState;
use draughts::board::{Move, Position};

pub use ballots::{eleven_man, three_move};
pub use file::{from_fens, load};

/// A position, and moves played from it before the engines take over.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What it is called in results: the ballot's number, or the place in its file.
    pub name: String,
    /// Where the game begins.
    pub start: Position,
    /// What is played before the first engine is asked.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The start of the game, without ballot.
    #[must_use]
    pub fn start() -> Self {
        Self { name: "start".to_owned(), start: Position::start(), moves: Vec::new() }
    }

    /// The game as the first engine finds it.
    #[must_use]
    pub fn game(&self) -> GameState {
        let mut game = GameState::new(self.start);
        for &mv in &self.moves {
            game.play(mv);
        }
        game
    }
}

/// Why there are no openings to play from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningsError {
    /// The file can't be read.
    Unreadable {
        /// Its path.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// An entry can't be used.
    Entry {
        /// The line or game, as people count.
        place: String,
        /// Why.
        reason: String,
    },
    /// There is nothing in it.
    Empty(String),
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, reason } => write!(
                f,
                "cannot read openings from {path}: {reason} (expected three-move, eleven-man, start, or a file of \
                 FENs or PDN games)"
            ),
            Self::Entry { place, reason } => write!(f, "openings, {place}: {reason}"),
            Self::Empty(path) => write!(f, "no openings in {path}, expected FENs or PDN games"),
        }
    }
}

impl std::error::Error for OpeningsError {}

/// The openings that a name or path stands for: `three-move`, `eleven-man`, `start`, or a file. Of the games in a PDN
/// file, at most `plies` moves each are taken; those that can't be used are reported and left out.
///
/// # Errors
///
/// When a file can't be read, a line of it isn't an opening from which a game can be played, or none of its games is.
pub fn named(
    name: &str,
    plies: Option<usize>,
    left_out: &mut dyn FnMut(OpeningsError),
) -> Result<Vec<Opening>, OpeningsError> {
    match name {
        "three-move" => three_move(),
        "eleven-man" => eleven_man(),
        "start" => Ok(vec![Opening::start()]),
        path => load(Path::new(path), plies, left_out),
    }
}

/// Leaves out openings that begin with the position of an earlier one, whatever their moves: players that depend on nothing else
/// would play the same game from both.
#[must_use]
pub fn distinct(openings: Vec<Opening>) -> Vec<Opening> {
    let mut known = HashSet::new();
    openings.into_iter().filter(|opening| known.insert(*opening.game().position())).collect()
}

/// Refuses an opening in which there is nothing left to play.
fn playable(opening: Opening, place: impl FnOnce() -> String) -> Result<Opening, OpeningsError> {
    match opening.game().game().outcome() {
        None => Ok(opening),
        Some(outcome) => {
            Err(OpeningsError::Entry { place: place(), reason: format!("the game is over: {outcome}") })
        }
    }
}
