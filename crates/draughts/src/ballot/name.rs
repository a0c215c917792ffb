//! Names of ballots, as users write them.

use std::str::FromStr;

use super::{Ballot, Deck};
use kelso_syntax::WordError;

/// A ballot: `57` or `three-move 57`, `eleven-man 8`, or the name of an opening such as `Cross`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BallotName {
    Number(Deck, u32),
    /// The name of an opening, in lower case.
    Name(String),
}

impl FromStr for BallotName {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let text = text.trim();
        let mut decks = Deck::ALL.into_iter();
        let numbered = decks.find_map(|deck| Some((deck, text.strip_prefix(deck.name())?.trim())));
        let (deck, number) = numbered.unwrap_or((Deck::ThreeMove, text));
        let name = number.parse().map_or_else(|_| Self::Name(text.to_lowercase()), |n| Self::Number(deck, n));
        let expected = "a ballot such as 57 or \"eleven-man 8\", or the name of an opening";
        let name = Some(name).filter(|name| !text.is_empty() && Ballot::all().any(|ballot| name.is(ballot)));
        name.ok_or_else(|| WordError::unknown("ballot", text, expected))
    }
}

impl BallotName {
    /// Returns whether the name denotes a ballot.
    #[must_use]
    pub fn is(&self, ballot: &Ballot) -> bool {
        match self {
            Self::Number(deck, number) => (ballot.deck, ballot.number) == (*deck, *number),
            Self::Name(part) => ballot.name().is_some_and(|name| name.to_lowercase() == *part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_refused() {
        for text in ["0", "175", "999", "eleven-man 2501", "no such", ""] {
            assert!(text.parse::<BallotName>().is_err(), "{text}");
        }
    }
}
