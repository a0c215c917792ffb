//! The openings that tournaments draw by lot, compiled in: only those in play, since the rest are lost for one side.

use super::{Opening, OpeningsError, playable};
use crate::board::{Position, Setup, Square};
use crate::notation::movetext;

const THREE_MOVE: &str = include_str!("../data/three_move.txt");
const ELEVEN_MAN: &str = include_str!("../data/eleven_man.txt");

/// The deck of three-move openings, 157 in play of 174.
///
/// # Errors
///
/// Never with the data compiled in; a test reads all of it.
pub fn three_move() -> Result<Vec<Opening>, OpeningsError> {
    entries(THREE_MOVE, |words| {
        let (&number, moves) = words.split_first()?;
        read(format!("three-move {number}"), Position::start(), moves)
    })
}

/// The eleven-man ballots, 2253 of 2500 in play: each side starts without one of its men, and two moves are made.
///
/// # Errors
///
/// Never with the data compiled in; a test reads all of it.
pub fn eleven_man() -> Result<Vec<Opening>, OpeningsError> {
    entries(ELEVEN_MAN, |words| {
        let [number, black, white, moves @ ..] = words else { return None };
        let mut setup = Setup::from(&Position::start());
        for square in [black, white] {
            let square = square.parse().ok().and_then(Square::from_number)?;
            setup.squares[square.index()].take()?;
        }
        read(format!("eleven-man {number}"), Position::try_from(setup).ok()?, moves)
    })
}

fn entries(data: &str, read: impl Fn(&[&str]) -> Option<Opening>) -> Result<Vec<Opening>, OpeningsError> {
    let line = |line: &str| {
        let place = || format!("ballot \"{line}\"");
        let words: Vec<_> = line.split_whitespace().collect();
        let opening = read(&words)
            .ok_or_else(|| OpeningsError::Entry { place: place(), reason: "not a ballot".to_owned() })?;
        playable(opening, place)
    };
    data.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

fn read(name: String, start: Position, texts: &[&str]) -> Option<Opening> {
    let (mut position, mut moves) = (start, Vec::with_capacity(texts.len()));
    for text in texts {
        let mv = movetext::parse(&position, text).ok()?;
        position = position.after(mv);
        moves.push(mv);
    }
    Some(Opening { name, start, moves })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Color;

    #[test]
    fn every_ballot_can_be_played_and_is_there_once() {
        for (openings, count, plies) in [(three_move().unwrap(), 157, 3), (eleven_man().unwrap(), 2253, 2)] {
            assert_eq!(openings.len(), count);
            assert!(openings.iter().all(|opening| opening.moves.len() == plies));
            let names: HashSet<_> = openings.iter().map(|opening| &opening.name).collect();
            assert_eq!(names.len(), count);
        }
    }

    #[test]
    fn sides_of_eleven_man_ballots_have_eleven_men() {
        for opening in eleven_man().unwrap() {
            assert_eq!(opening.start.men(Color::Black).len(), 11);
            assert_eq!(opening.start.men(Color::White).len(), 11);
            assert_eq!(opening.start.side(), Color::Black);
        }
    }
}
