//! Iterative deepening: depth 1, then 2, and so on, until the depth or the time is reached. Each depth costs a few
//! times the one before it, so all the earlier ones together cost little, an answer is always at hand, and what they
//! leave in the table makes the next one cheaper if its moves are tried first.

use super::{SearchCounts, Textbook, TextbookResult, Value};
use draughts::board::{Move, Position};
use engine::search::ScoreKind;
use engine::search::SearchObserver;
use engine::search::Stopped;

impl<O: SearchObserver<Value> + ?Sized> Textbook<'_, O> {
    /// Searches one depth after the other, and reports each result.
    pub(super) fn deepen(
        &mut self,
        root: &Position,
        deepest: usize,
        on_iteration: &mut dyn FnMut(&TextbookResult, &SearchCounts, Vec<Move>),
    ) -> TextbookResult {
        let mut last: Option<TextbookResult> = None;
        for depth in 1..=deepest.max(1) {
            let guess: Option<Value> = last.map(|found| found.value);
            match self.one_depth(root, depth, guess) {
                Ok(found) => {
                    on_iteration(&found, &self.counts, self.observer.principal_variation(found.best));
                    last = Some(found);
                    if is_proved(&found) || found.best.is_none() || !self.tracker.has_time_for_more() {
                        break;
                    }
                }
                Err(Stopped) => break,
            }
        }
        last.unwrap_or_else(|| self.one_ply_search(root))
    }
}

/// Returns whether a result was found that is complete within the depth, so that no deeper search can change it.
fn is_proved(found: &TextbookResult) -> bool {
    match found.value.kind() {
        ScoreKind::Win(Some(plies)) | ScoreKind::Loss(Some(plies)) => plies as usize <= found.depth,
        _ => false,
    }
}
