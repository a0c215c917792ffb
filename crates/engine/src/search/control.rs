//! Controls a running search from other threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{Limits, TimeLimit};
use kelso_runtime::platform::Instant;
use kelso_runtime::stop::StopToken;

/// Controls one search from other threads: stops it, or turns a ponder search into a normal search.
#[must_use]
#[derive(Debug)]
pub struct Control {
    /// Time at which the search was requested.
    requested: Instant,
    stop: StopToken,
    /// The start of the search's clock, in nanoseconds after `requested`.
    began: AtomicU64,
    /// Time at which this side's clock started, in nanoseconds after `requested`; `NEVER` while pondering.
    clock: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl Control {
    /// Creates the control of a search that is requested now.
    #[expect(clippy::new_without_default, reason = "it reads the clock")]
    pub fn new() -> Self {
        Self {
            requested: Instant::now(),
            stop: StopToken::default(),
            began: AtomicU64::new(0),
            clock: AtomicU64::new(0),
        }
    }

    /// Creates the control of a ponder search that is requested now.
    pub fn pondering() -> Self {
        Self { clock: AtomicU64::new(NEVER), ..Self::new() }
    }

    /// Creates the control of a search that is requested now and can be stopped by a token.
    pub fn stopped_by(stop: &StopToken) -> Self {
        Self { stop: stop.child(), ..Self::new() }
    }

    /// Called if the search begins later than it was requested, since it has waited for other searches or for
    /// data. The time for a move counts from now. A game clock has been running since the request.
    pub fn begin(&self, limits: &Limits) {
        if !matches!(limits.time, Some(TimeLimit::Clock { .. })) {
            self.began.store(self.since_request(), Ordering::Release);
        }
    }

    /// Returns the nanoseconds since the request.
    fn since_request(&self) -> u64 {
        u64::try_from(self.requested.elapsed().as_nanos()).unwrap_or(NEVER - 1)
    }

    /// Stops the search, or prevents its start.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Called when the other side has played the expected move. Time limits start now.
    pub fn ponder_hit(&self) {
        let now = self.since_request();
        let _ = self.clock.compare_exchange(NEVER, now, Ordering::AcqRel, Ordering::Acquire);
        self.stop.wake();
    }

    #[must_use]
    pub const fn stop_token(&self) -> &StopToken {
        &self.stop
    }

    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Returns whether the search is pondering, that is, the other side is to move.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.clock.load(Ordering::Acquire) == NEVER
    }

    /// Returns the time since the search began or, with a game clock, since it was requested.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.since(0)
    }

    /// Returns the time since a time after the request, at the earliest since the search began.
    fn since(&self, time: u64) -> Duration {
        let start = time.max(self.began.load(Ordering::Acquire));
        Duration::from_nanos(self.since_request().saturating_sub(start))
    }

    /// Returns the time on the clock of this side, or `None` while pondering.
    pub(super) fn on_clock(&self) -> Option<Duration> {
        match self.clock.load(Ordering::Acquire) {
            NEVER => None,
            start => Some(self.since(start)),
        }
    }

    /// Sleeps until the search is stopped or, if it is not infinite, until it no longer ponders.
    pub fn wait(&self, infinite: bool) {
        self.stop.wait_while(|| infinite || self.is_pondering());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    const WAIT: Duration = Duration::from_millis(20);

    #[test]
    fn the_time_for_a_move_counts_from_the_beginning_and_a_clock_from_the_request() {
        let exact = Limits::move_time(WAIT);
        let clock = TimeLimit::Clock { remaining: WAIT, increment: WAIT, moves_to_go: None };
        let clock = Limits { time: Some(clock), ..Limits::default() };
        for (limits, waited) in [(&exact, false), (&clock, true), (&Limits::default(), false)] {
            let [control, pondering] = [Control::new(), Control::pondering()];
            sleep(WAIT);
            pondering.ponder_hit();
            sleep(WAIT);
            let began = Instant::now();
            control.begin(limits);
            pondering.begin(limits);
            let times = [control.on_clock(), pondering.on_clock()].map(Option::unwrap);
            // Both are read after the beginning, so a busy machine can only lengthen them together.
            let since = began.elapsed();
            let expected = if waited { [2 * WAIT, WAIT] } else { [Duration::ZERO; 2] };
            for (time, expected) in times.into_iter().zip(expected) {
                assert!(time >= expected && (waited || time <= since), "{limits:?}: {time:?}");
            }
        }
    }
}
