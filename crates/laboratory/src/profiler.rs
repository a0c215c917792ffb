//! The current part of a search, for a thread that samples it.

use std::sync::atomic::{AtomicU8, Ordering};

/// A part of the work of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Everything else: making moves and bookkeeping.
    Rest,
    Moves,
    Evaluation,
    /// Looking up and storing positions in the transposition table.
    Table,
    Ordering,
}

/// The current phase of a search, which another thread may read at any time: its number plus 1, or 0 between
/// searches.
#[derive(Debug, Default)]
pub(crate) struct Profiler(AtomicU8);

impl Profiler {
    /// Records that a phase begins.
    #[inline]
    pub(crate) fn begin(&self, phase: Phase) {
        self.0.store(phase as u8 + 1, Ordering::Relaxed);
    }

    /// Records that the search ends.
    pub(crate) fn end(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Returns the number of the current phase, if a search is running.
    pub(crate) fn phase(&self) -> Option<usize> {
        usize::from(self.0.load(Ordering::Relaxed)).checked_sub(1)
    }
}
