//! The root positions of a book.

use std::collections::HashSet;

use draughts::board::Position;
use draughts::notation::syntax::Quoted;
use engine::book::{Deck, Key};

/// The sets of roots: the ballots of a deck in play, or its barred ones; without a deck, the usual start.
const SETS: [(&str, Option<(Deck, bool)>); 4] = [
    ("start", None),
    ("three-move", Some((Deck::ThreeMove, false))),
    ("barred", Some((Deck::ThreeMove, true))),
    ("eleven-man", Some((Deck::ElevenMan, false))),
];

/// An unknown name of a set of roots.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown roots {}; expected one of {}", Quoted(.0), SETS.map(|(name, _)| name).join(", "))]
pub struct RootError(String);

/// Returns the positions of the sets in a list of names, each position once.
///
/// # Errors
///
/// Returns an error if a name is unknown.
pub fn keys(names: &str) -> Result<Vec<Key>, RootError> {
    let (mut seen, mut keys) = (HashSet::new(), Vec::new());
    for name in names.split(',').map(str::trim) {
        let set = SETS.iter().find(|(known, _)| *known == name);
        let &(_, ballots) = set.ok_or_else(|| RootError(name.to_owned()))?;
        keys.extend(positions(ballots).iter().map(Key::of).filter(|&key| seen.insert(key)));
    }
    Ok(keys)
}

fn positions(ballots: Option<(Deck, bool)>) -> Vec<Position> {
    let Some((deck, barred)) = ballots else { return vec![Position::start()] };
    let ballots = deck.all().into_iter().filter(|ballot| ballot.barred == barred);
    ballots.map(|ballot| ballot.moves.iter().fold(ballot.start, |position, &mv| position.after(mv))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_positions_once() {
        assert_eq!(keys("start").unwrap(), [Key::of(&Position::start())]);
        let ballots = keys("three-move, barred").unwrap();
        // Some ballots lead to the same position.
        assert!((140..=174).contains(&ballots.len()), "{}", ballots.len());
        assert!(keys("start,three-move,barred,eleven-man").unwrap().len() > 2000);
        let error = keys("start,nowhere").unwrap_err().to_string();
        assert!(error.contains("\"nowhere\"") && error.contains("eleven-man"), "{error}");
    }
}
