//! Move ordering: the table move, killers, then history.

use arrayvec::ArrayVec;

use super::score::MAX_PLY;
use kelso_draughts::board::{Color, MAX_MOVES, Move, MoveId, MoveList, Position, Square};

/// Killers and history: the quiet moves that have caused cutoffs in this search.
#[derive(Debug)]
pub(super) struct MoveHistory {
    /// For each ply, the last two quiet moves that caused a cutoff.
    killers: Box<[[Option<Move>; 2]; MAX_PLY]>,
    /// The success rate of each quiet move, weighted by depth and indexed by colour, start and end square.
    history: Box<[[[i32; Square::COUNT]; Square::COUNT]; 2]>,
}

/// The score of the table move, which comes first.
const TABLE_MOVE: i32 = i32::MAX;
/// The score of the last killer. Any number far above the history scores would do.
const KILLER: i32 = 1 << 28;
/// Limit of the history scores: fine enough for the smallest change, a bonus of one ply.
const HISTORY_LIMIT: i32 = 1 << 14;

impl MoveHistory {
    pub(super) fn new() -> Self {
        Self {
            killers: Box::new([[None; 2]; MAX_PLY]),
            history: Box::new([[[0; Square::COUNT]; Square::COUNT]; 2]),
        }
    }

    /// Records that a quiet move caused a cutoff. The moves before it did not, or were deferred.
    pub(super) fn record_cutoff(&mut self, color: Color, mv: Move, before: &[Move], change: i32, ply: usize) {
        // Killer moves.
        if let Some(pair) = self.killers.get_mut(ply)
            && pair[0] != Some(mv)
        {
            *pair = [Some(mv), pair[0]];
        }
        // History heuristic: a bonus for the move, a malus for those before it.
        self.update(color, mv, change);
        for &worse in before {
            self.update(color, worse, -change);
        }
    }

    /// History gravity: moves a count towards its limit, more slowly the closer the count is to the limit.
    fn update(&mut self, color: Color, mv: Move, change: i32) {
        let count = &mut self.history[color.index()][mv.from().index()][mv.to().index()];
        *count += change - *count * change.abs() / HISTORY_LIMIT;
    }

    fn count(&self, color: Color, mv: Move) -> i32 {
        self.history[color.index()][mv.from().index()][mv.to().index()]
    }

    /// Returns the history of a quiet move, in thousandths of its limit.
    pub(super) fn permille(&self, color: Color, mv: Move) -> i32 {
        self.count(color, mv) * 1000 / HISTORY_LIMIT
    }

    /// Returns the score by which a move is ordered; higher is earlier.
    fn score_of(&self, color: Color, mv: Move, ply: usize) -> i32 {
        if mv.is_capture() {
            return KILLER + mv.captured().len().cast_signed();
        }
        match self.killers.get(ply) {
            Some(&[first, _]) if first == Some(mv) => KILLER,
            Some(&[_, second]) if second == Some(mv) => KILLER - 1,
            _ => self.count(color, mv),
        }
    }
}

/// An iterator over the moves of a node and their indices, best first.
#[derive(Debug)]
pub(super) struct MovePicker {
    pub(super) moves: MoveList,
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    /// The index of the most recently returned move.
    index: usize,
    /// The indices of deferred moves.
    deferred: ArrayVec<u8, MAX_MOVES>,
    /// Only deferred moves are left.
    returns_deferred: bool,
    /// The next move has been selected.
    next_is_sorted: bool,
}

impl MovePicker {
    /// Creates an empty picker. It is filled in place to avoid copies.
    pub(super) fn new() -> Self {
        Self {
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            index: 0,
            deferred: ArrayVec::new(),
            returns_deferred: false,
            next_is_sorted: false,
        }
    }

    #[inline]
    pub(super) fn fill(&mut self, position: &Position) {
        position.list_moves(&mut self.moves);
    }

    /// Scores the moves; the table move scores highest.
    pub(super) fn score_moves(
        &mut self,
        position: &Position,
        tt_move: Option<MoveId>,
        history: &MoveHistory,
        ply: usize,
    ) {
        let color = position.side();
        for &mv in &self.moves {
            // This cannot fail: the capacity is the same as the move list's.
            let _ = self.scores.try_push(history.score_of(color, mv, ply));
        }
        if let Some(tt_move) = tt_move
            && let Some(first) = self.moves.iter().position(|mv| mv.id() == tt_move)
            && let Some(score) = self.scores.get_mut(first)
        {
            *score = TABLE_MOVE;
        }
    }

    /// Defers the last returned move until all others have been returned. Returns `false` if it has been
    /// deferred before.
    pub(super) fn defer(&mut self) -> bool {
        if !self.returns_deferred
            && let Ok(index) = u8::try_from(self.index)
        {
            self.deferred.push(index);
        }
        !self.returns_deferred
    }

    #[inline]
    pub(super) fn peek(&mut self) -> Option<Move> {
        if !self.next_is_sorted {
            let rest = self.scores.get(self.next..)?;
            // Ties go to the move generated first.
            let (offset, _) = rest.iter().enumerate().rev().max_by_key(|&(_, score)| score)?;
            let best = self.next + offset;
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next_is_sorted = true;
        }
        self.moves.get(self.next).copied()
    }
}

impl Iterator for MovePicker {
    type Item = (usize, Move);

    fn next(&mut self) -> Option<(usize, Move)> {
        let Some(best) = self.peek() else {
            self.returns_deferred = true;
            self.index = self.deferred.pop_at(0)?.into();
            return Some((self.index, *self.moves.get(self.index)?));
        };
        self.index = self.next;
        self.next += 1;
        self.next_is_sorted = false;
        Some((self.index, best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deferred_moves_come_once_more_after_the_others() {
        let mut picker = MovePicker::new();
        picker.fill(&Position::start());
        picker.score_moves(&Position::start(), None, &MoveHistory::new(), 0);
        let (mut indices, mut moves) = (Vec::new(), Vec::new());
        while let Some((index, mv)) = picker.next() {
            let late = [0, 4, 6].contains(&index);
            if !late || !picker.defer() {
                indices.push(index);
                moves.push(mv);
            }
        }
        assert_eq!(indices, [1, 2, 3, 5, 0, 4, 6]);
        let mut all = Position::start().moves();
        assert_eq!(moves.len(), all.len());
        all.retain(|mv| !moves.contains(mv));
        assert!(all.is_empty());
    }
}
