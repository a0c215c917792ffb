//! Ending many processes at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

use super::child::Leader;
use super::{Process, lock};

/// Kills all processes that it watches when it is told to, for instance because the user interrupts. Clones are one and
/// the same.
///
/// Programs run in groups of their own, so that an interrupt from the keyboard reaches this program but not them.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    watched: Mutex<Vec<Weak<Leader>>>,
}

impl Stop {
    /// Watches a process; kills it if it is too late for anything else.
    pub fn watch(&self, process: &Process) {
        let mut watched = lock(&self.0.watched);
        watched.retain(|leader| leader.strong_count() > 0);
        watched.push(Arc::downgrade(&process.leader));
        drop(watched);
        if self.is_stopped() {
            process.kill();
        }
    }

    /// Kills all that is watched, now and from now on.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::SeqCst);
        let watched = std::mem::take(&mut *lock(&self.0.watched));
        watched.iter().filter_map(Weak::upgrade).for_each(|leader| leader.kill());
    }

    /// Whether it has been told to.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::SeqCst)
    }
}
