//! The part of a search that a thread is in, for profiles: another thread looks at it now and then and counts what it sees.

use std::sync::atomic::{AtomicU8, Ordering};

/// A part of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchPart {
    /// No search is running.
    Idle,
    /// All that is not one of the others: making moves, pruning, databases, bookkeeping.
    Rest,
    /// Listing legal moves.
    Moves,
    /// Evaluating positions.
    Evaluation,
    /// Looking positions up in the transposition table, and storing them.
    Table,
    /// Sorting moves.
    Ordering,
}

impl SearchPart {
    /// All parts.
    pub const ALL: [Self; 6] =
        [Self::Idle, Self::Rest, Self::Moves, Self::Evaluation, Self::Table, Self::Ordering];
}

/// The part that a search is in, which another thread may read at any time.
#[derive(Debug, Default)]
pub struct PartMarker(AtomicU8);

impl PartMarker {
    /// Notes that a part begins.
    #[inline]
    pub fn set(&self, part: SearchPart) {
        self.0.store(part as u8, Ordering::Relaxed);
    }

    /// Returns the part that began last.
    #[must_use]
    pub fn get(&self) -> SearchPart {
        SearchPart::ALL.get(usize::from(self.0.load(Ordering::Relaxed))).copied().unwrap_or(SearchPart::Idle)
    }
}
