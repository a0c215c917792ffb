//! Decoded blocks, shared by all threads without locks.
//!
//! A block of results or distances has 64 words. Blocks are kept in sets of four. Each slot has a tag: the
//! key of its block and a count of the blocks it has held. A reader reads the tag, the word it needs, and the
//! tag again. If two threads write to the same slot, one of them gives up, which costs nothing but time.
#![expect(clippy::cast_possible_truncation, reason = "an index below the number of sets")]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use kelso_draughts::board::GOLDEN;

pub(super) const BLOCK_WORDS: usize = 64;
const WAYS: usize = 4;
/// The low bits of a tag are the key.
const KEY: u64 = (1 << 48) - 1;
/// The key of a slot that is being written.
const BUSY: u64 = KEY;

pub(super) type CachedBlock = [u64; BLOCK_WORDS];

type Blocks = [[AtomicU64; BLOCK_WORDS]; WAYS];

/// A cache of decoded blocks. The tags are kept together, so that they stay in the processor's cache. Memory
/// for blocks is allocated on demand.
pub(super) struct Cache {
    tags: Vec<[AtomicU64; WAYS]>,
    blocks: Vec<OnceLock<Box<Blocks>>>,
}

impl Cache {
    /// Creates a cache of about this many bytes, with at least one set.
    pub(super) fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Blocks>()).max(1);
        let mut cache = Self { tags: Vec::new(), blocks: Vec::new() };
        cache.tags.resize_with(count, || std::array::from_fn(|_| AtomicU64::new(0)));
        cache.blocks.resize_with(count, OnceLock::new);
        cache
    }

    #[inline]
    fn set_of(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(GOLDEN);
        // Always less than the number of sets.
        ((u128::from(hash) * self.tags.len() as u128) >> 64) as usize
    }

    /// Returns a word of the block with the given key. The key must be neither 0 nor all ones in 48 bits.
    #[inline]
    pub(super) fn get(&self, key: u64, word: usize) -> Option<u64> {
        let set = self.set_of(key);
        let tags = &self.tags[set];
        let way = tags.iter().position(|tag| tag.load(Ordering::Relaxed) & KEY == key)?;
        let tag = tags[way].load(Ordering::Acquire);
        let word = self.blocks[set].get()?[way][word % BLOCK_WORDS].load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let same = tag & KEY == key && tags[way].load(Ordering::Relaxed) == tag;
        same.then_some(word)
    }

    /// Stores a block in place of the oldest block in its set.
    pub(super) fn insert(&self, key: u64, block: &CachedBlock) {
        let set = self.set_of(key);
        let blocks = self.blocks[set]
            .get_or_init(|| Box::new(std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0)))));
        let tags = self.tags[set].each_ref().map(|tag| tag.load(Ordering::Relaxed));
        if tags.iter().any(|tag| tag & KEY == key) {
            return;
        }
        // Every insertion adds one to the sum, so the slots are used in turn.
        let way = tags.iter().map(|tag| tag >> 48).sum::<u64>() as usize % WAYS;
        let tag = tags[way];
        let count = ((tag >> 48) + 1) & 0xffff;
        let busy = count << 48 | BUSY;
        if tag & KEY == BUSY
            || self.tags[set][way].compare_exchange(tag, busy, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        for (own, &word) in blocks[way].iter().zip(block) {
            own.store(word, Ordering::Relaxed);
        }
        self.tags[set][way].store(count << 48 | key, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_returns_stored_blocks_and_evicts_old_ones() {
        let cache = Cache::new(0);
        for key in 1..=5u64 {
            assert_eq!(cache.get(key, 0), None);
            cache.insert(key, &[key; BLOCK_WORDS]);
            assert_eq!(cache.get(key, 63), Some(key));
        }
        assert_eq!(cache.get(1, 0), None);
        assert_eq!(cache.get(2, 0), Some(2));
        // Insert often enough for the count of a slot to wrap around.
        for key in 1..300_000 {
            cache.insert(key, &[key; BLOCK_WORDS]);
            assert_eq!(cache.get(key, 7), Some(key));
        }
    }

    #[test]
    fn the_cache_never_returns_another_block() {
        let cache = Cache::new(20_000);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let cache = &cache;
                scope.spawn(move || {
                    for step in 0..200_000u64 {
                        let key = (step * 7 + thread * 13) % 97 + 1;
                        match cache.get(key, step as usize % BLOCK_WORDS) {
                            Some(word) => assert_eq!(word, key * 1000 + step % BLOCK_WORDS as u64),
                            None => {
                                cache.insert(key, &std::array::from_fn(|i| key * 1000 + i as u64));
                            }
                        }
                    }
                });
            }
        });
    }
}
