//! Where a book begins.

use std::collections::HashSet;
use std::fmt;

use draughts::board::Position;
use draughts::notation::syntax::Quoted;
use engine::book::{Ballot, Deck, Key};

/// A set of roots that goes by a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootSet {
    /// The usual start.
    Start,
    /// The three-move ballots in play.
    ThreeMove,
    /// Those that are barred.
    Barred,
    /// The eleven-man ballots in play.
    ElevenMan,
}

impl RootSet {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Start, Self::ThreeMove, Self::Barred, Self::ElevenMan];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::ThreeMove => "three-move",
            Self::Barred => "barred",
            Self::ElevenMan => "eleven-man",
        }
    }

    /// Reads a list of names.
    ///
    /// # Errors
    ///
    /// When one is none.
    pub fn read(text: &str) -> Result<Vec<Self>, RootError> {
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

/// A name that no set of roots has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootError(String);

impl fmt::Display for RootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = RootSet::ALL.map(RootSet::name).join(", ");
        write!(f, "unknown roots {}: expected some of {names}", Quoted(&self.0))
    }
}

impl std::error::Error for RootError {}

/// The positions of several sets, each once.
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
        assert_eq!(keys(&RootSet::read("start").unwrap()), [Key::of(&Position::start())]);
        let ballots = keys(&RootSet::read("three-move, barred").unwrap());
        // Some ballots lead to the same position.
        assert!((140..=174).contains(&ballots.len()), "{}", ballots.len());
        assert!(keys(&RootSet::ALL).len() > 2000);
        let error = RootSet::read("start,nowhere").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown roots \"nowhere\": expected some of start, three-move, barred, eleven-man"
        );
    }
}
