//! The root positions of a book.

use std::collections::HashSet;

use draughts::board::Position;
use draughts::notation::syntax::Quoted;
use engine::book::{Ballot, Deck, Key};

/// A named set of roots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootSet {
    /// The usual start.
    Start,
    /// The three-move ballots in play.
    ThreeMove,
    /// The barred three-move ballots.
    Barred,
    /// The eleven-man ballots in play.
    ElevenMan,
}

impl RootSet {
    /// All sets.
    pub const ALL: [Self; 4] = [Self::Start, Self::ThreeMove, Self::Barred, Self::ElevenMan];

    /// The name of the set.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::ThreeMove => "three-move",
            Self::Barred => "barred",
            Self::ElevenMan => "eleven-man",
        }
    }

    /// Parses a list of names.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is unknown.
    pub fn parse(text: &str) -> Result<Vec<Self>, RootError> {
        let one = |name: &str| Self::ALL.into_iter().find(|set| set.name() == name.trim());
        text.split(',').map(|name| one(name).ok_or_else(|| RootError(name.trim().to_owned()))).collect()
    }

    fn positions(self) -> Vec<Position> {
        let after =
            |ballot: &Ballot| ballot.moves.iter().fold(ballot.start, |position, &mv| position.after(mv));
        let deck = |deck: Deck, barred: bool| {
            deck.all().iter().filter(|ballot| ballot.barred == barred).map(after).collect()
        };
        match self {
            Self::Start => vec![Position::start()],
            Self::ThreeMove => deck(Deck::ThreeMove, false),
            Self::Barred => deck(Deck::ThreeMove, true),
            Self::ElevenMan => deck(Deck::ElevenMan, false),
        }
    }
}

/// An unknown name of a set of roots.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown roots {}; expected one of {}", Quoted(.0), RootSet::ALL.map(RootSet::name).join(", "))]
pub struct RootError(String);

/// Returns the positions of several sets, each once.
#[must_use]
pub fn keys(sets: &[RootSet]) -> Vec<Key> {
    let mut seen = HashSet::new();
    let keys = sets.iter().flat_map(|set| set.positions()).map(|position| Key::of(&position));
    keys.filter(|&key| seen.insert(key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_positions_once() {
        assert_eq!(keys(&RootSet::parse("start").unwrap()), [Key::of(&Position::start())]);
        let ballots = keys(&RootSet::parse("three-move, barred").unwrap());
        // Some ballots lead to the same position.
        assert!((140..=174).contains(&ballots.len()), "{}", ballots.len());
        assert!(keys(&RootSet::ALL).len() > 2000);
        let error = RootSet::parse("start,nowhere").unwrap_err().to_string();
        assert!(error.contains("\"nowhere\"") && error.contains("eleven-man"), "{error}");
    }
}
