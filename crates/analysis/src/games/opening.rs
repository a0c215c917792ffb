//! The ballots of games.

use std::collections::HashMap;

use draughts::notation::pdn::PdnGame;
use engine::book::{Ballot, Deck};

/// All ballots, by their moves and by the positions after them, so that other orders of moves are found too.
#[derive(Debug)]
pub struct Ballots {
    ballots: Vec<Ballot>,
    by_end: HashMap<u64, Vec<usize>>,
}

impl Ballots {
    /// Collects all ballots, also the barred ones: games in files may begin with any.
    pub fn new() -> Self {
        let ballots: Vec<Ballot> = Deck::ALL.into_iter().flat_map(Deck::all).collect();
        let mut by_end: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, ballot) in ballots.iter().enumerate() {
            by_end.entry(ballot.end().key()).or_default().push(index);
        }
        Self { ballots, by_end }
    }

    /// Finds the ballot that a game began with: by its moves, or by a start after them.
    pub fn of(&self, game: &PdnGame) -> Option<&Ballot> {
        let mut position = game.start;
        let mut found = self.by_end.get(&position.key()).and_then(|known| self.ballots.get(*known.first()?));
        for (ply, mv) in game.moves().take(3).enumerate() {
            position = position.after(mv);
            let known = self.by_end.get(&position.key()).into_iter().flatten();
            let known = known
                .filter_map(|&index| self.ballots.get(index))
                .filter(|ballot| ballot.start.key() == game.start.key() && ballot.moves.len() == ply + 1);
            let exact = |ballot: &&Ballot| ballot.moves.iter().copied().eq(game.moves().take(ply + 1));
            found = known.clone().find(exact).or_else(|| known.clone().next()).or(found);
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

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::board::Position;
    use draughts::notation::pdn::Ply;

    #[test]
    fn every_ballot_is_known_by_its_moves() {
        let ballots = Ballots::new();
        for ballot in ballots.iter() {
            let mut game = PdnGame::new(ballot.start);
            game.plies = ballot.moves.iter().map(|&mv| Ply::new(mv)).collect();
            assert_eq!(ballots.of(&game), Some(ballot));
        }
        assert_eq!(ballots.of(&PdnGame::new(Position::start())), None);
    }

    #[test]
    fn a_game_that_begins_after_the_moves_of_a_ballot_is_known_by_its_position() {
        let ballots = Ballots::new();
        for ballot in ballots.iter() {
            let found = ballots.of(&PdnGame::new(ballot.end())).unwrap();
            assert_eq!(found.end(), ballot.end());
            assert!(ballot.deck != Deck::ElevenMan || found == ballot);
        }
    }
}
