//! Games that have been played before, move by move.
//!
//! Players whose moves depend on nothing but the position play the same game again from the same opening. It says nothing
//! new, so it counts once in everything that says how sure a result is.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

use super::record::GameRecord;

/// The games seen so far.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    /// By what makes two games the same, the number of the first one.
    known: HashMap<u64, u32>,
}

impl Repeats {
    /// Takes note of a game; the number of the earlier one that it repeats, if it does.
    ///
    /// It does if the same players have played the same moves with the same colours, and to the same end. Which of the moves were
    /// the opening's makes no difference.
    pub fn look_up(&mut self, game: &GameRecord) -> Option<u32> {
        match self.known.entry(key(game)) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(place) => {
                place.insert(game.game);
                None
            }
        }
    }

    /// Writes into each of several games which earlier one of them it repeats.
    pub fn mark(games: &mut [GameRecord]) {
        let mut repeats = Self::default();
        for game in games {
            game.repeats = repeats.look_up(game);
        }
    }
}

fn key(game: &GameRecord) -> u64 {
    let GameRecord { black, white, start, book, plies, result, reason, .. } = game;
    let mut hasher = DefaultHasher::new();
    (black, white, start, result.to_string(), reason.word(), book.len() + plies.len()).hash(&mut hasher);
    game.all_moves().for_each(|(mv, _)| mv.hash(&mut hasher));
    hasher.finish()
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
        // Measured times and the place in the schedule make no difference, nor does where the opening ended.
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
