//! Ballots as openings.

use super::{Opening, OpeningsError, playable};
use engine::book::{Ballot, Deck};

/// Returns the 157 of 174 three-move ballots that are in play.
///
/// # Errors
///
/// Never: a test plays all ballots.
pub fn three_move() -> Result<Vec<Opening>, OpeningsError> {
    openings(Deck::ThreeMove)
}

/// Returns the 2253 of 2500 eleven-man ballots that are in play: each side starts without one of its men, and two moves are
/// made.
///
/// # Errors
///
/// Never: a test plays all ballots.
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
