//! Profiling of a search: its thread records the current phase, and another thread samples it.

use std::sync::atomic::{AtomicU8, Ordering};

/// A phase of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchPhase {
    /// No search is running.
    Idle,
    /// Everything else: making moves, pruning, databases, bookkeeping.
    Rest,
    Moves,
    Evaluation,
    /// Looking up and storing positions in the transposition table.
    Table,
    Ordering,
}

impl SearchPhase {
    /// All phases.
    pub const ALL: [Self; 6] =
        [Self::Idle, Self::Rest, Self::Moves, Self::Evaluation, Self::Table, Self::Ordering];
}

/// The current phase of a search, which another thread may read at any time.
#[derive(Debug, Default)]
pub struct Profiler(AtomicU8);

impl Profiler {
    /// Begins a phase.
    #[inline]
    pub fn set(&self, phase: SearchPhase) {
        self.0.store(phase as u8, Ordering::Relaxed);
    }

    /// Returns the current phase.
    #[must_use]
    pub fn get(&self) -> SearchPhase {
        SearchPhase::ALL
            .get(usize::from(self.0.load(Ordering::Relaxed)))
            .copied()
            .unwrap_or(SearchPhase::Idle)
    }
}
