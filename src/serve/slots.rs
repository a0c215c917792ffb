//! How many of a thing there may be at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of places.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    taken: Arc<AtomicUsize>,
    most: usize,
}

/// A place, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Slot(Arc<AtomicUsize>);

impl Slots {
    pub(super) fn new(most: usize) -> Self {
        Self { taken: Arc::default(), most }
    }

    /// A place, if one is free.
    pub(super) fn take(&self) -> Option<Slot> {
        let more = |taken: usize| (taken < self.most).then_some(taken + 1);
        self.taken.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok()?;
        Some(Slot(Arc::clone(&self.taken)))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_it_is_left() {
        let slots = Slots::new(2);
        let (first, second) = (slots.take(), slots.clone().take());
        assert!(first.is_some() && second.is_some() && slots.take().is_none());
        drop(first);
        assert!(slots.take().is_some());
    }
}
