//! Iterative deepening: depth 1, then 2, and so on, until the depth or the time is reached. Each depth costs several times
//! the previous one, so that the earlier ones cost little. An answer is always available, and table moves of earlier depths
//! make the next depth cheaper.

use super::{SearchCounts, Textbook, TextbookResult};
use draughts::board::{Move, Position};
use engine::search::{Score, SearchObserver, Stopped};

impl Textbook<'_> {
    /// Searches one depth after the other, and reports each result.
    pub(super) fn deepen(
        &mut self,
        root: &Position,
        deepest: usize,
        on_iteration: &mut dyn FnMut(&TextbookResult, &SearchCounts, Vec<Move>),
    ) -> TextbookResult {
        let mut last: Option<TextbookResult> = None;
        for depth in 1..=deepest.max(1) {
            let guess: Option<Score> = last.map(|found| found.value);
            match self.one_depth(root, depth, guess) {
                Ok(found) => {
                    on_iteration(&found, &self.counts, self.observer.principal_variation(found.best));
                    last = Some(found);
                    if found.value.is_proved_within(depth)
                        || found.best.is_none()
                        || !self.tracker.has_time_for_more(None)
                    {
                        break;
                    }
                }
                Err(Stopped) => break,
            }
        }
        last.unwrap_or_else(|| self.one_ply_search(root))
    }
}
