//! The root: iterative deepening, aspiration windows, and reports.

use std::slice;
use std::time::Duration;

use super::databases::{ExaminedRoot, RootMove, best_count};
use super::node_state::ChildSearch;
use super::thread_search::{Iteration, SharedSearch, ThreadSearch};
use crate::eval::Evaluation;
use crate::search::line::{PvLine, ScoredLine, set_line};
use crate::search::table::{TableEntry, TranspositionTable};
use crate::search::{
    Bound, LineReport, MAX_DEPTH, NodeEnd, Score, SearchAnswer, SearchEvent, SearchObserver, SearchParams,
    Stability, Task, Window,
};
use kelso_draughts::board::Move;

/// After this time, each root move is reported when its search begins.
const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(1);

impl ThreadSearch<'_> {
    /// Iterative deepening: searches to increasing depths. An iteration that another thread has finished is
    /// not repeated.
    pub(super) fn deepen(&mut self) -> SearchAnswer {
        let mut root = RootState::new(self.shared);
        if root.moves.is_empty() {
            let lost_line =
                ScoredLine { score: Score::loss_in(0), bound: Bound::Exact, ..ScoredLine::nothing(0) };
            self.report(&[lost_line]);
            return SearchAnswer { score: Some(Score::loss_in(0)), ..SearchAnswer::default() };
        }
        let max_depth = self.task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut stability = Stability::default();
        // The best line of the last complete iteration.
        let mut last_best: Option<ScoredLine> = None;
        for depth in 1..=max_depth {
            let start_time = self.task.control.elapsed();
            let mut is_stopped = false;
            if self.complete_iteration(depth, &mut root) {
                self.shared.coordination.finish_iteration(depth, &root.lines);
            } else if let Some(lines) = self.shared.coordination.lines_of(depth) {
                root.lines = lines;
                arrange(&mut root.moves, &root.lines);
            } else {
                is_stopped = true;
            }
            // If the search was stopped, this report has all nodes, and the move that will be played.
            self.report(&root.lines);
            if is_stopped {
                break;
            }
            stability.iteration_time = self.task.control.elapsed().saturating_sub(start_time);
            stability.update(last_best.as_ref(), root.best(), &root.moves);
            last_best = root.best().cloned();
            let is_settled =
                root.best().is_none_or(|best| best.score.is_proved_within(depth)) || root.moves.len() == 1;
            if is_settled && self.tracker.settle() || !self.tracker.has_time_for_more(Some(&stability)) {
                break;
            }
        }
        // Publish the nodes counted since the last check.
        self.tracker.publish();
        self.answer(&root.lines, last_best.as_ref())
    }

    /// Returns the answer of a search that ended with these lines. `last_best` is the best line of the
    /// last complete iteration.
    fn answer(&self, lines: &[ScoredLine], last_best: Option<&ScoredLine>) -> SearchAnswer {
        let lines: Vec<_> = (1..).zip(lines).map(|(rank, line)| self.line_report(rank, line)).collect();
        let best = lines.first();
        let last_best = last_best.map(|line| self.line_report(1, line));
        let exact_line = best.filter(|best| best.is_exact()).or(last_best.as_ref());
        let best_move = best.and_then(|best| best.line.first()).copied();
        // If the search was stopped when the score had risen above the window, the line has only one move.
        let best_lines = [best, last_best.as_ref()].into_iter().flatten();
        let ponder = best_lines
            .filter(|line| line.line.first() == best_move.as_ref())
            .find_map(|line| line.line.get(1))
            .copied();
        SearchAnswer {
            best: best_move,
            ponder,
            score: exact_line.map(|exact_line| exact_line.score),
            win_rates: exact_line.and_then(|exact_line| exact_line.win_rates),
            lines,
            ..SearchAnswer::default()
        }
    }

    /// Searches one iteration. Returns `false` if it was stopped.
    pub(super) fn complete_iteration(&mut self, depth: usize, root: &mut RootState) -> bool {
        let (max_extended_ply, max_extended_capture_ply) = self.params().extended_plies(depth);
        self.iteration = Iteration { depth, selective_depth: 0, max_extended_ply, max_extended_capture_ply };
        self.tracker.begin(depth);
        if root.line_count > 1 { self.multi_pv(root) } else { self.single_pv(root) }
    }

    /// Searches one iteration for one line. Returns `false` if it was stopped; a move found before the stop
    /// is kept.
    fn single_pv(&mut self, root: &mut RootState) -> bool {
        match self.aspiration_search(root, 0) {
            RootSearch::Complete(line) => {
                root.lines = vec![line];
                true
            }
            RootSearch::Stopped(best) => {
                if let Some(best) = best {
                    root.lines = vec![best];
                }
                false
            }
        }
    }

    /// Reports these lines to the receiver of events, if there is one.
    pub(super) fn report(&mut self, lines: &[ScoredLine]) {
        let Some(on_event) = self.on_event.take() else { return };
        for (rank, line) in (1..).zip(lines) {
            on_event(SearchEvent::Line(self.line_report(rank, line)));
        }
        self.on_event = Some(on_event);
    }

    /// Reports a line during an iteration. The lines of `MultiPV` are reported only at its end.
    fn report_early(&mut self, root: &RootState, line: &ScoredLine) {
        if root.line_count == 1 {
            self.report(slice::from_ref(line));
        }
    }

    /// Describes a line, with the score corrected by the databases.
    fn line_report(&self, rank: usize, line: &ScoredLine) -> LineReport {
        let (score, known_draw) = self.line_score(line.score, &line.moves);
        let counts = self.tracker.counts();
        LineReport {
            depth: line.depth,
            selective_depth: self.iteration.selective_depth.max(line.depth),
            rank,
            score,
            bound: if known_draw { Bound::Exact } else { line.bound },
            known_draw,
            win_rates: self
                .task
                .options
                .show_wdl
                .then(|| score.win_rates(known_draw, self.task.game.position())),
            nodes: counts.nodes,
            tb_hits: counts.tb_hits,
            hash_full: self.table.hashfull(),
            time: self.task.control.elapsed(),
            line: line.moves.to_vec(),
        }
    }

    /// Aspiration windows: searches the moves from `line_index` on, with a window around the last score of
    /// that line, and widens the window if the new score falls outside.
    pub(super) fn aspiration_search(&mut self, root: &mut RootState, line_index: usize) -> RootSearch {
        let params = self.params();
        let last_score = root.lines.get(line_index).map_or(Score::DRAW, |line| line.score);
        let mut delta = params.aspiration_delta();
        let depth = i32::try_from(self.iteration.depth);
        let is_deep = depth.is_ok_and(|depth| depth >= params.aspiration_min_depth());
        let mut window =
            if is_deep { aspiration_window(params, last_score, delta, delta) } else { Window::FULL };
        // The line that rose above a window.
        let mut best = None;
        loop {
            let result = match self.search_root(window, root, line_index) {
                RootSearch::Complete(result) => result,
                RootSearch::Stopped(found) => return RootSearch::Stopped(found.or(best)),
            };
            if result.score <= window.alpha && window.alpha > Score::LOWEST {
                let moves = best.as_ref().or(root.best()).map_or_else(PvLine::new, |best| best.moves.clone());
                self.report_early(root, &ScoredLine { moves, ..result });
                delta *= params.aspiration_growth();
                window.alpha = aspiration_window(params, result.score, delta, 0).alpha;
            } else if result.score >= window.beta && window.beta < Score::HIGHEST {
                self.report_early(root, &result);
                delta *= params.aspiration_growth();
                window.beta = aspiration_window(params, result.score, 0, delta).beta;
                best = Some(result);
            } else {
                return RootSearch::Complete(result);
            }
        }
    }

    /// Searches the root moves from an index on once, as far as they compete, and moves the best one to the
    /// front.
    fn search_root(&mut self, mut window: Window, root: &mut RootState, line_index: usize) -> RootSearch {
        let position = self.task.game.position();
        let depth = self.iteration.depth;
        let depth_in_plies = i32::try_from(depth).unwrap_or(i32::MAX);
        let mut result = ScoredLine::nothing(depth);
        let mut line = PvLine::new();
        self.observer.enter(None, 0, depth, window);
        for number in 0..best_count(&root.moves[line_index..]) {
            let mv = root.moves[line_index + number].mv;
            if let Some(on_event) = &mut self.on_event
                && self.task.control.elapsed() >= CURRENT_MOVE_DELAY
            {
                on_event(SearchEvent::Trying { depth, mv, number: line_index + number + 1 });
            }
            let before = self.tracker.nodes();
            let child = ChildSearch { number, depth: depth_in_plies - 1, reduction: 0, ply: 0 };
            let Ok(score) = self.search_pv(position, mv, child, window, &mut line) else {
                return RootSearch::Stopped(Some(result).filter(|found| !found.moves.is_empty()));
            };
            root.moves[line_index + number].nodes += self.tracker.nodes() - before;
            result.score = result.score.max(score);
            if score > window.alpha {
                window.alpha = score;
                result.bound = if score < window.beta { Bound::Exact } else { Bound::Lower };
                set_line(&mut result.moves, mv, &line);
                self.observer.improve(0, mv);
                root.moves[line_index..=line_index + number].rotate_right(1);
                // The first iteration is too short for partial results to be useful.
                if number > 0 && result.bound == Bound::Exact && depth > 1 {
                    self.report_early(root, &result);
                }
            }
            if window.alpha >= window.beta {
                break;
            }
        }
        self.observer.end(if result.score >= window.beta { NodeEnd::Cut } else { NodeEnd::Searched });
        self.observer.leave(result.score);
        self.store_root(&result, depth_in_plies);
        RootSearch::Complete(result)
    }

    /// Stores the result in the table, unless the moves were restricted or several lines were searched.
    fn store_root(&self, result: &ScoredLine, depth: i32) {
        let is_unrestricted = self.task.limits.search_moves.is_empty() && self.task.options.multi_pv <= 1;
        if is_unrestricted && let Some(best_move) = result.moves.first() {
            let &ScoredLine { score, bound, .. } = result;
            let entry = TableEntry { score, bound, depth, best_move: Some(best_move.id()) };
            self.table.store(self.task.game.position().key(), 0, entry);
        }
    }
}

/// The result of a search of the root moves.
pub(super) enum RootSearch {
    Complete(ScoredLine),
    /// The best line found before the stop, if any.
    Stopped(Option<ScoredLine>),
}

/// The best moves of a search that ignores what the databases know of the root.
pub(super) struct IterationMoves {
    /// The best move of each complete iteration.
    pub(super) iterations: Vec<Option<Move>>,
    /// The best move when the search ended.
    pub(super) best: Option<Move>,
    pub(super) nodes: u64,
}

/// Searches a position on this thread, until a limit is reached, without reports.
pub(super) fn search_iterations(
    task: &Task<'_>,
    evaluation: Evaluation<'_>,
    table: &TranspositionTable,
) -> IterationMoves {
    let root = ExaminedRoot::unknown(task.game.position(), table);
    let shared = SharedSearch::new(task, evaluation, root, 1);
    let mut search = ThreadSearch::new(&shared, 0);
    let mut root = RootState::new(&shared);
    let mut iterations = Vec::new();
    for depth in 1..=task.limits.depth.map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH)) {
        if root.moves.is_empty() || !search.complete_iteration(depth, &mut root) {
            break;
        }
        iterations.push(root.best_move());
    }
    IterationMoves { iterations, best: root.best_move(), nodes: search.tracker.nodes() }
}

impl Stability {
    /// Compares the best line of an iteration with that of the iteration before.
    fn update(&mut self, before: Option<&ScoredLine>, now: Option<&ScoredLine>, moves: &[RootMove]) {
        let (Some(before), Some(now)) = (before, now) else { return };
        let is_same_move = before.moves.first() == now.moves.first();
        self.stable_iterations = if is_same_move { self.stable_iterations + 1 } else { 0 };
        self.score_drop = before.score.value().saturating_sub(now.score.value());
        let best = moves.iter().find(|choice| Some(&choice.mv) == now.moves.first());
        let total_nodes = moves.iter().map(|choice| choice.nodes).sum::<u64>().max(1);
        let percent = best.map_or(0, |choice| choice.nodes) * 100 / total_nodes;
        self.best_move_nodes = u32::try_from(percent).unwrap_or(100);
    }
}

/// Returns a window around a score. Beyond a maximum width it is unbounded.
fn aspiration_window(params: &SearchParams, score: Score, below: i32, above: i32) -> Window {
    if score.is_proved() {
        return Window::FULL;
    }
    let max_delta = params.aspiration_max_delta();
    Window {
        alpha: if below > max_delta { Score::LOWEST } else { score.moved(-below) },
        beta: if above > max_delta { Score::HIGHEST } else { score.moved(above) },
    }
}

/// The moves and the lines of the root, best first, kept from iteration to iteration.
pub(super) struct RootState {
    pub(super) moves: Vec<RootMove>,
    /// Empty if there is no legal move.
    pub(super) lines: Vec<ScoredLine>,
    pub(super) line_count: usize,
}

impl RootState {
    pub(super) fn new(shared: &SharedSearch<'_>) -> Self {
        let moves = shared.root.moves.clone();
        let line_count = shared.task.options.multi_pv.clamp(1, moves.len().max(1));
        Self { moves, lines: Vec::new(), line_count }
    }

    pub(super) fn best(&self) -> Option<&ScoredLine> {
        self.lines.first()
    }

    pub(super) fn best_move(&self) -> Option<Move> {
        self.best()?.moves.first().copied()
    }
}

/// Moves the first moves of these lines to the front, in the order of the lines.
pub(super) fn arrange(moves: &mut [RootMove], lines: &[ScoredLine]) {
    let first_moves = lines.iter().filter_map(|line| line.moves.first());
    for (index, first) in first_moves.enumerate() {
        let rest = &mut moves[index..];
        if let Some(index) = rest.iter().position(|choice| choice.mv == *first) {
            rest[..=index].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::testing::TestSearch;
    use kelso_draughts::board::{Game, Position};

    fn root_moves(count: usize) -> Vec<RootMove> {
        let moves = Position::start().moves();
        moves.iter().take(count).map(|&mv| RootMove { mv, rank: 0, nodes: 1 }).collect()
    }

    fn line(mv: Move, score: i32) -> ScoredLine {
        let score = Score::evaluation(score);
        ScoredLine { score, moves: [mv].into_iter().collect(), ..ScoredLine::nothing(1) }
    }

    #[test]
    fn a_line_of_one_move_is_pondered_by_the_last_line_with_that_move() {
        let test_search = TestSearch::new(Game::default(), Limits::default());
        let task = test_search.task();
        let shared = SharedSearch::of_task(&task, 1);
        let search = ThreadSearch::new(&shared, 0);
        let [first, other] = [0, 1].map(|place| Position::start().moves()[place]);
        let reply = Position::start().after(first).moves()[0];
        let stopped = ScoredLine { bound: Bound::Lower, ..line(first, 30) };
        let mut last = line(first, 10);
        last.moves.push(reply);
        assert_eq!(search.answer(slice::from_ref(&stopped), Some(&last)).ponder, Some(reply));
        assert_eq!(search.answer(&[line(other, 30)], Some(&last)).ponder, None);
        assert_eq!(search.answer(&[stopped], None).ponder, None);
    }

    #[test]
    fn the_last_report_of_a_stopped_search_has_its_nodes_and_its_move() {
        for nodes in [1000, 5000] {
            let (answer, reports) = TestSearch::new(Game::default(), Limits::nodes(nodes)).run();
            let last = reports.last().unwrap();
            assert_eq!((last.nodes, last.line.first()), (answer.nodes, answer.best.as_ref()));
        }
    }

    #[test]
    fn moves_are_arranged_in_the_order_of_the_lines() {
        let mut moves = root_moves(4);
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| moves[index].mv);
        arrange(&mut moves, &[line(d, 3), line(b, 2)]);
        assert_eq!(moves.iter().map(|choice| choice.mv).collect::<Vec<_>>(), [d, b, a, c]);
    }

    #[test]
    fn a_window_opens_beyond_the_maximum_width_and_around_proved_scores() {
        let (params, score) = (SearchParams::default(), Score::evaluation(30));
        let max = params.aspiration_max_delta();
        let window = aspiration_window(&params, score, 5, max);
        assert_eq!((window.alpha, window.beta), (score.moved(-5), score.moved(max)));
        let window = aspiration_window(&params, score, max + 1, 5);
        assert_eq!((window.alpha, window.beta), (Score::LOWEST, score.moved(5)));
        assert_eq!(aspiration_window(&params, Score::win_in(9), 5, 5), Window::FULL);
    }

    #[test]
    fn stability_counts_iterations_with_the_same_best_move() {
        let mut moves = root_moves(2);
        let [a, b] = [0, 1].map(|index| moves[index].mv);
        moves[0].nodes = 3;
        let mut stability = Stability::default();
        let mut update = |before: &ScoredLine, now: &ScoredLine| {
            stability.update(Some(before), Some(now), &moves);
            (stability.stable_iterations, stability.score_drop, stability.best_move_nodes)
        };
        assert_eq!(update(&line(a, 10), &line(a, 4)), (1, 6, 75));
        assert_eq!(update(&line(a, 4), &line(a, 5)), (2, -1, 75));
        assert_eq!(update(&line(a, 5), &line(b, 5)), (0, 0, 25));
    }
}
