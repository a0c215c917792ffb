//! Openings of the games of a match.
//!
//! Checkers between equals is so often drawn from the usual start that matches are played from balloted openings:
//! the three-move deck, the older two-move deck, or the sharper eleven-man ballots, in which either side is a man short
//! of twelve.

mod file;

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use draughts::board::{Game, Move, Position};
use engine::book::{Ballot, Deck};

pub use file::{from_fens, load};

/// A position, and the moves played before the engines.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The name in results: the number and name of the ballot, or the place in its file.
    pub name: String,
    /// The first position of the game.
    pub start: Position,
    /// The moves before the first one of an engine.
    pub moves: Vec<Move>,
}

impl Opening {
    /// Returns the opening without any moves.
    pub fn start() -> Self {
        Self { name: "start".to_owned(), start: Position::start(), moves: Vec::new() }
    }

    /// Returns the game after the opening.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &mv in &self.moves {
            game.play(mv);
        }
        game
    }
}

/// The name of a game without a restriction, as tournaments call it.
const GO_AS_YOU_PLEASE: &str = "go-as-you-please";

/// Returns the openings of a name, `two-move`, `three-move`, `eleven-man`, `go-as-you-please` or `start`, or of a file. Of
/// the games in a PDN file, at most `plies` moves each are taken; unusable ones are reported to `left_out`. With `crown`,
/// men on the last row are read as kings.
///
/// # Errors
///
/// When a file cannot be read, a line of it is invalid, or none of its games is usable.
pub fn named(
    name: &str,
    plies: Option<usize>,
    crown: bool,
    left_out: &mut dyn FnMut(String),
) -> Result<Vec<Opening>, String> {
    match Deck::ALL.into_iter().find(|deck| deck.name() == name) {
        Some(deck) => Ok(ballots(deck)),
        None if name == GO_AS_YOU_PLEASE => {
            Ok(vec![Opening { name: GO_AS_YOU_PLEASE.to_owned(), ..Opening::start() }])
        }
        None if name == "start" => Ok(vec![Opening::start()]),
        None => load(Path::new(name), plies, crown, left_out),
    }
}

/// Returns the ballots of a deck that are in play.
pub fn ballots(deck: Deck) -> Vec<Opening> {
    let opening = |ballot: Ballot| Opening { name: ballot.title(), start: ballot.start, moves: ballot.moves };
    deck.ballots().into_iter().map(opening).collect()
}

/// Removes openings that lead to the same position as an earlier one: deterministic players would play the same game from
/// both.
pub fn distinct(openings: Vec<Opening>) -> Vec<Opening> {
    let mut known = HashSet::new();
    openings.into_iter().filter(|opening| known.insert(*opening.game().position())).collect()
}

/// Refuses an opening after which the game is over.
fn playable(opening: Opening, place: impl FnOnce() -> String) -> Result<Opening, String> {
    match opening.game().outcome() {
        None => Ok(opening),
        Some(outcome) => Err(invalid(place(), format_args!("the game is over: {outcome}"))),
    }
}

/// Returns the error for an invalid entry of a file.
fn invalid(place: impl fmt::Display, reason: impl fmt::Display) -> String {
    format!("invalid opening in {place}: {reason}")
}
