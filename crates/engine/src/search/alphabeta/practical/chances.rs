//! The chance, after each root move, that the opponent throws away a known draw.

use crate::search::params::SearchParams;
use draughts::board::Move;

/// The chances of the root moves that keep a known draw.
#[derive(Clone, Debug, Default)]
pub(in crate::search) struct Chances {
    pub(super) moves: Vec<(Move, Chance)>,
    /// Number of nodes searched to determine the chances.
    pub(in crate::search) nodes: u64,
}

/// The chance of a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Chance {
    /// The chance that the opponent errs at some point, in thousandths.
    pub(super) error: i32,
    /// Number of occurrences of the position in the game.
    pub(super) occurrences: i64,
}

impl Chances {
    /// Returns the rank of a move among those that keep the draw.
    pub(in crate::search) fn rank(&self, mv: Move, params: &SearchParams) -> i64 {
        let Some((_, chance)) = self.moves.iter().find(|(own, _)| *own == mv) else { return 0 };
        let steps = if chance.error < params.chance_min_error() { 0 } else { (chance.error + 25) / 50 };
        // A repetition ends all winning chances.
        i64::from(steps) - 100 * chance.occurrences
    }
}
