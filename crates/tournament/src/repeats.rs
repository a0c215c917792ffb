//! Repeated games: games with the same moves.
//!
//! Engines without random choice repeat their games from the same opening. A repeated game is not a new observation, so it counts
//! once in everything that measures certainty.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use super::record::GameRecord;
use draughts::board::Move;

/// The games seen so far.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    /// The number of the first game, by the hash of its content.
    known: HashMap<u64, u32>,
}

impl Repeats {
    /// Records a game, and returns the number of the earlier game that it repeats.
    ///
    /// Games are the same if the same players have played the same moves with the same colours and the same result, wherever the
    /// opening ended.
    pub fn look_up(&mut self, game: &GameRecord) -> Option<u32> {
        match self.known.entry(key(game)) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(place) => {
                place.insert(game.game);
                None
            }
        }
    }

    /// Marks each game that repeats an earlier one.
    pub fn mark(games: &mut [GameRecord]) {
        let mut repeats = Self::default();
        for game in games {
            game.repeats = repeats.look_up(game);
        }
    }
}

fn key(game: &GameRecord) -> u64 {
    let GameRecord { black, white, start, result, reason, .. } = game;
    let moves: Vec<Move> = game.all_moves().map(|(mv, _)| mv).collect();
    hash(&(black, white, start, result.to_string(), reason.word(), moves))
}

/// Returns the hash of a value.
pub(super) fn hash(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;
    use draughts::referee::{GameResult, Reason};

    #[test]
    fn the_same_moves_by_the_same_players_are_the_same_game() {
        let mut repeats = Repeats::default();
        let first = record();
        assert_eq!(repeats.look_up(&first), None);
        // Times, the place in the schedule and the end of the opening make no difference.
        let mut again = GameRecord { game: 70, pair: 35, round: 9, opening: "x".to_owned(), ..first.clone() };
        again.plies[0].micros = Some(1);
        let mv = again.book.pop().unwrap();
        again.plies.insert(0, crate::record::PlyRecord { mv, ..again.plies[0].clone() });
        assert_eq!(repeats.look_up(&again), Some(first.game));
        for other in [
            GameRecord { black: first.white.clone(), white: first.black.clone(), ..first.clone() },
            GameRecord { result: GameResult::Draw, ..first.clone() },
            GameRecord { reason: Reason::Resignation, ..first.clone() },
            GameRecord { plies: first.plies[..1].to_vec(), ..first.clone() },
        ] {
            assert_eq!(repeats.look_up(&other), None, "{other:?}");
        }
        let mut games = [first.clone(), again, first];
        Repeats::mark(&mut games);
        assert_eq!(games.map(|game| game.repeats.is_some()), [false, true, true]);
    }
}
