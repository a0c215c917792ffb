//! Identifies the ballots of games by their moves.

use std::collections::HashMap;
use std::str::FromStr;

use super::{Ballot, Deck};
use crate::record::GameRecord;
use kelso_text::syntax::WordError;

/// All ballots, indexed by their moves and by the resulting positions, so that transpositions are also found.
#[derive(Debug)]
pub struct Ballots {
    ballots: Vec<Ballot>,
    by_end: HashMap<u64, Vec<usize>>,
}

impl Ballots {
    /// Collects all ballots, including barred ones, since games in files may begin with any ballot.
    pub fn new() -> Self {
        let ballots: Vec<Ballot> = Deck::ALL.into_iter().flat_map(Deck::all).collect();
        let mut by_end: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, ballot) in ballots.iter().enumerate() {
            by_end.entry(ballot.end().key()).or_default().push(index);
        }
        Self { ballots, by_end }
    }

    /// Finds the ballot of a game by its moves, or by its starting position if that results from a ballot.
    #[must_use]
    pub fn of(&self, game: &GameRecord) -> Option<&Ballot> {
        let mut position = game.start;
        let mut found =
            self.by_end.get(&position.key()).and_then(|ending| self.ballots.get(*ending.first()?));
        for (ply, mv) in game.moves().take(3).enumerate() {
            position = position.after(mv);
            let known = self.by_end.get(&position.key()).into_iter().flatten();
            let known = known
                .filter_map(|&index| self.ballots.get(index))
                .filter(|ballot| ballot.start.key() == game.start.key() && ballot.moves.len() == ply + 1);
            let is_exact = |ballot: &&Ballot| ballot.moves.iter().copied().eq(game.moves().take(ply + 1));
            found = known.clone().find(is_exact).or_else(|| known.clone().next()).or(found);
        }
        found
    }

    /// Returns all ballots.
    pub fn iter(&self) -> impl Iterator<Item = &Ballot> {
        self.ballots.iter()
    }
}

impl Default for Ballots {
    fn default() -> Self {
        Self::new()
    }
}

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
        let ballots = Ballots::new();
        let known = |name: &Self| ballots.iter().any(|ballot| name.is(ballot));
        let text = text.trim();
        let mut decks = Deck::ALL.into_iter();
        let numbered = decks.find_map(|deck| Some((deck, text.strip_prefix(deck.name())?.trim())));
        let (deck, number) = numbered.unwrap_or((Deck::ThreeMove, text));
        let name = number.parse().map_or_else(|_| Self::Name(text.to_lowercase()), |n| Self::Number(deck, n));
        let expected = "a ballot such as 57 or \"eleven-man 8\", or the name of an opening";
        let name = Some(name).filter(|name| !text.is_empty() && known(name));
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
    use crate::board::Position;

    #[test]
    fn ballots_are_identified_by_their_moves() {
        let ballots = Ballots::new();
        for ballot in ballots.iter() {
            assert_eq!(ballots.of(&ballot.record()), Some(ballot));
        }
        assert_eq!(ballots.of(&GameRecord::new(Position::start())), None);
    }

    #[test]
    fn ballots_are_identified_by_the_start_position() {
        let ballots = Ballots::new();
        for ballot in ballots.iter() {
            let found = ballots.of(&GameRecord::new(ballot.end())).unwrap();
            assert_eq!(found.end(), ballot.end());
            assert!(ballot.deck != Deck::ElevenMan || found == ballot);
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        for text in ["0", "175", "999", "eleven-man 2501", "no such", ""] {
            assert!(text.parse::<BallotName>().is_err(), "{text}");
        }
    }
}
