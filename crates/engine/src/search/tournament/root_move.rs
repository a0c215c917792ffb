//! The moves of the root, in the order in which they are searched.

use super::databases::RootRank;
use crate::search::line::Variations;
use draughts::board::Move;

/// A root move.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Its rank by the databases; only moves of equal rank are compared by search.
    pub(super) rank: RootRank,
    /// The nodes spent on it.
    pub(super) nodes: u64,
}

/// Moves the first moves of lines to the front, in their order.
pub(super) fn arrange(moves: &mut [RootMove], lines: &Variations) {
    let firsts = lines.iter().filter_map(|found| found.line.first());
    for (index, first) in firsts.enumerate() {
        let is_first = |choice: &RootMove| choice.mv == *first;
        if let Some(rest) = moves.get_mut(index..)
            && let Some(place) = rest.iter().position(is_first)
            && let Some(front) = rest.get_mut(..=place)
        {
            front.rotate_right(1);
        }
    }
}
