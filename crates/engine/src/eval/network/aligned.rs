//! Alignment of rows of numbers.

use std::ops::{Deref, DerefMut};

/// A value aligned to a cache line, so that no vector crosses two lines.
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
    /// Returns an array of equal items.
    pub(super) fn all(item: &T) -> Self {
        Self(std::array::from_fn(|_| item.clone()))
    }
}
