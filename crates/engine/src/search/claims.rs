//! Claims of subtrees: a thread claims the subtree that it is about to search, and the others search another one first.
//! When they return to it, the table mostly has its score.
//!
//! A claim is only a hint. It may be lost when another one takes its place, and one that is seen too late only costs a
//! second search of the same subtree.

use std::sync::atomic::{AtomicU64, Ordering};

/// The claims of the threads of one search, by the keys of positions; empty for a single thread.
#[derive(Debug)]
pub(super) struct Claims(Box<[AtomicU64]>);

/// Places for each thread, which holds at most one for each ply of its line.
const PLACES: usize = 1024;

impl Claims {
    /// Makes the claims of a number of threads.
    pub(super) fn new(threads: usize) -> Self {
        let places = if threads > 1 { threads * PLACES } else { 0 };
        Self((0..places).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, key: u64) -> Option<&AtomicU64> {
        let index = (u128::from(key) * self.0.len() as u128) >> 64;
        self.0.get(usize::try_from(index).ok()?)
    }

    /// Returns true if a thread has claimed a position.
    pub(super) fn is_taken(&self, key: u64) -> bool {
        self.place(key).is_some_and(|place| place.load(Ordering::Relaxed) == key)
    }

    /// Claims a subtree until the claim is dropped.
    pub(super) fn take(&self, key: u64) -> Claim<'_> {
        let place = self.place(key);
        if let Some(place) = place {
            place.store(key, Ordering::Relaxed);
        }
        Claim { place, key }
    }
}

/// The claim of a subtree.
#[derive(Debug)]
#[must_use = "it ends when it is dropped"]
pub(super) struct Claim<'a> {
    place: Option<&'a AtomicU64>,
    key: u64,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            // Another claim may have taken its place.
            let _ = place.compare_exchange(self.key, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_lasts_until_it_is_dropped() {
        let claims = Claims::new(2);
        let claim = claims.take(77 << 40);
        assert!(claims.is_taken(77 << 40) && !claims.is_taken(78 << 40));
        drop(claim);
        assert!(!claims.is_taken(77 << 40));
    }

    #[test]
    fn a_claim_on_the_same_place_is_left_alone() {
        let claims = Claims::new(2);
        let (first, second) = (claims.take(1), claims.take(2));
        assert!(!claims.is_taken(1) && claims.is_taken(2));
        drop(first);
        assert!(claims.is_taken(2));
        drop(second);
        assert!(!claims.is_taken(2));
    }

    #[test]
    fn one_that_is_alone_claims_nothing() {
        let claims = Claims::new(1);
        let _claim = claims.take(5);
        assert!(!claims.is_taken(5));
    }
}
