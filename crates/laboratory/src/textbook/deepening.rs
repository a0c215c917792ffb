//! Iterative deepening: depth 1, then 2, and so on, until the depth or the time is reached. Each depth costs a few
//! times the one before it, so all the earlier ones together cost little, an answer is always at hand, and what they
//! leave in the table makes the next one cheaper if its moves are tried first.

use super::{Found, SearchCounts, Textbook, Value};
use draughts::board::Position;
use engine::search::ScoreKind;
use engine::search::Stopped;
use engine::search::Watch;

impl<W: Watch<Value>> Textbook<'_, W> {
    /// Searches one depth after the other, and tells what each came to.
    pub(super) fn deepen(
        &mut self,
        root: &Position,
        deepest: usize,
        mut tell: impl FnMut(&Found, &SearchCounts, &W),
    ) -> Found {
        let mut last: Option<Found> = None;
        for depth in 1..=deepest.max(1) {
            let guess: Option<Value> = last.map(|found| found.value);
            match self.one_depth(root, depth, guess) {
                Ok(found) => {
                    tell(&found, &self.counts, self.watch);
                    last = Some(found);
                    if is_proved(&found) || found.best.is_none() || !self.meter.has_time_for_more() {
                        break;
                    }
                }
                Err(Stopped) => break,
            }
        }
        last.unwrap_or_else(|| self.glance(root))
    }
}

/// Whether a result was found that is complete within the depth, so that no deeper search can change it.
fn is_proved(found: &Found) -> bool {
    match found.value.kind() {
        ScoreKind::Win(Some(plies)) | ScoreKind::Loss(Some(plies)) => plies as usize <= found.depth,
        _ => false,
    }
}
