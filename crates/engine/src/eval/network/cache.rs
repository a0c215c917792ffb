//! The cache of sums and values.

use std::ops::RangeInclusive;

use super::accumulator::Accumulator;
use crate::prefetch::prefetch;

/// The cache of an evaluation during one search: the sums and the values of recent positions. It does not
/// change values.
#[derive(Debug, Default)]
pub struct EvalCache {
    /// The sums of recent positions: two for each ply, beginning three plies before the first.
    sums: Vec<Accumulator>,
    /// Cached values, indexed by the low bits of the key: the high 48 bits of the key, then the value.
    values: Vec<u64>,
    /// The number of values that have been stored.
    stored: usize,
}

/// The number of plies that have separate sums.
const CACHED_PLIES: usize = 128;
/// The number of slots for values, which grows with the search, since allocating all of them would dominate a
/// short one. More slots would not fit in the caches that belong to one core.
const VALUES: RangeInclusive<usize> = 1 << 12..=1 << 16;
const VALUE_MASK: u64 = 0xffff;

/// The number of sums near a ply: two each for the three plies before it, the ply itself, and the next one.
pub(super) const NEARBY: usize = 10;
/// The first of the two sums of the ply itself among those.
pub(super) const OWN: usize = 6;

impl EvalCache {
    /// Returns the cached sums near a ply.
    #[inline]
    #[expect(clippy::expect_used, reason = "the cache has just grown to that size")]
    pub(super) fn nearby(
        &mut self,
        ply: usize,
        empty: impl FnOnce() -> Accumulator,
    ) -> &mut [Accumulator; NEARBY] {
        let start = 2 * ply.min(CACHED_PLIES - 1);
        if self.sums.len() < start + NEARBY {
            // The cache grows with the depth, since allocating all of it would dominate a short search.
            self.sums.resize(start + NEARBY, empty());
        }
        self.sums[start..].first_chunk_mut().expect("there are sums near the ply")
    }

    /// Returns the cached value of the position with this key.
    #[inline]
    pub(super) fn value(&self, key: u64) -> Option<i32> {
        let kept = *self.values.get(self.slot(key))?;
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are the value")]
        (kept & !VALUE_MASK == key & !VALUE_MASK).then(|| i32::from((kept as u16).cast_signed()))
    }

    /// Prefetches the slot of the position with this key.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        if let Some(value) = self.values.get(self.slot(key)) {
            prefetch(value);
        }
    }

    /// Caches a value, if it fits in 16 bits.
    #[inline]
    pub(super) fn keep_value(&mut self, key: u64, value: i32) {
        if self.stored >= self.values.len() && self.values.len() < *VALUES.end() {
            // An empty slot is mistaken for a value only if the key is zero, which is as unlikely as a
            // collision.
            self.values = vec![0; (4 * self.values.len()).max(*VALUES.start())];
        }
        self.stored += 1;
        let slot = self.slot(key);
        if let (Some(kept), Ok(value)) = (self.values.get_mut(slot), i16::try_from(value)) {
            *kept = key & !VALUE_MASK | u64::from(value.cast_unsigned());
        }
    }

    /// Returns the slot of a key. The number of slots is zero or a power of two.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the low bits are kept")]
    const fn slot(&self, key: u64) -> usize {
        key as usize & self.values.len().wrapping_sub(1)
    }
}
