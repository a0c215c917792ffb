//! Extracts a win from a search: a move and a rank for each of White's positions.

use super::certificate::Choice;
use super::hold::PositionMap;
use super::search::Search;
use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::result::Wdl;

impl Search<'_> {
    /// Returns a move and a rank for each position in which White needs a move to win `roots`, which are
    /// positions that White wins with White to move. Leaves need no move. Returns `None` if the table has
    /// lost part of the win.
    pub(crate) fn win(&self, roots: &[Position]) -> Option<Vec<(Choice, u32)>> {
        let mut moves = PositionMap::default();
        let mut open: Vec<Position> = roots.to_vec();
        while let Some(position) = open.pop() {
            if self.leaves.value(&position) == Some(Wdl::Win) || moves.contains_key(&position) {
                continue;
            }
            let mv = self.winning_move(&position, &moves)?;
            moves.insert(position, mv);
            open.extend(self.replies(&position.after(mv)));
        }
        self.ranked(&moves)
    }

    /// Returns the positions after all replies, or an empty list if the win is immediate.
    fn replies(&self, after: &Position) -> Vec<Position> {
        if self.leaves.value(after) == Some(Wdl::Loss) {
            return Vec::new();
        }
        let replies = after.moves().into_iter().map(|mv| after.after(mv));
        replies.filter(|reply| self.leaves.value(reply) != Some(Wdl::Win)).collect()
    }

    fn winning_move(&self, position: &Position, chosen: &PositionMap<Move>) -> Option<Move> {
        debug_assert_eq!(position.side(), Color::White);
        if self.distance(position).is_some_and(|value| value.wdl == Wdl::Win) {
            return self.shortest(position, chosen);
        }
        let entry = self.table.get(&position.key()).filter(|entry| entry.numbers.wins() == Some(true))?;
        position.moves().get(usize::from(entry.best)).copied()
    }

    /// Returns the move with the shortest win. Ties go to the move with the fewest new positions.
    fn shortest(&self, position: &Position, chosen: &PositionMap<Move>) -> Option<Move> {
        let mut best = None;
        for mv in position.moves() {
            let after = position.after(mv);
            let value = self.distance(&after);
            if let Some(value) = value.filter(|value| value.wdl == Wdl::Loss) {
                let new = self.replies(&after).iter().filter(|reply| !chosen.contains_key(reply)).count();
                let cost = (value.plies, new);
                if best.is_none_or(|(lowest, _)| cost < lowest) {
                    best = Some((cost, mv));
                }
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Assigns each position a rank above the ranks of all replies. Returns `None` if the moves form a cycle.
    fn ranked(&self, moves: &PositionMap<Move>) -> Option<Vec<(Choice, u32)>> {
        let mut parents: PositionMap<Vec<Position>> = PositionMap::default();
        let mut pending: PositionMap<usize> = PositionMap::default();
        let mut ready = Vec::new();
        for (&position, &mv) in moves {
            let replies = self.replies(&position.after(mv));
            if replies.is_empty() {
                ready.push((position, 1));
            }
            pending.insert(position, replies.len());
            for reply in replies {
                parents.entry(reply).or_default().push(position);
            }
        }
        let mut ranked = Vec::with_capacity(moves.len());
        while !ready.is_empty() {
            let mut next = Vec::new();
            for (position, rank) in ready {
                ranked.push((Choice { position, mv: *moves.get(&position)? }, rank));
                for parent in parents.get(&position).into_iter().flatten() {
                    let left = pending.get_mut(parent)?;
                    *left -= 1;
                    if *left == 0 {
                        next.push((*parent, rank + 1));
                    }
                }
            }
            ready = next;
        }
        ranked.sort_by_key(|(choice, rank)| (*rank, super::hold::sort_key(&choice.position)));
        (ranked.len() == moves.len()).then_some(ranked)
    }
}
