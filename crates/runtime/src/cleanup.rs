//! Functions that clean up before this process ends without returning from `main`, such as after a signal.

use std::sync::Mutex;

use crate::sync::lock;

static CLEANUPS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Adds a function that [`clean_up`] calls, which must not block for long.
pub fn before_exit(cleanup: fn()) {
    lock(&CLEANUPS).push(cleanup);
}

/// Calls all functions in the order in which they were added, since the process is about to end.
pub fn clean_up() {
    for cleanup in &*lock(&CLEANUPS) {
        cleanup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static CALLS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

    #[test]
    fn all_functions_are_called_in_order() {
        before_exit(|| lock(&CALLS).push(1));
        before_exit(|| lock(&CALLS).push(2));
        clean_up();
        assert_eq!(*lock(&CALLS), [1, 2]);
    }
}
