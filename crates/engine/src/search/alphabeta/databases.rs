//! Endgame databases in the search. Positions with fewer pieces than the root get their exact scores, so that
//! a line ends where its result is known. At the root, only moves that keep the result are searched.

use super::thread_search::ThreadSearch;
use crate::search::score::Score;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::result::{KnownValue, Wdl};
use kelso_endgames::Databases;

impl ThreadSearch<'_> {
    /// Returns the score of a position from the databases. If it has as many pieces as the root, and both are
    /// drawn or neither is, the search itself has to make progress.
    #[inline]
    pub(super) fn probe_database(&mut self, position: &Position, depth: i32, ply: usize) -> Option<Score> {
        let pieces = position.piece_count();
        if !self.task.databases.covers(pieces) {
            return None;
        }
        let value = self.look_up(position, depth < self.params().tb_read_min_depth())?;
        let is_as_root =
            pieces >= self.root_pieces && self.shared.root_is_drawn() == (value.result == Wdl::Draw);
        (!is_as_root && self.path.permits(value, ply)).then(|| self.database_score(position, value, ply))
    }

    /// Looks up a result, and its distance if the score depends on it.
    #[inline(never)]
    fn look_up(&mut self, position: &Position, in_memory: bool) -> Option<KnownValue> {
        let databases = self.task.databases;
        let result = if in_memory {
            databases.probe_quiet_in_memory(position)
        } else {
            databases.probe_quiet(position)
        }?;
        self.tracker.count_tb_hit();
        let distance = match result {
            Wdl::Draw => None,
            _ if self.is_root_ending(position) => None,
            _ if in_memory => databases.distance_in_memory(position),
            _ => databases.distance(position),
        };
        Some(distance.unwrap_or(KnownValue::new(result, None)))
    }

    /// Returns whether the root is won or lost, and a position has as many pieces.
    fn is_root_ending(&self, position: &Position) -> bool {
        position.piece_count() >= self.root_pieces && !self.shared.root_is_drawn()
    }

    /// Returns the score of a known result.
    ///
    /// If the root is won or lost, positions with as many pieces are scored by the evaluation, so that
    /// pruning works as it does without databases. This makes more progress than exact scores. A win that may
    /// take longer than the draw rule permits is scored in the same way.
    fn database_score(&mut self, position: &Position, known: KnownValue, ply: usize) -> Score {
        if known.result == Wdl::Draw {
            return self.draw_score(position, ply);
        }
        if !self.is_root_ending(position) && self.path.permits(known, ply) {
            // A result with a distance needs no evaluation.
            let value = if known.plies.is_some() { 0 } else { self.evaluate(position, ply) };
            return Score::known(known, position.piece_count(), value, ply);
        }
        let value = self.evaluate(position, ply);
        let min_win = self.params().tb_min_win();
        Score::evaluation(if known.result == Wdl::Win { value.max(min_win) } else { value.min(-min_win) })
    }

    /// Returns 1 if the side to move is the same as at the root, otherwise -1.
    fn sign_of(&self, position: &Position) -> i32 {
        if position.side() == self.task.game.position().side() { 1 } else { -1 }
    }

    /// Returns the score of a draw by rule. If the root is drawn, such a draw ends all winning chances.
    #[inline]
    pub(super) fn repetition_score(&self, position: &Position) -> Score {
        if !self.shared.root_is_drawn() {
            return Score::DRAW;
        }
        Score::evaluation(-self.params().tb_rule_draw_penalty() * self.sign_of(position))
    }

    /// Returns the score of a known draw. It grows with the evaluation, since fallible opponents lose worse
    /// positions more often.
    fn draw_score(&mut self, position: &Position, ply: usize) -> Score {
        let value = self.evaluate(position, ply);
        let params = self.params();
        if self.shared.root_is_drawn() {
            let is_simpler = position.piece_count() < self.root_pieces;
            let simplified = value / 2 - params.tb_simpler_draw_penalty() * self.sign_of(position);
            return Score::evaluation(if is_simpler { simplified } else { value });
        }
        let max = params.tb_max_draw();
        Score::evaluation((value / params.tb_draw_divisor()).clamp(-max, max))
    }

    /// Returns the score to report for a line of the root, and whether the databases know that it leads to a
    /// draw.
    pub(super) fn known_score(&self, score: Score, line: &[Move]) -> (Score, bool) {
        let root = self.task.game.position();
        if self.shared.root.result.is_some() {
            let score = line.first().map_or(score, |&mv| self.true_score(mv, score));
            return (score, score == Score::DRAW);
        }
        let mut position = *root;
        for &mv in line {
            position = position.after(mv);
            if self.task.databases.covers(position.piece_count()) {
                break;
            }
        }
        let max_draw = self.params().tb_max_draw();
        let known_draw = score.is_evaluation()
            && (-max_draw..=max_draw).contains(&score.value())
            && self.task.databases.probe(&position) == Some(Wdl::Draw);
        (if known_draw { Score::DRAW } else { score }, known_draw)
    }

    /// Corrects the score of a root move using the databases. The search evaluates positions with as many
    /// pieces as the root instead of looking them up, but lines that are shown together need their true
    /// results.
    pub(super) fn true_score(&self, mv: Move, score: Score) -> Score {
        let next = self.task.game.position().after(mv);
        match self.task.databases.value(&next).map(KnownValue::for_parent) {
            Some(value) if !self.path.permits(value, 0) => score,
            Some(value) if value.result == Wdl::Draw || value.plies.is_some() || score.is_evaluation() => {
                Score::known(value, next.piece_count(), score.value(), 0)
            }
            _ => score,
        }
    }

    /// Probes a position at the end of a line. If it has as many pieces as the root, only the evaluation
    /// measures progress.
    #[inline]
    pub(super) fn evaluate_ending(&mut self, position: &Position, ply: usize) -> Option<Score> {
        if !self.task.databases.covers(position.piece_count()) {
            return None;
        }
        let value = self.look_up(position, true).or_else(|| self.presumed_result(position))?;
        Some(self.database_score(position, value, ply))
    }

    /// Returns the assumed result of a position that is not cached: the result of the root, if that is a win
    /// or a loss. Otherwise, evaluations would look like draws next to known results, and the choice of lines
    /// would depend on the cache.
    fn presumed_result(&self, position: &Position) -> Option<KnownValue> {
        let result = self.shared.root.result.filter(|&result| result != Wdl::Draw)?;
        Some(KnownValue::new(if self.sign_of(position) > 0 { result } else { result.reversed() }, None))
    }
}

/// Returns the [rank](KnownValue::rank) of each move of a position, or the same for all if the databases do
/// not know all moves.
///
/// If the distances of the position are unknown, distances after an exchange are ignored, since they cannot
/// be compared with the other moves.
pub(super) fn root_ranks(databases: &Databases, position: &Position, moves: &[Move]) -> Vec<i64> {
    let has_distances = databases.distance(position).is_some();
    let mut ranks = Vec::with_capacity(moves.len());
    if databases.covers(position.piece_count()) {
        for &mv in moves {
            let next = position.after(mv);
            let Some(result) = databases.probe(&next) else { break };
            let distance = if has_distances { databases.distance(&next) } else { None };
            ranks.push(distance.unwrap_or(KnownValue::new(result, None)).for_parent().rank());
        }
    }
    if ranks.len() < moves.len() { vec![0; moves.len()] } else { ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::testing::TestSearch;
    use kelso_draughts::board::Game;
    use kelso_draughts::notation::fen;
    use kelso_draughts::referee::DrawRules;
    use kelso_draughts::score::ReportedScore;
    use kelso_endgames::DatabaseOptions;

    /// Won endings of five pieces. Their distances are not compiled in, but the winner can exchange into
    /// endings with known distances.
    const WINS: [&str; 3] = ["B:W20,K26:B6,K29,K32", "W:W16,26,K27:BK2,K9", "W:WK12,K14,K22:BK5,K21"];

    #[test]
    fn distances_after_an_exchange_do_not_count_among_moves_without_distances() {
        let databases = Databases::compiled_in();
        let mut exchanges = 0;
        for text in WINS {
            let position = fen::parse(text).unwrap();
            let moves = position.moves();
            let ranks = root_ranks(&databases, &position, &moves);
            for (&mv, rank) in moves.iter().zip(ranks) {
                let next = position.after(mv);
                let result = databases.probe(&next).unwrap().reversed();
                let expected = KnownValue::new(result, None).rank();
                assert_eq!(rank, expected, "{text} {mv:?}");
                exchanges += usize::from(databases.distance(&next).is_some());
            }
        }
        assert!(exchanges > 0);
    }

    #[test]
    fn a_win_that_comes_after_a_draw_is_no_win() {
        for (rule, is_won) in [("standard", true), ("plies 5", true), ("plies 4", false)] {
            let mut search =
                TestSearch::new(Game::new(fen::parse("B:W32:BK22,K23").unwrap()), Limits::nodes(4000));
            search.options.draws = DrawRules::parse(rule).unwrap();
            let score = search.run().0.score.unwrap();
            assert_eq!(matches!(score.reported(), ReportedScore::Win(_)), is_won, "{rule} {score:?}");
        }
    }

    /// With 20,000 nodes, the winner needs more than 80 plies for the second ending.
    #[test]
    fn won_endings_without_distances_are_won() {
        let [mut winner, mut loser] =
            std::array::from_fn(|_| TestSearch::new(Game::default(), Limits::nodes(40_000)));
        loser.databases = Databases::open(&DatabaseOptions { embedded: &[], ..DatabaseOptions::default() });
        for text in WINS {
            let mut game = Game::new(fen::parse(text).unwrap());
            let winning_side = game.position().side();
            while game.position().can_move() {
                let wins = game.position().side() == winning_side;
                let search = if wins { &mut winner } else { &mut loser };
                search.game.clone_from(&game);
                let (answer, reports) = search.run();
                for report in reports {
                    assert!(
                        !wins || matches!(report.score.reported(), ReportedScore::Win(_)),
                        "{text} {report:?}"
                    );
                }
                game.play(answer.best.unwrap());
                assert!(game.reversible_plies() < 80, "{text}");
            }
            assert_ne!(game.position().side(), winning_side, "{text}");
        }
    }
}
