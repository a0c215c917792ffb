//! Endgame databases in the search: exact values for positions with fewer pieces than the root's, so that a line ends
//! where its result is known; at the root itself, only moves that keep the result.

use super::Search;
use crate::board::{Move, Position};
use crate::egdb::{Databases, Wld};
use crate::eval::Evaluate;
use crate::search::score::Score;

impl<E: Evaluate> Search<'_, E> {
    /// The value of a position that the databases know, for its side to move. Positions with as many pieces as the
    /// root only count where they are drawn: there the search itself has to find the way to the win.
    #[inline]
    pub(super) fn known_ending(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let pieces = position.piece_count();
        if !self.task.databases.covers(pieces) {
            return None;
        }
        self.look_up(position, pieces, ply)
    }

    #[inline(never)]
    fn look_up(&mut self, position: &Position, pieces: u32, ply: usize) -> Option<Score> {
        let result = self.task.databases.probe_quiet(position)?;
        self.table_hits += 1;
        if result == Wld::Draw {
            return Some(Score::DRAW);
        }
        if pieces >= self.root_pieces {
            return None;
        }
        if let Some((_, plies)) = self.task.databases.distance(position) {
            let end = ply + usize::try_from(plies).unwrap_or(usize::MAX / 2);
            return Some(if result == Wld::Win { Score::win_in(end) } else { Score::loss_in(end) });
        }
        Some(self.ending_score(position, result, pieces, ply))
    }

    /// A known result without a distance: more for the winner with fewer pieces left, with a better position, and
    /// sooner.
    fn ending_score(&mut self, position: &Position, result: Wld, pieces: u32, ply: usize) -> Score {
        let value = self.judge(position, ply);
        match result {
            Wld::Win => Score::ending_won(pieces, value, ply),
            Wld::Loss => -Score::ending_won(pieces, -value, ply),
            Wld::Draw => Score::DRAW,
        }
    }

    /// The same at the end of a line with as many pieces as the root, where only the evaluation tells progress.
    #[inline]
    pub(super) fn judged_ending(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let pieces = position.piece_count();
        if !self.task.databases.covers(pieces) {
            return None;
        }
        if let Some(score) = self.look_up(position, pieces, ply) {
            return Some(score);
        }
        let result = self.task.databases.probe_quiet(position)?;
        Some(self.ending_score(position, result, pieces, ply))
    }
}

/// Of the moves of a position that the databases know, those that keep its result; with distances, those that win
/// soonest or lose last.
pub(super) fn keep_result(databases: &Databases, position: &Position, moves: Vec<Move>) -> Vec<Move> {
    if !databases.covers(position.piece_count()) {
        return moves;
    }
    let worth = |mv: &Move| {
        let next = position.after(*mv);
        let result = databases.probe(&next)?;
        let plies = databases.distance(&next).map_or(0, |(_, plies)| i64::from(plies));
        // Seen by the other side: its loss is best, and the sooner the better.
        Some(match result {
            Wld::Loss => 10_000 - plies,
            Wld::Draw => 0,
            Wld::Win => plies - 10_000,
        })
    };
    let Some(worths) = moves.iter().map(worth).collect::<Option<Vec<i64>>>() else { return moves };
    let Some(&best) = worths.iter().max() else { return moves };
    moves.into_iter().zip(worths).filter(|&(_, worth)| worth == best).map(|(mv, _)| mv).collect()
}
