//! Duplicate games, regardless of their tags, and similar games.
//!
//! Each move of a game is stored as one byte, its index among the legal moves, so a game takes about sixty
//! bytes. Sorting puts games that begin alike next to each other.

use std::collections::HashMap;

use draughts::board::{MoveList, Position};
use draughts::record::GameRecord;

/// The moves of a game, in a comparable form.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
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

    /// Returns the length of the common prefix in plies.
    pub fn common(&self, other: &Self) -> usize {
        let common = self.0.iter().zip(&other.0).take_while(|(a, b)| a == b).count();
        common.saturating_sub(START)
    }
}

/// The location of a game: the index of its file, and its number there.
pub type GameSite = (usize, usize);

/// Two similar games, which differ only in the last plies of the shorter game, if at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near {
    /// The earlier game.
    pub first: GameSite,
    /// The later game.
    pub second: GameSite,
    /// The length of the common prefix in plies.
    pub common: usize,
    pub plies: [usize; 2],
}

/// Games seen so far.
#[derive(Debug, Default)]
pub struct Seen(HashMap<MoveSequence, GameSite>);

impl Seen {
    /// Adds a game, or returns the earlier one with the same moves. A game without moves has no duplicates.
    pub fn add(&mut self, line: MoveSequence, site: GameSite) -> Option<GameSite> {
        if line.plies() == 0 {
            return None;
        }
        if let Some(&known) = self.0.get(&line) {
            return Some(known);
        }
        self.0.insert(line, site);
        None
    }

    /// Returns pairs of similar games: both have at least `shortest` plies, and they agree in all but the
    /// last `last` plies of the shorter game.
    pub fn near(self, shortest: usize, last: usize) -> Vec<Near> {
        let mut lines: Vec<(MoveSequence, GameSite)> = self.0.into_iter().collect();
        lines.sort_unstable();
        let mut found = Vec::new();
        for pair in lines.windows(2) {
            let [(a, site_a), (b, site_b)] = pair else { continue };
            let (common, shorter) = (a.common(b), a.plies().min(b.plies()));
            if shorter >= shortest && common + last >= shorter {
                let [(first, one), (second, other)] =
                    if site_a < site_b { [(site_a, a), (site_b, b)] } else { [(site_b, b), (site_a, a)] };
                found.push(Near {
                    first: *first,
                    second: *second,
                    common,
                    plies: [one.plies(), other.plies()],
                });
            }
        }
        found.sort_by_key(|near| (near.first, near.second));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::pdn::PdnReader;

    fn line(text: &str) -> MoveSequence {
        let entry = PdnReader::new(text.as_bytes()).next().unwrap();
        assert!(entry.complete, "{:?}", entry.faults);
        MoveSequence::of(&entry.game)
    }

    #[test]
    fn the_same_moves_are_the_same_game() {
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
        let near = seen.near(3, 1);
        let pairs: Vec<_> = near.iter().map(|near| (near.first.1, near.second.1, near.common)).collect();
        assert!(pairs.contains(&(0, 3, 4)), "{pairs:?}");
        assert!(near.iter().all(|near| near.first < near.second));
    }
}
