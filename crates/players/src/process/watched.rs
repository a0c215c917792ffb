//! A value that one thread changes and another waits for.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::lock;

/// A value and the number of threads that wait for it to change; without any, none is notified.
#[derive(Debug, Default)]
pub(super) struct Watched<T> {
    state: Mutex<(T, usize)>,
    changed: Condvar,
}

impl<T> Watched<T> {
    pub(super) fn update<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let mut state = lock(&self.state);
        let result = change(&mut state.0);
        if state.1 > 0 {
            self.changed.notify_all();
        }
        result
    }

    /// Calls a function with the value and after each change of it, until it returns a result; returns none at the
    /// deadline.
    pub(super) fn wait_until<R>(
        &self,
        deadline: Instant,
        mut ready: impl FnMut(&mut T) -> Option<R>,
    ) -> Option<R> {
        let mut state = lock(&self.state);
        loop {
            let result = ready(&mut state.0);
            let left = deadline.saturating_duration_since(Instant::now());
            if result.is_some() || left.is_zero() {
                return result;
            }
            state.1 += 1;
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            state.1 -= 1;
        }
    }
}
