//! How a running search is told to stop, and how it keeps to its limits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::budget::Budget;
use super::limits::Limits;
use super::score::Score;

/// The line from the outside to one search: it may be stopped, and a ponder search may be turned into a real one.
#[derive(Debug)]
pub struct Control {
    began: Instant,
    stopped: AtomicBool,
    /// Nanoseconds after `began` at which the own clock started to run; `NEVER` while pondering.
    clock: AtomicU64,
    sleep: Mutex<()>,
    wake: Condvar,
}

const NEVER: u64 = u64::MAX;

impl Control {
    /// The control of a search that was asked for just now.
    #[must_use]
    pub fn new(pondering: bool) -> Self {
        Self {
            began: Instant::now(),
            stopped: AtomicBool::new(false),
            clock: AtomicU64::new(if pondering { NEVER } else { 0 }),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    /// Ends the search at once, or before it has begun.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.rouse();
    }

    /// The other side has played the expected move: from now on the limits of time count.
    pub fn ponder_hit(&self) {
        let now = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(NEVER - 1);
        let _ = self.clock.compare_exchange(NEVER, now, Ordering::AcqRel, Ordering::Acquire);
        self.rouse();
    }

    /// Whether it has been stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Whether the other side is still to move.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.clock.load(Ordering::Acquire) == NEVER
    }

    /// Time since the search was asked for.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Time since the own clock runs; none while pondering.
    fn on_clock(&self) -> Option<Duration> {
        match self.clock.load(Ordering::Acquire) {
            NEVER => None,
            start => Some(self.elapsed().saturating_sub(Duration::from_nanos(start))),
        }
    }

    /// Sleeps until the search is stopped or, if it may end by itself, until the own clock runs.
    pub(super) fn wait(&self, infinite: bool) {
        let mut guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn rouse(&self) {
        // Taking the lock orders this after a sleeper's look at the flags.
        drop(self.sleep.lock().unwrap_or_else(PoisonError::into_inner));
        self.wake.notify_all();
    }
}

/// A search was ended by its limits; nothing that it was about to say counts.
#[derive(Debug)]
pub(super) struct Stopped;

/// A score, unless the search was ended.
pub(super) type Searched = Result<Score, Stopped>;

/// Counts a search's nodes and says when its limits are reached.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    control: &'a Control,
    budget: Option<Budget>,
    node_limit: u64,
    nodes: u64,
    /// The clock is read when the nodes get here.
    next_look: u64,
    /// Nodes between two looks at the clock. Few at first, since memory that is touched for the first time can cost
    /// milliseconds a node; then as many as keep looks cheap and the clock sharp.
    stride: u64,
    last_look: Duration,
    over: bool,
}

const MOST_STRIDE: u64 = 1024;
/// The time between two looks that the stride aims at.
const SHARPNESS: Duration = Duration::from_micros(200);

impl<'a> Meter<'a> {
    pub(super) fn new(control: &'a Control, limits: &Limits, overhead: Duration) -> Self {
        Self {
            control,
            budget: limits.time.map(|limit| Budget::new(limit, overhead)),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            next_look: 0,
            stride: 1,
            last_look: control.elapsed(),
            over: false,
        }
    }

    /// Counts a node, and says whether the search is over.
    #[inline]
    pub(super) fn count(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.over
    }

    #[cold]
    fn look(&mut self) {
        let now = self.control.elapsed();
        let since = now.saturating_sub(self.last_look);
        self.last_look = now;
        self.stride = if since > SHARPNESS { self.stride / 4 } else { self.stride * 2 }.clamp(1, MOST_STRIDE);
        self.next_look = (self.nodes + self.stride).min(self.node_limit.max(self.nodes + 1));
        let out_of_time = match (self.budget, self.control.on_clock()) {
            (Some(budget), Some(used)) => used >= budget.hard,
            _ => false,
        };
        self.over |= out_of_time || self.nodes >= self.node_limit || self.control.is_stopped();
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether it makes sense to begin another iteration.
    pub(super) fn has_time_for_more(&mut self) -> bool {
        self.look();
        let spent = match (self.budget, self.control.on_clock()) {
            (Some(budget), Some(used)) => used >= budget.soft,
            _ => false,
        };
        !self.over && !spent
    }

    /// Whether the search is on its own clock, so that it may answer as soon as it knows enough.
    pub(super) fn may_answer_early(&self) -> bool {
        self.budget.is_some() && !self.control.is_pondering()
    }
}
