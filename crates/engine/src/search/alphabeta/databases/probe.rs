//! Looks up the positions of a search in the databases, and scores them.

use super::examined_root::{ResultKind, RootEnding};
use crate::search::alphabeta::thread_search::ThreadSearch;
use crate::search::score::Score;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::result::{KnownValue, Wdl};

/// The known result of a position, and what it means in this search.
struct Hit {
    value: KnownValue,
    kind: ResultKind,
}

impl ThreadSearch<'_> {
    /// Returns the score of an inner node, unless the search itself has to make progress.
    #[inline]
    pub(crate) fn probe_node(&mut self, position: &Position, depth: i32, ply: usize) -> Option<Score> {
        let hit = self.probe(position, depth < self.params().tb_read_min_depth())?;
        let ends_line = !matches!(hit.kind, ResultKind::InProgress | ResultKind::HeldDraw);
        (ends_line && self.path.permits(hit.value, ply)).then(|| self.hit_score(position, hit, ply))
    }

    /// Returns the score of a position at the end of a line. If it has as many pieces as the root, only the
    /// evaluation measures progress.
    ///
    /// A position that is not cached is assumed to have the result of the root, if that is a win or a loss.
    /// Otherwise, evaluations would look like draws next to known results, and the choice of lines would
    /// depend on the cache.
    #[inline]
    pub(crate) fn probe_leaf(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let hit = self.probe(position, true).or_else(|| {
            let RootEnding::Decisive(wdl) = self.shared.root.ending else { return None };
            let wdl = if self.sign_of(position) > 0 { wdl } else { wdl.reversed() };
            Some(Hit { value: KnownValue::new(wdl, None), kind: self.shared.root.result_kind(position, wdl) })
        })?;
        Some(self.hit_score(position, hit, ply))
    }

    /// Looks up a result, and its distance if the score depends on it.
    #[inline]
    fn probe(&mut self, position: &Position, in_memory: bool) -> Option<Hit> {
        self.task.databases.covers(position.piece_count()).then(|| self.look_up(position, in_memory))?
    }

    #[inline(never)]
    fn look_up(&mut self, position: &Position, in_memory: bool) -> Option<Hit> {
        let databases = self.task.databases;
        let wdl = if in_memory {
            databases.probe_quiet_in_memory(position)
        } else {
            databases.probe_quiet(position)
        }?;
        self.tracker.count_tb_hit();
        let kind = self.shared.root.result_kind(position, wdl);
        let distance = match kind {
            ResultKind::Decided if in_memory => databases.distance_in_memory(position),
            ResultKind::Decided => databases.distance(position),
            _ => None,
        };
        Some(Hit { value: distance.unwrap_or(KnownValue::new(wdl, None)), kind })
    }

    /// Draws are worth more with a better evaluation, since fallible opponents lose worse positions more
    /// often. A win that may take longer than the draw rule permits is scored by the evaluation.
    fn hit_score(&mut self, position: &Position, Hit { value: known, kind }: Hit, ply: usize) -> Score {
        let params = self.params();
        let is_certain = kind == ResultKind::Decided && self.path.permits(known, ply);
        // A result with a distance needs no evaluation.
        let value = if is_certain && known.plies.is_some() { 0 } else { self.evaluate(position, ply) };
        match kind {
            ResultKind::Decided if is_certain => Score::known(known, position.piece_count(), value, ply),
            ResultKind::Decided | ResultKind::InProgress => {
                let min_win = params.tb_min_win();
                let is_win = known.wdl == Wdl::Win;
                Score::evaluation(if is_win { value.max(min_win) } else { value.min(-min_win) })
            }
            ResultKind::Draw => {
                let max = params.tb_max_draw();
                Score::evaluation((value / params.tb_draw_divisor()).clamp(-max, max))
            }
            ResultKind::HeldDraw => Score::evaluation(value),
            ResultKind::SimplerDraw => {
                Score::evaluation(value / 2 - params.tb_simpler_draw_penalty() * self.sign_of(position))
            }
        }
    }

    /// Returns 1 if the side to move is the same as at the root, otherwise -1.
    fn sign_of(&self, position: &Position) -> i32 {
        if position.side() == self.task.game.position().side() { 1 } else { -1 }
    }

    /// Returns the score of a draw by rule. If the root is drawn, such a draw ends all winning chances.
    #[inline]
    pub(crate) fn repetition_score(&self, position: &Position) -> Score {
        if self.shared.root.ending != RootEnding::Drawn {
            return Score::DRAW;
        }
        Score::evaluation(-self.params().tb_rule_draw_penalty() * self.sign_of(position))
    }

    /// Returns the score to report for a line of the root, and whether the databases know that it leads to a
    /// draw.
    pub(crate) fn line_score(&self, score: Score, line: &[Move]) -> (Score, bool) {
        if self.shared.root.ending != RootEnding::Unknown {
            let score = line.first().map_or(score, |&mv| self.root_move_score(mv, score));
            return (score, score == Score::DRAW);
        }
        let mut position = *self.task.game.position();
        for &mv in line {
            position = position.after(mv);
            if self.task.databases.covers(position.piece_count()) {
                break;
            }
        }
        let known_draw = score.is_evaluation()
            && score.value().abs() <= self.params().tb_max_draw()
            && self.task.databases.probe(&position) == Some(Wdl::Draw);
        (if known_draw { Score::DRAW } else { score }, known_draw)
    }

    /// Corrects the score of a root move using the databases. The search evaluates positions with as many
    /// pieces as the root instead of looking them up, but lines that are shown together need their true
    /// results.
    pub(crate) fn root_move_score(&self, mv: Move, score: Score) -> Score {
        let next = self.task.game.position().after(mv);
        match self.task.databases.value(&next).map(KnownValue::for_parent) {
            Some(value) if !self.path.permits(value, 0) => score,
            Some(value) if value.wdl == Wdl::Draw || value.plies.is_some() || score.is_evaluation() => {
                Score::known(value, next.piece_count(), score.value(), 0)
            }
            _ => score,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::search::Limits;
    use crate::search::testing::{TestSearch, WON_ENDINGS};
    use kelso_draughts::board::Game;
    use kelso_draughts::notation::fen;
    use kelso_draughts::score::ReportedScore;
    use kelso_endgames::{DatabaseOptions, Databases};

    #[test]
    fn a_win_that_comes_after_a_draw_is_no_win() {
        for (rule, is_won) in [("standard", true), ("plies 5", true), ("plies 4", false)] {
            let mut search =
                TestSearch::new(Game::new(fen::parse("B:W32:BK22,K23").unwrap()), Limits::nodes(4000));
            search.options.draws = rule.parse().unwrap();
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
        for text in WON_ENDINGS {
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
