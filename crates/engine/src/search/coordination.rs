//! The state that the threads of a search share, apart from the table: whether to stop, the nodes and
//! iterations of each thread, the moves being searched, and the lines of the first thread to finish each
//! iteration.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::line::ScoredLine;
use kelso_runtime::sync::lock;

/// The counts of one thread as of its last check of the limits. Each thread's counts have their own cache
/// lines, so that threads do not slow each other down.
#[derive(Debug, Default)]
#[repr(align(128))]
struct ThreadCounts {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct NodeCounts {
    pub(super) nodes: u64,
    pub(super) tb_hits: u64,
}

/// How the threads of one search work together. The first thread watches the clock and returns the result.
/// The others, its helpers, fill the table and sometimes finish an iteration first.
#[derive(Debug)]
pub(super) struct Coordination {
    stopped: AtomicBool,
    /// For each finished iteration, the lines of the first thread to finish it.
    iterations: Mutex<Vec<Vec<ScoredLine>>>,
    finished: AtomicUsize,
    pub(super) busy: BusyPositions,
    counts: Box<[ThreadCounts]>,
    /// Number of nodes searched before the threads started.
    pub(super) earlier_nodes: u64,
}

impl Coordination {
    pub(super) fn new(threads: usize, earlier_nodes: u64) -> Self {
        Self {
            earlier_nodes,
            stopped: AtomicBool::new(false),
            iterations: Mutex::default(),
            finished: AtomicUsize::new(0),
            busy: BusyPositions::new(threads),
            counts: (0..threads.max(1)).map(|_| ThreadCounts::default()).collect(),
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn has_helpers(&self) -> bool {
        self.counts.len() > 1
    }

    /// Records the lines of an iteration for the other threads. All earlier iterations must be finished.
    pub(super) fn finish_iteration(&self, depth: usize, lines: &[ScoredLine]) {
        let mut iterations = lock(&self.iterations);
        if iterations.len() < depth {
            iterations.push(lines.to_vec());
            self.finished.store(iterations.len(), Ordering::Release);
        }
    }

    /// Returns the deepest iteration that a thread has finished, or 0 before the first.
    pub(super) fn finished_depth(&self) -> usize {
        self.finished.load(Ordering::Acquire)
    }

    /// Returns the lines of an iteration, if a thread has finished it.
    pub(super) fn lines_of(&self, depth: usize) -> Option<Vec<ScoredLine>> {
        lock(&self.iterations).get(depth.checked_sub(1)?).cloned()
    }

    /// Stops every thread at its next check of the limits.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    pub(super) fn publish(&self, thread: usize, counts: NodeCounts) {
        if let Some(published) = self.counts.get(thread) {
            published.nodes.store(counts.nodes, Ordering::Relaxed);
            published.tb_hits.store(counts.tb_hits, Ordering::Relaxed);
        }
    }

    pub(super) fn counts(&self) -> NodeCounts {
        self.counts.iter().fold(NodeCounts::default(), |sum, thread| NodeCounts {
            nodes: sum.nodes + thread.nodes.load(Ordering::Relaxed),
            tb_hits: sum.tb_hits + thread.tb_hits.load(Ordering::Relaxed),
        })
    }
}

/// The positions that threads are searching, by their keys. Empty for a single thread.
///
/// A thread marks the position that it is about to search as busy, and other threads search a different one
/// first. When they return to the busy position, the table usually has its score. A mark is only a hint:
/// another mark may overwrite it, and if other threads notice it too late, the position is searched twice.
#[derive(Debug)]
pub(super) struct BusyPositions(Box<[AtomicU64]>);

/// Number of slots for marks per thread. A thread sets at most one mark per ply of its line.
const MARKS_PER_THREAD: usize = 1024;

impl BusyPositions {
    pub(super) fn new(threads: usize) -> Self {
        let slots = if threads > 1 { threads * MARKS_PER_THREAD } else { 0 };
        Self((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: u64) -> Option<&AtomicU64> {
        let index = (u128::from(key) * self.0.len() as u128) >> 64;
        self.0.get(usize::try_from(index).ok()?)
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Ordering::Relaxed) == key)
    }

    /// Marks a position as busy until the mark is dropped.
    pub(super) fn mark(&self, key: u64) -> BusyMark<'_> {
        let slot = self.slot(key);
        if let Some(slot) = slot {
            slot.store(key, Ordering::Relaxed);
        }
        BusyMark { slot, key }
    }
}

#[derive(Debug)]
#[must_use = "it ends when it is dropped"]
pub(super) struct BusyMark<'a> {
    slot: Option<&'a AtomicU64>,
    key: u64,
}

impl Drop for BusyMark<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            // Another mark may have overwritten this one.
            let _ = slot.compare_exchange(self.key, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_finish_an_iteration_finishes_it_for_all() {
        let coordination = Coordination::new(2, 0);
        assert!(coordination.lines_of(0).is_none() && coordination.lines_of(1).is_none());
        for depth in 1..=3 {
            coordination.finish_iteration(depth, &[ScoredLine::nothing(depth)]);
            coordination.finish_iteration(1, &[]);
            coordination.finish_iteration(depth, &[]);
            assert_eq!(coordination.finished_depth(), depth);
        }
        assert_eq!([1, 2, 3].map(|depth| coordination.lines_of(depth).unwrap()[0].depth), [1, 2, 3]);
        assert!(coordination.lines_of(4).is_none());
    }

    #[test]
    fn a_mark_ends_when_dropped_or_replaced() {
        let busy = BusyPositions::new(2);
        let mark = busy.mark(77 << 40);
        assert!(busy.contains(77 << 40) && !busy.contains(78 << 40));
        drop(mark);
        assert!(!busy.contains(77 << 40));
        let (first, second) = (busy.mark(1), busy.mark(2));
        assert!(!busy.contains(1) && busy.contains(2));
        drop(first);
        assert!(busy.contains(2));
        drop(second);
        assert!(!busy.contains(2));
        // A single thread marks nothing.
        let busy = BusyPositions::new(1);
        let _mark = busy.mark(5);
        assert!(!busy.contains(5));
    }
}
