//! The transposition table, shared by all threads without locks.
//!
//! An entry consists of two words: the data, and the key xored with the data. If two threads write an entry
//! at the same time, the words do not match and the entry is ignored.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::buckets::{Bucket, Buckets, OutOfMemory};
use super::score::{Bound, Score};
use super::window::Window;
use crate::prefetch::prefetch;
use kelso_draughts::board::MoveId;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) depth: i32,
    pub(super) best_move: Option<MoveId>,
}

impl TableEntry {
    /// Returns whether the entry is as deep as a search, and makes it unnecessary.
    #[inline]
    pub(super) fn decides(&self, depth: i32, window: Window) -> bool {
        self.depth >= depth && self.bound.decides(self.score, window)
    }
}

/// The transposition table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Buckets,
    /// Number of parts that have been pre-faulted.
    prefaulted_parts: usize,
    generation: AtomicU8,
    /// Whether no search has begun since the table was cleared.
    is_clear: AtomicBool,
}

// Data, from the low bits: move 16, score 16, depth 8, bound 2, generation 6.
const GENERATIONS: u8 = 64;
/// The plies of depth that an entry loses in value with every later search, when a place is needed.
const AGE_PLIES: i32 = 4;
/// The number of buckets from which the fill is estimated: a thousand entries.
const SAMPLED_BUCKETS: usize = 250;

impl TranspositionTable {
    /// Creates a table of the given size in MiB, at least 1.
    pub(super) fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        let mebibytes = mebibytes.max(1);
        let count = mebibytes.checked_mul(1 << 20).ok_or(OutOfMemory { mebibytes })? / size_of::<Bucket>();
        let buckets = Buckets::new(count).map_err(|_| OutOfMemory { mebibytes })?;
        Ok(Self {
            buckets,
            prefaulted_parts: 0,
            generation: AtomicU8::new(0),
            is_clear: AtomicBool::new(true),
        })
    }

    /// Pre-faults the next part of the table, so that a search need not wait for its memory. Returns whether
    /// there was one.
    pub(crate) fn prefault(&mut self) -> bool {
        const PART: usize = (2 << 20) / size_of::<Bucket>();
        const PAGE: usize = 4096 / size_of::<Bucket>();
        let from = self.prefaulted_parts.saturating_mul(PART).min(self.buckets.len());
        self.prefaulted_parts += 1;
        let part = self.buckets.iter().skip(from).take(PART);
        for bucket in part.step_by(PAGE) {
            // Touch the page without changing anything.
            let _ = bucket.0[0].data.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
        from < self.buckets.len()
    }

    /// Clears all entries, unless no search has begun since the table was last cleared.
    pub(super) fn clear(&self) {
        if self.is_clear.swap(true, Ordering::Relaxed) {
            return;
        }
        for bucket in self.buckets.iter() {
            for entry in &bucket.0 {
                entry.check.store(0, Ordering::Relaxed);
                entry.data.store(0, Ordering::Relaxed);
            }
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Marks all entries as belonging to an earlier search. Such entries are replaced first.
    pub(super) fn new_search(&self) {
        self.is_clear.store(false, Ordering::Relaxed);
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Estimates, from a sample, the share of entries written by this search, in thousandths.
    #[expect(clippy::expect_used, reason = "a share is at most 1000")]
    pub(super) fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut used = 0;
        let mut total = 0;
        for bucket in self.buckets.iter().take(SAMPLED_BUCKETS) {
            for entry in &bucket.0 {
                let data = entry.data.load(Ordering::Relaxed);
                used += usize::from(data != 0 && generation_of(data) == generation);
            }
            total += bucket.0.len();
        }
        u32::try_from(used * 1000 / total.max(1)).expect("a share is at most 1000")
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The high bits select the bucket, for any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        #[expect(clippy::cast_possible_truncation, reason = "less than the number of buckets")]
        &self.buckets[index as usize]
    }

    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Ordering::Relaxed);
            if entry.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                return unpack(data, ply);
            }
        }
        None
    }

    /// Stores the entry of a position, replacing the least valuable entry in its bucket.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, stored: TableEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut cheapest = (i32::MAX, &self.bucket(key).0[0]);
        let mut best_move = stored.best_move;
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Ordering::Relaxed);
            if data == 0 {
                cheapest = (i32::MIN, entry);
                break;
            }
            if entry.check.load(Ordering::Relaxed) ^ data == key {
                best_move = best_move.or(move_of(data));
                cheapest = (i32::MIN, entry);
                break;
            }
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let value = depth_of(data) - AGE_PLIES * i32::from(age);
            if value < cheapest.0 {
                cheapest = (value, entry);
            }
        }
        let depth = u64::from(stored.depth.clamp(0, 255).unsigned_abs());
        let data = u64::from(best_move.map_or(0, MoveId::get))
            | u64::from(stored.score.at_node(ply).packed()) << 16
            | depth << 32
            | (stored.bound as u64) << 40
            | u64::from(generation) << 42;
        cheapest.1.data.store(data, Ordering::Relaxed);
        cheapest.1.check.store(key ^ data, Ordering::Relaxed);
    }
}

const fn move_of(data: u64) -> Option<MoveId> {
    MoveId::new((data & 0xffff) as u16)
}

const fn generation_of(data: u64) -> u8 {
    (data >> 42 & 63) as u8
}

const fn depth_of(data: u64) -> i32 {
    (data >> 32 & 255) as i32
}

fn unpack(data: u64, ply: usize) -> Option<TableEntry> {
    let bound = match data >> 40 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    let score = Score::unpacked((data >> 16 & 0xffff) as u16).from_node(ply);
    Some(TableEntry { score, bound, depth: depth_of(data), best_move: move_of(data) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1).unwrap();
        let known = TableEntry {
            score: Score::win_in(12),
            bound: Bound::Lower,
            depth: 9,
            best_move: MoveId::new(77),
        };
        for key in (1..2000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            table.store(key, 3, known);
            assert_eq!(table.probe(key, 3), Some(known));
            assert_eq!(table.probe(key, 0).map(|k| k.score), Some(Score::win_in(9)));
            assert_eq!(table.probe(!key, 0), None);
        }
        for _ in 0..2 {
            table.new_search();
            table.store(0x9e37_79b9_7f4a_7c15, 3, known);
            assert!(table.probe(0x9e37_79b9_7f4a_7c15, 3).is_some());
            table.clear();
            assert_eq!(table.probe(0x9e37_79b9_7f4a_7c15, 3), None);
            assert_eq!(table.hashfull(), 0);
        }
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_and_age() {
        let table = TranspositionTable::new(1).unwrap();
        let at = |depth| TableEntry { score: Score::DRAW, bound: Bound::Exact, depth, best_move: None };
        // Keys that differ only in their low bits share a bucket.
        table.store(1, 0, at(20));
        for key in 2..50 {
            table.store(key, 0, at(2));
        }
        assert!(table.probe(1, 0).is_some());
        for _ in 0..6 {
            table.new_search();
        }
        for key in 50..60 {
            table.store(key, 0, at(2));
        }
        assert!(table.probe(1, 0).is_none());
    }

    #[test]
    fn a_size_beyond_all_memory_is_refused() {
        assert!(TranspositionTable::new(usize::MAX).is_err());
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
