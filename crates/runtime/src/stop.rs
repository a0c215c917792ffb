//! A stop flag for long-running work: searches, matches, training.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::sync::lock;

/// A flag that can be set once. Clones share the same flag.
#[derive(Clone, Default)]
pub struct StopToken(Arc<StopState>);

#[derive(Default)]
struct StopState {
    stopped: AtomicBool,
    actions: Mutex<Actions>,
    changed: Condvar,
    /// Stops this token together with its parent.
    _parent: Option<OnStop>,
}

#[derive(Default)]
struct Actions {
    next: u64,
    waiting: Vec<(u64, Box<dyn FnOnce() + Send>)>,
}

/// Runs an action when its token stops, unless it is dropped first.
#[must_use = "dropping it cancels the action"]
pub struct OnStop {
    token: StopToken,
    number: u64,
}

impl StopToken {
    /// Returns a token that stops with this one, and can also be stopped on its own.
    #[must_use]
    pub fn child(&self) -> Self {
        let child = Self(Arc::new_cyclic(|weak: &std::sync::Weak<StopState>| {
            let weak = weak.clone();
            let parent = self.on_stop(move || {
                if let Some(shared) = weak.upgrade() {
                    Self(shared).stop();
                }
            });
            StopState { _parent: Some(parent), ..StopState::default() }
        }));
        // The action above may have run before the child existed, so repeat it.
        if self.is_stopped() {
            child.stop();
        }
        child
    }

    /// Stops the work, and runs the registered actions.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Release);
        let waiting = std::mem::take(&mut self.actions().waiting);
        self.0.changed.notify_all();
        for (_, action) in waiting {
            action();
        }
    }

    /// Returns whether the work should stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// Runs an action when the token stops, on the thread that stops it, or immediately if it has already
    /// stopped.
    pub fn on_stop(&self, action: impl FnOnce() + Send + 'static) -> OnStop {
        let mut actions = self.actions();
        let number = actions.next;
        actions.next += 1;
        if self.is_stopped() {
            drop(actions);
            action();
        } else {
            actions.waiting.push((number, Box::new(action)));
        }
        OnStop { token: self.clone(), number }
    }

    /// Sleeps while a condition holds and the token is not stopped. Call [`wake`](Self::wake) after changing
    /// anything that the condition depends on. The condition runs under the token's lock, so it must not call
    /// `stop`, `wake` or `on_stop`.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait_while(&self, mut condition: impl FnMut() -> bool) {
        let mut guard = self.actions();
        while !self.is_stopped() && condition() {
            guard = self.0.changed.wait(guard).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// Waits while a condition holds and the token is not stopped, if the host can deliver input.
    #[cfg(target_family = "wasm")]
    pub fn wait_while(&self, mut condition: impl FnMut() -> bool) {
        while !self.is_stopped() && condition() && crate::platform::wait_for_input() {}
    }

    /// Sleeps until the token is stopped, at most for a time. Returns whether it is stopped.
    #[must_use]
    pub fn wait_timeout(&self, time: Duration) -> bool {
        let running = |_: &mut Actions| !self.is_stopped();
        drop(self.0.changed.wait_timeout_while(self.actions(), time, running));
        self.is_stopped()
    }

    /// Wakes waiting threads to check their conditions.
    pub fn wake(&self) {
        // Take the lock so that this happens after any earlier check of the condition.
        drop(self.actions());
        self.0.changed.notify_all();
    }

    fn actions(&self) -> MutexGuard<'_, Actions> {
        lock(&self.0.actions)
    }
}

impl fmt::Debug for StopToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StopToken({})", self.is_stopped())
    }
}

impl Drop for OnStop {
    fn drop(&mut self) {
        let removed =
            self.token.actions().waiting.extract_if(.., |(number, _)| *number == self.number).next();
        // Without the lock, since an action may own another one of this token.
        drop(removed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_child_stops_with_its_parent_and_not_the_other_way() {
        let parent = StopToken::default();
        let [one, other] = [parent.child(), parent.child()];
        one.stop();
        assert!(one.is_stopped() && !parent.is_stopped() && !other.is_stopped());
        parent.clone().stop();
        assert!(other.is_stopped() && parent.child().is_stopped());
        drop((one, other));
        assert_eq!(parent.actions().waiting.len(), 0);
    }

    #[test]
    fn an_action_may_own_another_one() {
        let stop = StopToken::default();
        let owned = stop.on_stop(|| {});
        drop(stop.on_stop(move || drop(owned)));
        assert_eq!(stop.actions().waiting.len(), 0);
    }

    #[test]
    fn actions_run_once_unless_they_are_dropped() {
        let (sender, heard) = mpsc::channel();
        let stop = StopToken::default();
        let note = |word: &'static str| {
            let sender = sender.clone();
            stop.on_stop(move || sender.send(word).unwrap())
        };
        let _kept = note("kept");
        drop(note("dropped"));
        stop.stop();
        stop.stop();
        let _late = note("late");
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), ["kept", "late"]);
    }

    #[test]
    fn waiting_threads_check_their_condition_when_they_are_woken() {
        let stop = StopToken::default();
        let (waits, checks) = (Arc::new(AtomicBool::new(true)), mpsc::channel());
        let (token, condition, sender) = (stop.clone(), waits.clone(), checks.0);
        let waiter = std::thread::spawn(move || {
            token.wait_while(|| {
                let waits = condition.load(Ordering::Acquire);
                sender.send(waits).unwrap();
                waits
            });
            token.is_stopped()
        });
        assert_eq!(checks.1.recv(), Ok(true));
        waits.store(false, Ordering::Release);
        stop.wake();
        // A spurious wake-up may have come before.
        assert!(checks.1.iter().any(|waits| !waits));
        assert!(!waiter.join().unwrap());
        assert_eq!(format!("{stop:?}"), "StopToken(false)");
    }

    #[test]
    fn stopping_the_parent_wakes_waiting_threads() {
        let parent = StopToken::default();
        let child = parent.child();
        let (sender, checked) = mpsc::channel();
        let waiter = std::thread::spawn(move || {
            child.wait_while(|| sender.send(()).is_ok());
            child.is_stopped()
        });
        assert_eq!(checked.recv(), Ok(()));
        assert!(!waiter.is_finished());
        parent.stop();
        assert!(waiter.join().unwrap());
    }

    #[test]
    fn a_timed_wait_ends_with_the_time_or_the_stop() {
        let stop = StopToken::default();
        assert!(!stop.wait_timeout(Duration::from_millis(1)));
        let token = stop.clone();
        let waiter = std::thread::spawn(move || token.wait_timeout(Duration::MAX));
        stop.stop();
        assert!(waiter.join().unwrap());
    }
}
