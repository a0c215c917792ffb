//! Profiling of a search: its first thread records the current phase, and another thread samples it.

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

/// Runs the phases of a search, and records them for a profile, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct PhaseTimer<'a>(pub(super) Option<&'a Profiler>);

impl PhaseTimer<'_> {
    /// Runs a phase of the search.
    #[inline]
    pub fn run<T>(self, phase: SearchPhase, run: impl FnOnce() -> T) -> T {
        self.mark(phase);
        let result = run();
        self.mark(SearchPhase::Rest);
        result
    }

    #[inline]
    fn mark(self, phase: SearchPhase) {
        if let Some(profiler) = self.0 {
            profiler.set(phase);
        }
    }
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
