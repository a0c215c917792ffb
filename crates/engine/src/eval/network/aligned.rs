//! Where rows of numbers lie in memory.

use std::ops::{Deref, DerefMut};

/// Begins where a line of the processor's cache does, so that no vector that is loaded lies across two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Aligned<T>(pub(super) T);

impl<T> Deref for Aligned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Clone, const N: usize> Aligned<[T; N]> {
    /// Equal items.
    pub(super) fn all(item: &T) -> Self {
        Self(std::array::from_fn(|_| item.clone()))
    }
}
