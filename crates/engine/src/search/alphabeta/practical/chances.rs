//! The chance, after each root move, that the opponent throws away a known draw.

use crate::search::params::SearchParams;
use draughts::board::Move;

/// The chances of the root moves that keep a known draw.
#[derive(Clone, Debug, Default)]
pub(in crate::search::alphabeta) struct Chances {
    pub(super) moves: Vec<(Move, Chance)>,
    /// Number of nodes searched to determine the chances.
    pub(in crate::search::alphabeta) nodes: u64,
}

/// The chance of a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Chance {
    /// The chance that the opponent errs at some point, in thousandths.
    pub(super) error: i32,
    /// Number of earlier occurrences of the position in the game.
    pub(super) occurrences: u32,
}

impl Chances {
    /// Returns the ranks of the moves among those that keep the draw.
    pub(in crate::search::alphabeta) fn ranks(&self, params: &SearchParams) -> Vec<(Move, i64)> {
        let rank = |&(mv, Chance { error, occurrences }): &(Move, Chance)| {
            let steps = if error < params.chance_min_error() { 0 } else { (error + 25) / 50 };
            // A repetition ends all winning chances.
            (mv, i64::from(steps) - 100 * i64::from(occurrences))
        };
        self.moves.iter().map(rank).collect()
    }
}
