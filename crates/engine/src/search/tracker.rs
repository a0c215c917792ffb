//! Counts the nodes of a search and checks its limits.

use std::time::Duration;

use super::coordination::{Coordination, NodeCounts};
use super::{Budget, Control, Limits, Score, Stability};
use kelso_runtime::platform;

/// The search was stopped or has reached its limits, so the result of the node is invalid.
#[derive(Debug)]
pub struct Stopped;

pub(super) type Searched = Result<Score, Stopped>;

/// Counts the nodes of a thread and checks the limits of the search.
#[derive(Debug)]
pub struct LimitTracker<'a> {
    control: &'a Control,
    /// The coordination with other threads, and the number of this one.
    shared: Option<(&'a Coordination, usize)>,
    budget: Option<Budget>,
    node_limit: u64,
    /// The counts of this thread.
    own: NodeCounts,
    /// Number of nodes at the next check; 0 once the iteration has ended.
    next_check: u64,
    /// Number of nodes between checks: few at first, since the first access to new memory can cost
    /// milliseconds per node, then as many as fit in [`CHECK_INTERVAL`].
    nodes_per_check: u64,
    last_check: Duration,
    state: TrackerState,
    iteration: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TrackerState {
    Searching,
    /// The best move can no longer change, and the search only waits for the end of pondering.
    Settled,
    Over,
}

/// Maximum number of nodes between two readings of the clock, so that a stop is noticed soon.
const MAX_NODES_PER_CHECK: u64 = 1024;
/// Intended time between two readings of the clock.
const CHECK_INTERVAL: Duration = Duration::from_micros(200);

impl<'a> LimitTracker<'a> {
    /// Creates a tracker for a search on one thread. `overhead` is the part of a clock reserved for
    /// communication.
    #[must_use]
    pub fn new(control: &'a Control, limits: &Limits, overhead: Duration) -> Self {
        Self {
            control,
            shared: None,
            budget: limits.time.map(|limit| Budget::new(limit, overhead)),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            own: NodeCounts::default(),
            next_check: 0,
            nodes_per_check: 1,
            last_check: control.elapsed(),
            state: TrackerState::Searching,
            iteration: 1,
        }
    }

    /// Turns this into the tracker of one of several threads. Only the first thread checks the time, and
    /// counts the nodes that have already been searched. All threads check the node limit, which applies to
    /// their sum.
    pub(super) fn of_thread(self, coordination: &'a Coordination, thread: usize) -> Self {
        let tracker = Self { shared: Some((coordination, thread)), ..self };
        if thread == 0 {
            return Self { own: NodeCounts { nodes: coordination.earlier_nodes, tb_hits: 0 }, ..tracker };
        }
        Self { budget: None, ..tracker }
    }

    pub(super) fn begin(&mut self, iteration: usize) {
        self.iteration = iteration;
        if self.has_ended() {
            self.next_check = 0;
        }
    }

    /// Counts a node.
    ///
    /// # Errors
    ///
    /// If the search is over or another thread has finished this iteration.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stopped> {
        self.own.nodes += 1;
        if self.own.nodes < self.next_check { Ok(()) } else { self.check() }
    }

    #[inline]
    pub(super) fn count_tb_hit(&mut self) {
        self.own.tb_hits += 1;
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.check_limits();
        if self.has_ended() {
            self.next_check = 0;
            return Err(Stopped);
        }
        Ok(())
    }

    fn check_limits(&mut self) {
        platform::pause();
        let now = self.control.elapsed();
        let since = now.saturating_sub(self.last_check);
        self.last_check = now;
        let nodes = if since > CHECK_INTERVAL { self.nodes_per_check / 4 } else { self.nodes_per_check * 2 };
        self.nodes_per_check = nodes.clamp(1, MAX_NODES_PER_CHECK);
        self.publish();
        // The sum over all threads is only needed if nodes are limited.
        let total = if self.node_limit == u64::MAX { self.own.nodes } else { self.counts().nodes };
        // The remaining nodes are divided evenly, so that the sum ends near the limit.
        let thread_count = self.shared.map_or(1, |(coordination, _)| coordination.threads() as u64);
        let share = (self.node_limit.saturating_sub(total) / thread_count).max(1);
        self.next_check = self.own.nodes + self.nodes_per_check.min(share);
        if self.has_used(|budget| budget.hard)
            || total >= self.node_limit
            || self.control.is_stopped()
            || self.state == TrackerState::Settled && !self.control.is_pondering()
            || self.shared.is_some_and(|(coordination, _)| coordination.is_stopped())
        {
            self.state = TrackerState::Over;
        }
    }

    /// Returns whether the search is over or another thread has finished this iteration. The first thread
    /// always completes the first iteration.
    fn has_ended(&self) -> bool {
        match self.shared {
            Some((_, 0)) if self.iteration <= 1 => false,
            Some((coordination, _)) if coordination.finished_depth() >= self.iteration => true,
            _ => self.state == TrackerState::Over,
        }
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.own.nodes
    }

    /// Publishes this thread's counts, and returns the sum over all threads as last published.
    pub(super) fn counts(&self) -> NodeCounts {
        self.publish();
        self.shared.map_or(self.own, |(coordination, _)| coordination.counts())
    }

    /// Publishes the counts of this thread.
    pub(super) fn publish(&self) {
        if let Some((coordination, thread)) = self.shared {
            coordination.publish(thread, self.own);
        }
    }

    /// Returns whether there is time for another iteration. Takes the stability of the best move into
    /// account, if known.
    pub fn has_time_for_more(&mut self, stability: Option<&Stability>) -> bool {
        self.check_limits();
        let soft_limit =
            |budget: Budget| stability.map_or(budget.soft, |stability| budget.soft_limit(stability));
        self.state != TrackerState::Over && !self.has_used(soft_limit)
    }

    /// Returns whether the time used on this side's clock has reached a limit of the budget.
    fn has_used(&self, time: impl Fn(Budget) -> Duration) -> bool {
        self.budget.zip(self.control.on_clock()).is_some_and(|(budget, used)| used >= time(budget))
    }

    /// Called when the best move can no longer change. Returns whether the search should stop. A ponder
    /// search waits until pondering ends, and a search without a clock continues, in order to report more
    /// lines.
    pub(super) fn settle(&mut self) -> bool {
        if self.budget.is_some() && self.state == TrackerState::Searching {
            self.state = TrackerState::Settled;
        }
        self.budget.is_some() && !self.control.is_pondering()
    }
}
