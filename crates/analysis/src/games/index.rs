//! An index of the positions of games.

use draughts::board::Position;
use draughts::notation::pdn::PdnGame;
use draughts::referee::GameResult;

use super::continuations::{Continuations, Visit};

/// The positions of games, and the moves that followed them.
#[derive(Debug)]
pub struct PositionIndex {
    /// Keys of positions, each with a game and the place of its move among the legal ones, sorted. The first time that a
    /// game has a position counts.
    visits: Vec<(u64, u32)>,
    results: Vec<Option<GameResult>>,
}

/// Bits of the place of a move.
const PLACE_BITS: u32 = 7;
/// The place that stands for the end of a game.
const END: u32 = (1 << PLACE_BITS) - 1;

impl PositionIndex {
    /// Indexes games.
    pub fn new(games: impl Iterator<Item = PdnGame>) -> Self {
        let (mut visits, mut results) = (Vec::new(), Vec::new());
        for (number, game) in (0_u32..1 << (u32::BITS - PLACE_BITS)).zip(games) {
            results.push(game.result);
            let mut position = game.start;
            let mut add = |position: &Position, place: Option<usize>| {
                let place = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(END);
                visits.push((position.key(), number << PLACE_BITS | place));
            };
            for mv in game.moves() {
                add(&position, position.moves().iter().position(|&legal| legal == mv));
                position = position.after(mv);
            }
            add(&position, None);
        }
        visits.sort_by_key(|&(key, visit)| (key, visit >> PLACE_BITS));
        visits.dedup_by_key(|&mut (key, visit)| (key, visit >> PLACE_BITS));
        visits.shrink_to_fit();
        Self { visits, results }
    }

    /// Returns the numbers of the games that have a position, from 0, and the places of the moves that followed.
    pub fn visits(&self, position: &Position) -> impl Iterator<Item = (usize, Option<usize>)> {
        let key = position.key();
        let from = self.visits.partition_point(|&(known, _)| known < key);
        let here = self.visits.iter().skip(from).take_while(move |&&(known, _)| known == key);
        here.map(|&(_, visit)| {
            let place = (visit & END != END).then_some((visit & END) as usize);
            ((visit >> PLACE_BITS) as usize, place)
        })
    }

    /// Counts what followed a position.
    pub fn continuations(&self, position: &Position) -> Continuations {
        let mut continuations = Continuations::new(*position, false);
        for (game, reply) in self.visits(position) {
            let result = self.results.get(game).copied().flatten();
            continuations.add(Visit::Here { reply, result });
        }
        continuations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::pdn::Games;

    #[test]
    fn positions_are_counted_as_by_reading_all_games() {
        let text = "11-15 23-19 1-0\n11-15 22-18 0-1\n9-13 22-18 1-1\n9-13 22-18 11-15 18-14 *\n11-15 22-18 9-13 *\n";
        let games: Vec<_> = Games::new(text.as_bytes()).collect();
        let index = PositionIndex::new(games.iter().map(|entry| entry.game.clone()));
        for entry in &games {
            let mut position = entry.game.start;
            for mv in entry.game.moves() {
                let mut expected = Continuations::new(position, false);
                for entry in &games {
                    expected.add(expected.visit(entry));
                }
                assert_eq!(index.continuations(&position).list(), expected.list());
                position = position.after(mv);
            }
        }
        assert_eq!(index.visits(&Position::start()).count(), 5);
    }
}
