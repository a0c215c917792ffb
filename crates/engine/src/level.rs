//! Weaker play for human opponents. A level searches to a lower depth and adds errors to the evaluation,
//! rather than playing random moves.

use crate::eval::{MAN, material};
use crate::search::Limits;
use kelso_draughts::board::{Move, Position};

/// A strength below full strength, from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(usize);

/// Search depth of each level, and the maximum error of its evaluation in hundredths of a man.
const STRENGTHS: [(usize, i32); Level::HIGHEST] =
    [(1, 1000), (1, 150), (2, 120), (3, 80), (3, 45), (4, 50), (5, 55), (6, 55), (7, 45), (9, 25)];

/// Number of plies after a move within which a level sees the loss of a man, not counting the captures that
/// follow.
const SHOT_PLIES: u32 = 2;
/// More than the value of all material.
const MAX_MATERIAL: i32 = 10_000;

impl Level {
    /// The strongest level.
    pub const HIGHEST: usize = 10;

    /// Returns the level with a given number, or `None` if there is none.
    #[must_use]
    pub fn new(number: usize) -> Option<Self> {
        (1..=Self::HIGHEST).contains(&number).then_some(Self(number))
    }

    #[must_use]
    pub const fn number(self) -> usize {
        self.0
    }

    fn strength(self) -> (usize, i32) {
        STRENGTHS[self.0 - 1]
    }

    /// Returns the limits with the depth restricted to the level's, and the moves restricted to those that do
    /// not lose a man immediately: people rarely overlook a short shot, even in positions that they misjudge.
    pub fn limit(self, position: &Position, limits: &Limits) -> Limits {
        let (depth, _) = self.strength();
        Limits {
            depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))),
            search_moves: sound_moves(position, limits),
            ..limits.clone()
        }
    }

    /// Returns the maximum error of this level's evaluations, in hundredths of a man.
    pub(crate) fn max_error(self) -> i32 {
        self.strength().1
    }
}

/// Returns the allowed moves after which no shot wins a man, or the moves that lose the least.
fn sound_moves(position: &Position, limits: &Limits) -> Vec<Move> {
    let mut moves = position.moves().to_vec();
    moves.retain(|mv| limits.allows(*mv));
    let values: Vec<_> = moves.iter().map(|&mv| -after_shots(&position.after(mv), SHOT_PLIES)).collect();
    let Some(&best) = values.iter().max() else { return moves };
    let candidates = moves.iter().zip(values).filter(|&(_, value)| value > best - MAN).map(|(&mv, _)| mv);
    candidates.collect()
}

/// Returns the material after the best moves of a few plies and the captures that follow. A side without a
/// move has lost everything.
fn after_shots(position: &Position, plies: u32) -> i32 {
    if plies == 0 && !position.must_capture() {
        return material::evaluate(position);
    }
    let moves = position.moves();
    let values = moves.iter().map(|&mv| -after_shots(&position.after(mv), plies.saturating_sub(1)));
    values.max().unwrap_or(-MAX_MATERIAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn levels_exclude_moves_that_lose_a_man() {
        let position = fen::parse("W:W18,31,32:B2,3,9").unwrap();
        let valid = sound_moves(&position, &Limits::default());
        let lost = |mv: &Move| -after_shots(&position.after(*mv), SHOT_PLIES) <= -MAN;
        assert!(!valid.is_empty() && !valid.iter().any(lost));
        assert!(position.moves().iter().any(|mv| !valid.contains(mv) && lost(mv)));
        let allowed = position.moves().iter().copied().find(lost).unwrap();
        let only = Limits { search_moves: vec![allowed], ..Limits::default() };
        assert_eq!(sound_moves(&position, &only), [allowed]);
    }

    #[test]
    fn levels_are_from_one_to_ten() {
        assert_eq!([0, 11].map(Level::new), [None; 2]);
        assert!((1..=10).all(|number| Level::new(number).map(Level::number) == Some(number)));
        let limits = Level::new(10).unwrap().limit(&Position::start(), &Limits::depth(3));
        assert_eq!(limits.depth, Some(3));
    }
}
