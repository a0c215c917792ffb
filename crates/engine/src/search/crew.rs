//! What the threads of one search share besides the table: the word that it is over, how far each has come, what it is
//! in, and what the first of them to finish an iteration has found.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::claims::Claims;
use super::line::Variations;

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
pub(super) struct NodeCounts {
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
}

/// The threads of one search. The first has the clock and the answer; the others help by filling the table, and with the
/// iterations that they finish before it does.
#[derive(Debug)]
pub(super) struct Crew {
    dismissed: AtomicBool,
    /// What the first thread to finish an iteration has found, from the first iteration on, and how many there are.
    iterations: Mutex<Vec<Variations>>,
    finished: AtomicUsize,
    /// What its threads are searching.
    pub(super) claims: Claims,
    seats: Box<[Seat]>,
}

impl Crew {
    /// A crew of so many threads, at least one.
    pub(super) fn new(threads: usize) -> Self {
        let seats = (0..threads.max(1)).map(|_| Seat::default()).collect();
        Self {
            dismissed: AtomicBool::new(false),
            iterations: Mutex::default(),
            finished: AtomicUsize::new(0),
            claims: Claims::new(threads),
            seats,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether more than one thread searches.
    pub(super) fn is_several(&self) -> bool {
        self.seats.len() > 1
    }

    /// A thread has finished an iteration: what it has found stands for what the others are still looking for. The ones
    /// before have been finished, by this thread or another.
    pub(super) fn finish(&self, depth: usize, lines: &Variations) {
        let mut iterations = self.iterations();
        if iterations.len() < depth {
            iterations.push(lines.clone());
            self.finished.store(iterations.len(), Ordering::Release);
        }
    }

    /// The deepest iteration that a thread has finished, 0 before the first.
    pub(super) fn finished(&self) -> usize {
        self.finished.load(Ordering::Acquire)
    }

    /// What a thread has found in an iteration, if one has finished it.
    pub(super) fn found(&self, depth: usize) -> Option<Variations> {
        self.iterations().get(depth.checked_sub(1)?).cloned()
    }

    fn iterations(&self) -> MutexGuard<'_, Vec<Variations>> {
        self.iterations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search of every thread at its next look.
    pub(super) fn dismiss(&self) {
        self.dismissed.store(true, Ordering::Release);
    }

    pub(super) fn is_dismissed(&self) -> bool {
        self.dismissed.load(Ordering::Acquire)
    }

    /// Notes what the thread in a seat has counted.
    pub(super) fn note(&self, seat: usize, counts: NodeCounts) {
        if let Some(seat) = self.seats.get(seat) {
            seat.nodes.store(counts.nodes, Ordering::Relaxed);
            seat.table_hits.store(counts.table_hits, Ordering::Relaxed);
        }
    }

    /// What all have counted.
    pub(super) fn counts(&self) -> NodeCounts {
        self.seats.iter().fold(NodeCounts::default(), |sum, seat| NodeCounts {
            nodes: sum.nodes + seat.nodes.load(Ordering::Relaxed),
            table_hits: sum.table_hits + seat.table_hits.load(Ordering::Relaxed),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::line::Variation;

    #[test]
    fn the_first_to_finish_an_iteration_finishes_it_for_all() {
        let crew = Crew::new(2);
        assert!(crew.found(0).is_none() && crew.found(1).is_none());
        for depth in 1..=3 {
            crew.finish(depth, &vec![Variation::nothing(depth)]);
            crew.finish(1, &Variations::new());
            crew.finish(depth, &Variations::new());
            assert_eq!(crew.finished(), depth);
        }
        assert_eq!([1, 2, 3].map(|depth| crew.found(depth).unwrap()[0].depth), [1, 2, 3]);
        assert!(crew.found(4).is_none());
    }
}
