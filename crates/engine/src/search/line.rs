//! Lines of play and their scores.

use arrayvec::ArrayVec;

use super::score::{Bound, MAX_PLY, Score};
use kelso_draughts::board::Move;

pub(super) type PvLine = ArrayVec<Move, MAX_PLY>;

/// Sets `line` to a move and the moves after it.
pub(super) fn set_line(line: &mut PvLine, mv: Move, rest: &PvLine) {
    line.clear();
    line.push(mv);
    line.extend(rest.iter().copied().take(MAX_PLY - 1));
}

/// A principal variation, with its score and the iteration that found them.
#[derive(Clone, Debug)]
pub(super) struct ScoredLine {
    pub(super) depth: usize,
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) moves: PvLine,
}

impl ScoredLine {
    /// Creates the result of a search that has not found a line yet.
    pub(super) const fn nothing(depth: usize) -> Self {
        Self { depth, score: Score::LOWEST, bound: Bound::Upper, moves: PvLine::new_const() }
    }
}
