//! Clock, pauses, random seeds and the size of the memory, from the system or, in WebAssembly, from the host.
//!
//! | | |
//! |---|---|
//! | [`Instant`] | a monotonic clock |
//! | [`pause`] | lets the host of a single thread deliver input in the middle of a search |
//! | `wait_for_input` | on a single thread: waits until the host has delivered input |
//! | [`seed`] | a number that differs from run to run |
//! | [`installed_memory`] | the memory of this machine |

#[cfg(not(target_family = "wasm"))]
pub use native::{pause, seed};
#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
pub use wasm::{Instant, pause, seed, wait_for_input};

/// Returns the memory of this machine in bytes, if known.
#[must_use]
pub fn installed_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::hash::{BuildHasher, Hasher, RandomState};

    /// Does nothing, since other threads run independently.
    #[inline]
    pub const fn pause() {}

    /// Returns a number that differs from run to run.
    #[must_use]
    pub fn seed() -> u64 {
        RandomState::new().build_hasher().finish()
    }
}

#[cfg(target_family = "wasm")]
mod wasm {
    use std::cell::Cell;
    use std::ops::Add;
    use std::time::Duration;

    /// The functions provided by the host, in the `host` module.
    #[expect(unsafe_code, reason = "the compiler cannot see the other side")]
    mod imports {
        #[link(wasm_import_module = "host")]
        unsafe extern "C" {
            /// Returns milliseconds since an arbitrary point in time.
            pub(super) safe fn now() -> f64;
            /// Delivers pending input or, if `wait` is not 0, waits for input. Returns 0 if the host cannot
            /// do so while this program runs.
            pub(super) safe fn pause(wait: u32) -> u32;
            /// Returns a random number from 0 to 1.
            pub(super) safe fn random() -> f64;
        }
    }

    const PAUSE_INTERVAL: Duration = Duration::from_millis(15);

    /// A point in time on the host's clock.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the current time.
        pub fn now() -> Self {
            Self(Duration::try_from_secs_f64(imports::now() / 1000.0).unwrap_or(Duration::ZERO))
        }

        /// Returns the time that has passed since this point.
        pub fn elapsed(&self) -> Duration {
            Self::now().duration_since(*self)
        }

        /// Returns the time from an earlier point in time to this one.
        pub fn duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }

    thread_local! {
        static LAST_PAUSE: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    /// Lets the host deliver input, at most once every few milliseconds.
    pub fn pause() {
        let now = Instant::now();
        if LAST_PAUSE.get().is_none_or(|last| now.duration_since(last) >= PAUSE_INTERVAL) {
            imports::pause(0);
            LAST_PAUSE.set(Some(Instant::now()));
        }
    }

    /// Waits until the host has delivered input. Returns `false` if it cannot do so.
    pub fn wait_for_input() -> bool {
        imports::pause(1) != 0
    }

    /// Returns a number that differs from run to run.
    #[must_use]
    pub fn seed() -> u64 {
        imports::random().to_bits()
    }
}
