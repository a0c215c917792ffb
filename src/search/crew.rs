//! What the threads of one search share besides the table: the word that it is over, and how far each has come.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One thread's counts, as of its last look at the clock. On cache lines of its own, so that counting here doesn't
/// slow down the others.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Seat {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

/// Nodes and database hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
}

/// The threads of one search. The first has the clock and the answer; the others help by filling the table.
#[derive(Debug)]
pub(super) struct Crew {
    dismissed: AtomicBool,
    seats: Box<[Seat]>,
}

impl Crew {
    /// A crew of so many threads, at least one.
    pub(super) fn new(threads: usize) -> Self {
        let seats = (0..threads.max(1)).map(|_| Seat::default()).collect();
        Self { dismissed: AtomicBool::new(false), seats }
    }

    pub(super) fn len(&self) -> usize {
        self.seats.len()
    }

    /// Ends the search of every thread at its next look.
    pub(super) fn dismiss(&self) {
        self.dismissed.store(true, Ordering::Release);
    }

    pub(super) fn is_dismissed(&self) -> bool {
        self.dismissed.load(Ordering::Acquire)
    }

    /// Notes what the thread in a seat has counted.
    pub(super) fn note(&self, seat: usize, counts: Counts) {
        if let Some(seat) = self.seats.get(seat) {
            seat.nodes.store(counts.nodes, Ordering::Relaxed);
            seat.table_hits.store(counts.table_hits, Ordering::Relaxed);
        }
    }

    /// What all have counted.
    pub(super) fn counts(&self) -> Counts {
        self.seats.iter().fold(Counts::default(), |sum, seat| Counts {
            nodes: sum.nodes + seat.nodes.load(Ordering::Relaxed),
            table_hits: sum.table_hits + seat.table_hits.load(Ordering::Relaxed),
        })
    }
}
