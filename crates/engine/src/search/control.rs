//! Control of a running search, and its limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::shared_state::{NodeCounts, SharedState};
use super::{Budget, Limits, PartMarker, Score, SearchPart, Stability};
use runs::platform::{self, Instant};
use runs::stop::StopToken;

/// The control of one search from other threads: it can be stopped, and a ponder search can become a normal one.
#[derive(Debug)]
pub struct Control {
    began: Instant,
    stop: StopToken,
    /// Nanoseconds after `began` at which the clock of this side started; `NEVER` while pondering.
    clock: AtomicU64,
    /// Where the first thread of the search marks the part that it is in.
    parts: Option<Arc<PartMarker>>,
}

const NEVER: u64 = u64::MAX;

impl Control {
    /// Makes the control of a search that begins now.
    #[must_use]
    pub fn new(pondering: bool) -> Self {
        Self {
            began: Instant::now(),
            stop: StopToken::default(),
            clock: AtomicU64::new(if pondering { NEVER } else { 0 }),
            parts: None,
        }
    }

    /// Makes the control of a search that begins now and stops with a token.
    #[must_use]
    pub fn under(stop: &StopToken) -> Self {
        Self { stop: stop.child(), ..Self::new(false) }
    }

    /// Has the search mark the parts that it is in, for a profile.
    #[must_use]
    pub fn with_parts(self, parts: Option<Arc<PartMarker>>) -> Self {
        Self { parts, ..self }
    }

    /// Stops the search, or keeps it from starting.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Called when the other side has played the expected move: the limits of time count from now on.
    pub fn ponder_hit(&self) {
        let now = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(NEVER - 1);
        let _ = self.clock.compare_exchange(NEVER, now, Ordering::AcqRel, Ordering::Acquire);
        self.stop.wake();
    }

    /// Returns true if it has been stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Returns true while the other side is to move.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.clock.load(Ordering::Acquire) == NEVER
    }

    /// Returns the time since the search was requested.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the time on the clock of this side; none while pondering.
    fn on_clock(&self) -> Option<Duration> {
        match self.clock.load(Ordering::Acquire) {
            NEVER => None,
            start => Some(self.elapsed().saturating_sub(Duration::from_nanos(start))),
        }
    }

    /// Sleeps until the search is stopped or, unless it is infinite, until it does not ponder any more.
    pub fn wait(&self, infinite: bool) {
        self.stop.wait_while(|| infinite || self.is_pondering());
    }
}

/// The search was stopped or has reached its limits; the result of the node does not count.
#[derive(Debug)]
pub struct Stopped;

pub(super) type Searched = Result<Score, Stopped>;

/// Counts the nodes of a thread and checks the limits of the search.
#[derive(Debug)]
pub struct LimitTracker<'a> {
    control: &'a Control,
    parts: Option<&'a PartMarker>,
    /// The shared state, and this thread's number.
    shared_state: Option<(&'a SharedState, usize)>,
    budget: Option<Budget>,
    node_limit: u64,
    nodes: u64,
    table_hits: u64,
    /// The number of nodes at which the clock is read again.
    next_look: u64,
    /// Nodes between two readings of the clock: few at first, since touching new memory can cost milliseconds a node, then
    /// as many as [`SHARPNESS`] allows.
    stride: u64,
    last_look: Duration,
    /// The answer is known, and the search only waits for the end of pondering.
    settled: bool,
    over: bool,
    iteration: usize,
    /// The search is over, or another thread has finished this iteration.
    ended: bool,
}

const MOST_STRIDE: u64 = 1024;
/// The intended time between two readings of the clock.
const SHARPNESS: Duration = Duration::from_micros(200);

impl<'a> LimitTracker<'a> {
    /// Makes the tracker of a search on one thread. `overhead` is the part of a clock that is not used.
    #[must_use]
    pub fn new(control: &'a Control, limits: &Limits, overhead: Duration) -> Self {
        Self {
            control,
            parts: control.parts.as_deref(),
            shared_state: None,
            budget: limits.time.map(|limit| Budget::new(limit, overhead)),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            table_hits: 0,
            next_look: 0,
            stride: 1,
            last_look: control.elapsed(),
            settled: false,
            over: false,
            iteration: 1,
            ended: false,
        }
    }

    /// Returns the tracker of one of several threads. Only the first thread checks the time; all threads check the limit
    /// of nodes, which holds for their sum.
    pub(super) fn with_shared_state(self, shared_state: &'a SharedState, thread: usize) -> Self {
        Self {
            shared_state: Some((shared_state, thread)),
            budget: self.budget.filter(|_| thread == 0),
            parts: self.parts.filter(|_| thread == 0),
            ..self
        }
    }

    pub(super) fn begin(&mut self, iteration: usize) {
        self.iteration = iteration;
        self.compare();
    }

    /// Counts a node. Returns true if the search is over, or another thread has finished this iteration.
    #[inline]
    pub fn count(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.ended
    }

    /// Runs a part of a search, which is marked if the search is profiled.
    #[inline]
    pub fn marked<T>(&self, part: SearchPart, run: impl FnOnce() -> T) -> T {
        self.mark(part);
        let result = run();
        self.mark(SearchPart::Rest);
        result
    }

    #[inline]
    fn mark(&self, part: SearchPart) {
        if let Some(parts) = self.parts {
            parts.set(part);
        }
    }

    #[inline]
    pub(super) fn count_hit(&mut self) {
        self.table_hits += 1;
    }

    #[cold]
    fn look(&mut self) {
        platform::pause();
        let now = self.control.elapsed();
        let since = now.saturating_sub(self.last_look);
        self.last_look = now;
        self.stride = if since > SHARPNESS { self.stride / 4 } else { self.stride * 2 }.clamp(1, MOST_STRIDE);
        // The sum of all threads is only needed for a limit of nodes.
        let total = if self.node_limit == u64::MAX { self.publish() } else { self.counts().nodes };
        // The remaining nodes are shared evenly, so that the sum ends near the limit.
        let threads = self.shared_state.map_or(1, |(shared_state, _)| shared_state.len() as u64);
        let share = (self.node_limit.saturating_sub(total) / threads).max(1);
        self.next_look = self.nodes + self.stride.min(share);
        self.over |= self.has_used(|budget| budget.hard)
            || total >= self.node_limit
            || self.control.is_stopped()
            || self.settled && !self.control.is_pondering()
            || self.shared_state.is_some_and(|(shared_state, _)| shared_state.is_stopped());
        self.compare();
    }

    /// Checks the iterations of the other threads.
    fn compare(&mut self) {
        let outrun =
            self.shared_state.is_some_and(|(shared_state, _)| shared_state.finished() >= self.iteration);
        self.ended = self.over || outrun;
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Publishes the counts of this thread, and returns the sum over all threads as of their last publication.
    pub(super) fn counts(&self) -> NodeCounts {
        self.publish();
        let own = NodeCounts { nodes: self.nodes, table_hits: self.table_hits };
        self.shared_state.map_or(own, |(shared_state, _)| shared_state.counts())
    }

    /// Publishes the counts of this thread, and returns its nodes.
    pub(super) fn publish(&self) -> u64 {
        if let Some((shared_state, thread)) = self.shared_state {
            shared_state.publish(thread, NodeCounts { nodes: self.nodes, table_hits: self.table_hits });
        }
        self.nodes
    }

    /// Returns true if there is time for another iteration, given the stability of the best move if it is known.
    pub fn has_time_for_more(&mut self, stability: Option<&Stability>) -> bool {
        self.look();
        let enough = |budget: Budget| stability.map_or(budget.soft, |stability| budget.enough(stability));
        !self.over && !self.has_used(enough)
    }

    /// Returns true if a time of the budget has passed on the clock of this side.
    fn has_used(&self, time: impl Fn(Budget) -> Duration) -> bool {
        self.budget.zip(self.control.on_clock()).is_some_and(|(budget, used)| used >= time(budget))
    }

    /// Called when the answer cannot change any more. Returns true if the search is over: a ponder search waits for the end
    /// of pondering, and a search without a clock continues to show its lines.
    pub(super) fn settle(&mut self) -> bool {
        self.settled = self.budget.is_some();
        self.settled && !self.control.is_pondering()
    }
}
