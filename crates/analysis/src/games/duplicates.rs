//! Duplicate games, regardless of their tags.
//!
//! Each move of a game is stored as one byte, its index among the legal moves, so a game takes about sixty
//! bytes.

use std::collections::HashMap;

use kelso_draughts::board::{MoveList, Position};
use kelso_draughts::record::GameRecord;

/// The moves of a game, in a comparable form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MoveSequence(Box<[u8]>);

/// Number of bytes before the moves in a sequence. They hold the key of the first position.
const START: usize = 8;

impl MoveSequence {
    /// Returns the comparable form of a game.
    #[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "the moves of a game are legal")]
    pub fn of(game: &GameRecord) -> Self {
        let mut bytes = Vec::with_capacity(START + game.plies.len());
        let key = if game.start == Position::start() { 0 } else { game.start.key() };
        bytes.extend(key.to_be_bytes());
        let mut position = game.start;
        let mut list = MoveList::new();
        for mv in game.moves() {
            list.clear();
            position.list_moves(&mut list);
            let index = list.iter().position(|&legal| legal == mv).expect("a legal move");
            bytes.push(u8::try_from(index).unwrap_or(u8::MAX));
            position = position.after(mv);
        }
        Self(bytes.into())
    }

    /// Returns the number of plies.
    pub fn plies(&self) -> usize {
        self.0.len().saturating_sub(START)
    }
}

/// The location of a game: the index of its file, and its number there.
pub type GameSite = (usize, usize);

/// Games seen so far.
#[derive(Debug, Default)]
pub struct Seen(HashMap<MoveSequence, GameSite>);

impl Seen {
    /// Adds a game, or returns the earlier one with the same moves. A game without moves has no duplicates.
    pub fn add(&mut self, line: MoveSequence, site: GameSite) -> Option<GameSite> {
        if line.plies() == 0 {
            return None;
        }
        if let Some(&earlier) = self.0.get(&line) {
            return Some(earlier);
        }
        self.0.insert(line, site);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::pdn::PdnReader;

    fn line(text: &str) -> MoveSequence {
        let entry = PdnReader::new(text.as_bytes()).next().unwrap();
        assert!(entry.is_complete(), "{:?}", entry.error);
        MoveSequence::of(&entry.game)
    }

    #[test]
    fn games_with_equal_moves_are_duplicates() {
        let mut seen = Seen::default();
        let games = [
            "11-15 23-19 8-11 22-17 *",
            "[Event \"other words\"] 1. 11-15 23-19 {so} 2. 8-11 22-17 1-0",
            "11-15 23-19 8-11 22-18",
            "11-15 23-19 8-11 22-17 4-8 17-13",
            "[FEN \"W:W21-32:B1-12\"] 22-18",
            "[Event \"no moves\"] *",
            "[Event \"no moves\"] *",
        ];
        let known: Vec<_> =
            games.iter().zip(0..).map(|(text, number)| seen.add(line(text), (0, number))).collect();
        assert_eq!(known, [None, Some((0, 0)), None, None, None, None, None]);
    }
}
