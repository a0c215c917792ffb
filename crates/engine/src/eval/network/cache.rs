//! The cache of sums and values.

use super::first::Accumulator;

/// The cache of an evaluation during one search: the sums and the values of recent positions. It does not
/// change values.
#[derive(Debug, Default)]
pub struct EvalCache {
    /// The sums of recent positions: two for each ply, beginning three plies before the first.
    sums: Vec<Accumulator>,
    /// Cached values, indexed by the low bits of the key: the high 48 bits of the key, then the value.
    values: Vec<u64>,
}

/// The number of plies that have separate sums.
const CACHED_PLIES: usize = 128;
/// Number of cached values. A larger cache would not help, since only values of nearby nodes are reused.
const CACHED_VALUES: usize = 1 << 12;
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
        let kept = *self.values.get(place(key))?;
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are the value")]
        (kept & !VALUE_MASK == key & !VALUE_MASK).then(|| i32::from((kept as u16).cast_signed()))
    }

    /// Caches a value, if it fits in 16 bits.
    #[inline]
    pub(super) fn keep_value(&mut self, key: u64, value: i32) {
        if self.values.is_empty() {
            // An empty slot is mistaken for a value only if the key is zero, which is as unlikely as a
            // collision.
            self.values.resize(CACHED_VALUES, 0);
        }
        if let (Some(kept), Ok(value)) = (self.values.get_mut(place(key)), i16::try_from(value)) {
            *kept = key & !VALUE_MASK | u64::from(value.cast_unsigned());
        }
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "less than the number of values")]
const fn place(key: u64) -> usize {
    (key % CACHED_VALUES as u64) as usize
}
