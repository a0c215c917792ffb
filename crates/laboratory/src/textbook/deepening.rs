//! Iterative deepening: depth 1, then 2, and so on, until the depth or the time is reached. Each depth costs
//! several times as much as the previous one, so the extra searches cost little. In return, a move is always
//! available, and table moves from earlier depths make the next depth cheaper.

use super::{SearchCounts, Textbook, TextbookResult};
use crate::value::is_proved_within;
use kelso_draughts::board::{Move, Position};
use kelso_engine::search::Stopped;

impl Textbook<'_> {
    /// Searches each depth in turn (without iterative deepening, only the greatest) and reports each result
    /// with the counts so far and the principal variation. If stopped before it has a result, returns the
    /// result of a one-ply search.
    pub(super) fn deepen(
        &mut self,
        root: &Position,
        deepest: usize,
        on_iteration: &mut dyn FnMut(&TextbookResult, &SearchCounts, Vec<Move>),
    ) -> TextbookResult {
        let deepest = deepest.max(1);
        let first = if self.config.deepening { 1 } else { deepest };
        let mut result = self.one_ply_search(root);
        let mut guess = None;
        for depth in first..=deepest {
            match self.one_depth(root, depth, guess) {
                Ok(deeper) => result = deeper,
                Err(Stopped) if guess.is_some() => break,
                Err(Stopped) => {}
            }
            let best_line = self.best_line.as_ref().map_or_else(Vec::new, |line| line.moves(result.best));
            on_iteration(&result, &self.counts, best_line);
            guess = Some(result.value);
            let is_final = is_proved_within(result.value, depth) || result.best.is_none();
            if is_final || !self.tracker.has_time_for_more(None) {
                break;
            }
        }
        result
    }
}
