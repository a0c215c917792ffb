//! The ballots of tournaments, as openings of a match.

use super::{Opening, OpeningsError, playable};
use engine::book::{Ballot, Deck};

/// The deck of three-move openings, 157 in play of 174.
///
/// # Errors
///
/// Never with the data compiled in; a test plays all of it.
pub fn three_move() -> Result<Vec<Opening>, OpeningsError> {
    openings(Deck::ThreeMove)
}

/// The eleven-man ballots, 2253 of 2500 in play: each side starts without one of its men, and two moves are made.
///
/// # Errors
///
/// Never with the data compiled in; a test plays all of it.
pub fn eleven_man() -> Result<Vec<Opening>, OpeningsError> {
    openings(Deck::ElevenMan)
}

fn openings(deck: Deck) -> Result<Vec<Opening>, OpeningsError> {
    let opening = |ballot: Ballot| {
        let name = ballot.to_string();
        let place = format!("ballot \"{name}\"");
        playable(Opening { name, start: ballot.start, moves: ballot.moves }, || place)
    };
    deck.ballots().into_iter().map(opening).collect()
}
