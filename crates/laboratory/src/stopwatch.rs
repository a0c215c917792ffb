//! Time as experiments measure it: the processor's, so that other programs on the machine don't count; where the system
//! does not provide it, wall time.

use std::time::Duration;

/// A clock that runs while this thread works.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch {
    #[cfg(unix)]
    began: Duration,
    #[cfg(not(unix))]
    began: std::time::Instant,
}

#[cfg(unix)]
impl Stopwatch {
    pub(super) fn start() -> Self {
        Self { began: Self::now() }
    }

    pub(super) fn elapsed(self) -> Duration {
        Self::now().saturating_sub(self.began)
    }

    fn now() -> Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
    }
}

#[cfg(not(unix))]
impl Stopwatch {
    pub(super) fn start() -> Self {
        Self { began: std::time::Instant::now() }
    }

    pub(super) fn elapsed(self) -> Duration {
        self.began.elapsed()
    }
}
