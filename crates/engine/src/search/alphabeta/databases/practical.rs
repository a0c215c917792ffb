//! Practical chances in known draws: of the moves that keep the draw, prefers those after which an opponent
//! with a shallow search errs.

use std::sync::LazyLock;
use std::time::Duration;

use super::examined_root::DrawRanks;
use crate::eval::Evaluation;
use crate::search::alphabeta::root::search_iterations;
use crate::search::memory::ExpectedReply;
use crate::search::table::TranspositionTable;
use crate::search::{Budget, Limits, SearchOptions, Task, TimeLimit};
use kelso_draughts::board::{Game, Move};
use kelso_draughts::result::Wdl;
use kelso_endgames::{DatabaseOptions, Databases};

/// The databases of the opponent: none.
static NO_DATABASES: LazyLock<Databases> = LazyLock::new(|| Databases::open(&DatabaseOptions::NONE));

/// Maximum total number of nodes for searching the opponent's replies, about a tenth of a second. These
/// searches also use at most half of the search limits, at this many nodes per microsecond.
const MAX_NODES: u64 = 200_000;
const NODES_PER_MICROSECOND: u64 = 1;
/// The maximum number of positions that are examined: with the limit below, about a third of the nodes.
const MAX_CANDIDATES: usize = 128;
/// Node limit for a reply that is not the opponent's next, which is less likely to be reached.
const LATER_NODES: u64 = 500;
/// The weight of an iteration in which the reply errs, in tenths.
const ITERATION_WEIGHT: i32 = 10;
/// Chances of an error are rounded to multiples of this, in thousandths: smaller differences mean nothing,
/// and the search chooses among moves of the same rank.
const RANK_STEP: i32 = 50;
/// The penalty for each earlier occurrence of the position, in ranks: more than a certain error is worth.
const REPETITION_PENALTY: i64 = 100;

/// Examines the moves that keep the draw, in a position known as a draw. Returns no ranks if only one does.
pub(crate) fn rank_draws(task: &Task<'_>, evaluation: Evaluation<'_>) -> DrawRanks {
    ReplySearch::new(task, evaluation).map_or_else(DrawRanks::default, ReplySearch::explore)
}

/// A position with the opponent to move.
struct Candidate {
    game: Game,
    /// The candidate before the opponent's last reply, or `None` after a root move.
    parent: Option<usize>,
    reply: ExpectedReply,
}

struct ReplySearch<'a> {
    task: &'a Task<'a>,
    evaluation: Evaluation<'a>,
    table: &'a TranspositionTable,
    /// The options of the searches for replies.
    options: SearchOptions,
    root_moves: Vec<Move>,
    candidates: Vec<Candidate>,
    nodes: u64,
    max_nodes: u64,
    max_time: Option<Duration>,
}

impl<'a> ReplySearch<'a> {
    fn new(task: &'a Task<'a>, evaluation: Evaluation<'a>) -> Option<Self> {
        let mut root_moves = drawing_moves(task.databases, task.game);
        root_moves.retain(|mv| task.limits.allows(*mv));
        if root_moves.len() < 2 {
            return None;
        }
        let table = &task.memory.opponent_table;
        table.new_search();
        let overhead = task.options.move_overhead;
        let max_time = task.limits.time.map(|limit| Budget::new(limit, overhead).soft / 2);
        let mut max_nodes = task.limits.nodes.map_or(MAX_NODES, |nodes| MAX_NODES.min(nodes / 2));
        if let Some(micros) = max_time.and_then(|time| u64::try_from(time.as_micros()).ok()) {
            max_nodes = max_nodes.min(micros.saturating_mul(NODES_PER_MICROSECOND));
        }
        let options = SearchOptions { threads: 1, multi_pv: 1, ..task.options.clone() };
        Some(Self {
            task,
            evaluation,
            table,
            options,
            root_moves,
            candidates: Vec::new(),
            nodes: 0,
            max_nodes,
            max_time,
        })
    }

    fn explore(mut self) -> DrawRanks {
        let share = self.max_nodes / 2 / self.root_moves.len() as u64;
        for mv in self.root_moves.clone() {
            let game = self.task.game.after(mv);
            let unknown_reply = ExpectedReply { mv: None, error: 0 };
            let reply = if self.is_over() { unknown_reply } else { self.search_reply(&game, share) };
            self.candidates.push(Candidate { game, parent: None, reply });
        }
        let mut next = 0;
        while next < self.candidates.len() && self.candidates.len() < MAX_CANDIDATES && !self.is_over() {
            self.expand(next);
            next += 1;
        }
        self.into_ranks()
    }

    /// Returns whether the search was stopped or has used its share of the time.
    fn is_over(&self) -> bool {
        let control = self.task.control;
        control.is_stopped() || self.max_time.is_some_and(|time| control.elapsed() >= time)
    }

    /// Adds the positions after the expected reply of a candidate and each move that keeps the draw.
    fn expand(&mut self, parent: usize) {
        let Candidate { game, reply, .. } = &self.candidates[parent];
        let Some(mv) = reply.mv.filter(|_| reply.error < self.task.options.params.chance_certain_error())
        else {
            return;
        };
        let game = game.after(mv);
        if self.task.databases.probe(game.position()) != Some(Wdl::Draw) {
            return;
        }
        for mv in drawing_moves(self.task.databases, &game) {
            let game = game.after(mv);
            let earlier = self.task.memory.reply(game.position().key());
            let is_done = earlier.is_none() && (self.nodes >= self.max_nodes || self.is_over());
            if game.occurrences() > 1 || is_done {
                continue;
            }
            let reply = earlier.unwrap_or_else(|| self.search_reply(&game, LATER_NODES));
            self.candidates.push(Candidate { game, parent: Some(parent), reply });
        }
    }

    /// Searches the reply as an opponent without databases would.
    fn search_reply(&mut self, game: &Game, nodes: u64) -> ExpectedReply {
        let limits = Limits {
            depth: self.task.limits.depth,
            nodes: Some(nodes.max(1)),
            time: self.max_time.map(TimeLimit::Exact),
            ..Limits::default()
        };
        let task =
            Task { game, limits: &limits, databases: &NO_DATABASES, options: &self.options, ..*self.task };
        let search = search_iterations(&task, self.evaluation, self.table);
        let errors: Vec<bool> =
            search.iterations.iter().map(|reply| reply.is_some_and(|mv| self.errs(game, mv))).collect();
        self.nodes += search.nodes;
        let last_weight = self.task.options.params.chance_last_iteration();
        let mut error_weight = 0;
        let mut total_weight = last_weight;
        for &errs in &errors {
            error_weight += if errs { ITERATION_WEIGHT } else { 0 };
            total_weight += ITERATION_WEIGHT;
        }
        if errors.last() == Some(&true) {
            error_weight += last_weight;
        }
        let reply = ExpectedReply { mv: search.best, error: error_weight * 1000 / total_weight };
        self.task.memory.record_reply(game.position().key(), reply);
        reply
    }

    /// Returns whether a reply throws away the draw.
    fn errs(&self, game: &Game, reply: Move) -> bool {
        self.task.databases.probe(&game.position().after(reply)) == Some(Wdl::Win)
    }

    /// Ranks each root move by the chance of an error, which includes the chances in later positions.
    fn into_ranks(self) -> DrawRanks {
        let params = &self.task.options.params;
        let mut later = vec![0; self.candidates.len()];
        let mut ranks = Vec::with_capacity(self.root_moves.len());
        for (index, candidate) in self.candidates.iter().enumerate().rev() {
            let error = candidate.reply.error + (1000 - candidate.reply.error) * later[index] / 1000;
            if let Some(parent) = candidate.parent {
                later[parent] = later[parent].max(error * params.chance_later_percent() / 100);
            } else if let Some(&mv) = self.root_moves.get(index) {
                let steps =
                    if error < params.chance_min_error() { 0 } else { (error + RANK_STEP / 2) / RANK_STEP };
                // A repetition ends all winning chances.
                let repeats = u32::try_from(candidate.game.occurrences() - 1).unwrap_or(u32::MAX);
                ranks.push((mv, i64::from(steps) - REPETITION_PENALTY * i64::from(repeats)));
            }
        }
        DrawRanks { ranks, nodes: self.nodes }
    }
}

/// Returns the moves that keep a draw.
fn drawing_moves(databases: &Databases, game: &Game) -> Vec<Move> {
    let position = game.position();
    let mut moves = position.moves().to_vec();
    moves.retain(|&mv| databases.probe(&position.after(mv)) == Some(Wdl::Draw));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::TestSearch;
    use crate::search::{Bound, Score};
    use kelso_draughts::notation::{fen, movetext};

    const DRAWS: [&str; 6] = [
        "W:WK6,K32:BK1,10,15",
        "B:WK4,K22:B8,14,25",
        "B:WK20,K21:B17,26,K29",
        "W:WK4,K17:B9,K18,24",
        "W:WK4,K20:B2,11,K16",
        "B:WK20,K31:B16,K23,24",
    ];
    const NODES: u64 = 4000;

    fn search_in(text: &str) -> TestSearch {
        TestSearch::new(Game::new(fen::parse(text).unwrap()), Limits::nodes(NODES))
    }

    fn examine(search: &TestSearch) -> DrawRanks {
        rank_draws(&search.task(), Evaluation::classic())
    }

    #[test]
    fn known_draws_are_kept_and_reported_as_draws() {
        for text in DRAWS {
            let search = search_in(text);
            let (answer, reports) = search.run();
            assert!(answer.nodes <= NODES, "{text}");
            for report in reports {
                assert_eq!(
                    (report.score, report.bound, report.known_draw),
                    (Score::DRAW, Bound::Exact, true)
                );
            }
            let next = search.game.position().after(answer.best.unwrap());
            assert_eq!(Databases::compiled_in().probe(&next), Some(Wdl::Draw), "{text}");
        }
    }

    #[test]
    fn a_stopped_search_examines_nothing() {
        let search = search_in(DRAWS[0]);
        search.control.stop();
        assert_eq!(examine(&search).nodes, 0);
        assert!(search.run().0.best.is_some());
    }

    #[test]
    fn the_move_with_the_best_chance_is_played_and_listed_first() {
        let mut differing = 0;
        for text in DRAWS {
            let ranked = examine(&search_in(text)).ranks;
            let ranks: Vec<i64> = ranked.iter().map(|&(_, rank)| rank).collect();
            let rank = |of| ranked.iter().find(|(mv, _)| *mv == of).map_or(0, |&(_, rank)| rank);
            let Some(best) = ranks.iter().copied().max() else { continue };
            differing += usize::from(ranks.iter().any(|other| *other != ranks[0]));
            for multi_pv in [1, 2] {
                let mut search = search_in(text);
                search.options.multi_pv = multi_pv;
                assert_eq!(rank(search.run().0.best.unwrap()), best, "{text}");
            }
        }
        assert!(differing > 0);
    }

    #[test]
    fn a_draw_is_not_repeated_while_another_move_keeps_it() {
        let mut search = search_in("W:WK6,K32:BK1,10,15");
        for text in ["32-28", "1-5", "28-32", "5-1"] {
            let mv = movetext::parse(search.game.position(), text).unwrap();
            search.game.play(mv);
        }
        let repeated = movetext::parse(search.game.position(), "32-28").unwrap();
        let ranks = examine(&search).ranks;
        assert!(ranks.iter().any(|&(mv, rank)| mv == repeated && rank < 0));
        assert_ne!(search.run().0.best, Some(repeated));
    }
}
