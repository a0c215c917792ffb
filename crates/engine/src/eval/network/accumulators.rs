//! The cache of evaluated positions of a search.

use super::first::Near;

/// The cache of an evaluation during one search. It changes no value.
#[derive(Debug, Default)]
pub struct Accumulators {
    pub(super) near: Near,
    /// Values by the low bits of the positions' keys: the high 48 bits of the key, then the value.
    values: Vec<u64>,
}

/// The number of cached values. More are not faster, since useful values are those of nearby nodes.
const VALUES: usize = 1 << 12;
const VALUE: u64 = 0xffff;

impl Accumulators {
    /// Returns the cached value of the position with this key.
    #[inline]
    pub(super) fn value(&self, key: u64) -> Option<i32> {
        let kept = *self.values.get(place(key))?;
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are the value")]
        (kept & !VALUE == key & !VALUE).then(|| i32::from((kept as u16).cast_signed()))
    }

    /// Caches a value, if it fits in 16 bits.
    #[inline]
    pub(super) fn keep(&mut self, key: u64, value: i32) {
        if self.values.is_empty() {
            // A zero is only mistaken for a value if a key is zero, which is as unlikely as two positions with one key.
            self.values.resize(VALUES, 0);
        }
        if let (Some(kept), Ok(value)) = (self.values.get_mut(place(key)), i16::try_from(value)) {
            *kept = key & !VALUE | u64::from(value.cast_unsigned());
        }
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "less than the number of values")]
const fn place(key: u64) -> usize {
    (key % VALUES as u64) as usize
}
