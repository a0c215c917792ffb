//! Endgame databases in the search. Positions with fewer pieces than the root have exact scores, so that a
//! line ends when its result is known. At the root, only moves that keep the result are searched.

use super::ThreadSearch;
use crate::search::score::Score;
use draughts::board::{Move, Position};
use endgames::{Databases, Wdl};

/// The score of a known draw is the evaluation divided by this, up to a limit.
const DRAW_SCALE: i32 = 12;
const MAX_DRAW: i32 = 15;

/// If the root is a known draw: the root side's penalties for a draw by rule, and for a draw with fewer
/// pieces.
const RULE_DRAW: i32 = 200;
const SIMPLER_DRAW: i32 = 30;

impl ThreadSearch<'_> {
    /// Returns the score of a position from the databases. Positions with as many pieces as the root only count if they
    /// are drawn: otherwise the search itself has to find the win.
    #[inline]
    pub(super) fn probe_database(&mut self, position: &Position, depth: i32, ply: usize) -> Option<Score> {
        let pieces = position.piece_count();
        if !self.task.databases.covers(pieces) {
            return None;
        }
        self.probe_result(position, pieces, depth, ply)
    }

    #[inline(never)]
    fn probe_result(&mut self, position: &Position, pieces: u32, depth: i32, ply: usize) -> Option<Score> {
        let databases = self.task.databases;
        let reads = depth >= self.params().tb_read_min_depth();
        let result = if reads { databases.probe_quiet(position) } else { databases.probe_at_hand(position) }?;
        self.tracker.count_tb_hit();
        if pieces >= self.root_pieces && self.drawn_root == (result == Wdl::Draw) {
            return None;
        }
        if result == Wdl::Draw {
            return Some(self.draw_score(position, ply));
        }
        let distance =
            if reads { databases.distance(position) } else { databases.distance_at_hand(position) };
        if let Some((_, plies)) = distance {
            let end = ply + usize::try_from(plies).unwrap_or(usize::MAX / 2);
            return Some(if result == Wdl::Win { Score::win_in(end) } else { Score::loss_in(end) });
        }
        Some(self.ending_score(position, result, pieces, ply))
    }

    /// Returns the score of a known result without a distance.
    fn ending_score(&mut self, position: &Position, result: Wdl, pieces: u32, ply: usize) -> Score {
        let value = self.evaluate(position, ply);
        match result {
            Wdl::Win => Score::ending_won(pieces, value, ply),
            Wdl::Loss => -Score::ending_won(pieces, -value, ply),
            Wdl::Draw => self.draw_score(position, ply),
        }
    }

    /// Returns 1 if the side to move is the root's, otherwise -1.
    fn sign_of(&self, position: &Position) -> i32 {
        if position.side() == self.task.game.position().side() { 1 } else { -1 }
    }

    /// Returns the score of a draw by rule. If the root is drawn, such a draw ends all winning chances.
    #[inline]
    pub(super) fn repetition_score(&self, position: &Position) -> Score {
        if !self.drawn_root {
            return Score::DRAW;
        }
        Score::evaluation(-RULE_DRAW * self.sign_of(position))
    }

    /// Returns the score of a known draw. It grows with the evaluation, since fallible opponents lose worse positions
    /// more often.
    fn draw_score(&mut self, position: &Position, ply: usize) -> Score {
        let value = self.evaluate(position, ply);
        if self.drawn_root {
            let is_simpler = position.piece_count() < self.root_pieces;
            let simplified = value / 2 - SIMPLER_DRAW * self.sign_of(position);
            return Score::evaluation(if is_simpler { simplified } else { value });
        }
        Score::evaluation((value / DRAW_SCALE).clamp(-MAX_DRAW, MAX_DRAW))
    }

    /// Returns whether the databases know that a line leads to a draw.
    pub(super) fn is_known_draw(&self, score: Score, line: &[Move]) -> bool {
        if self.drawn_root || !score.is_evaluation() {
            return score.is_evaluation();
        }
        let mut position = *self.task.game.position();
        let covered = |position: &Position| self.task.databases.covers(position.piece_count());
        for &mv in line {
            position = position.after(mv);
            if covered(&position) {
                break;
            }
        }
        (-MAX_DRAW..=MAX_DRAW).contains(&score.value())
            && self.task.databases.probe(&position) == Some(Wdl::Draw)
    }

    /// Probes at the end of a line with as many pieces as at the root, where only the evaluation measures
    /// progress.
    #[inline]
    pub(super) fn evaluate_ending(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let pieces = position.piece_count();
        if !self.task.databases.covers(pieces) {
            return None;
        }
        if let Some(score) = self.probe_result(position, pieces, 0, ply) {
            return Some(score);
        }
        let known = self.task.databases.probe_at_hand(position);
        let result = known.or_else(|| self.presumed_result(position))?;
        Some(self.ending_score(position, result, pieces, ply))
    }

    /// Returns the assumed result of a position that is not cached: the result of the root, if that is a win
    /// or a loss. Otherwise evaluations would look like draws among known results, and the choice of lines
    /// would depend on the cache.
    fn presumed_result(&self, position: &Position) -> Option<Wdl> {
        let result = self.root_result.filter(|&result| result != Wdl::Draw)?;
        let same_side = position.side() == self.task.game.position().side();
        Some(if same_side { result } else { result.reversed() })
    }
}

/// Returns the rank of each move of a position: its result and, with distances, faster wins and later losses first.
/// Higher is better. If the databases do not know all moves, all have the same rank.
pub(super) fn root_ranks(databases: &Databases, position: &Position, moves: &[Move]) -> Vec<i64> {
    let rank = |mv: &Move| {
        let next = position.after(*mv);
        let result = databases.probe(&next)?;
        let plies = databases.distance(&next).map_or(0, |(_, plies)| i64::from(plies));
        // Convert from the other side's point of view.
        Some(match result {
            Wdl::Loss => 10_000 - plies,
            Wdl::Draw => 0,
            Wdl::Win => plies - 10_000,
        })
    };
    let known = databases.covers(position.piece_count());
    let root_ranks = known.then(|| moves.iter().map(rank).collect::<Option<Vec<_>>>()).flatten();
    root_ranks.unwrap_or_else(|| vec![0; moves.len()])
}

/// Corrects the score of a root move by the databases. The search scores positions with as many pieces as the root
/// itself, but lines that are shown together need their true results.
pub(super) fn true_score(databases: &Databases, position: &Position, mv: Move, found: Score) -> Score {
    let next = position.after(mv);
    if !databases.covers(next.piece_count()) {
        return found;
    }
    let sooner = |plies: u32| usize::try_from(plies).unwrap_or(usize::MAX / 2) + 1;
    let pieces = next.piece_count();
    match (databases.probe(&next), databases.distance(&next)) {
        (Some(Wdl::Draw), _) => Score::DRAW,
        (Some(Wdl::Loss), Some((_, plies))) => Score::win_in(sooner(plies)),
        (Some(Wdl::Win), Some((_, plies))) => Score::loss_in(sooner(plies)),
        (Some(Wdl::Loss), None) => found.max(Score::ending_won(pieces, -600, 200)),
        (Some(Wdl::Win), None) => found.min(-Score::ending_won(pieces, -600, 200)),
        (None, _) => found,
    }
}
