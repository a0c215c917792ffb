//! Limits on the number of concurrent connections, sessions and readers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of permits.
#[derive(Clone, Debug)]
pub(super) struct Semaphore {
    taken: Arc<AtomicUsize>,
    limit: usize,
}

/// A permit, which is returned when it is dropped.
#[derive(Debug)]
pub(super) struct Permit(Arc<AtomicUsize>);

impl Semaphore {
    pub(super) fn new(limit: usize) -> Self {
        Self { taken: Arc::default(), limit }
    }

    /// Acquires a permit, if one is left.
    pub(super) fn try_acquire(&self) -> Option<Permit> {
        let more = |taken: usize| (taken < self.limit).then_some(taken + 1);
        self.taken.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok()?;
        Some(Permit(Arc::clone(&self.taken)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_permit_can_be_acquired_again() {
        let semaphore = Semaphore::new(2);
        let (first, second) = (semaphore.try_acquire(), semaphore.clone().try_acquire());
        assert!(first.is_some() && second.is_some() && semaphore.try_acquire().is_none());
        drop(first);
        assert!(semaphore.try_acquire().is_some());
    }
}
