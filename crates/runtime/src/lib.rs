//! Services that a search uses: a stop flag, a clock and files.
//!
//! | for | see |
//! |---|---|
//! | stopping work | [`stop`] |
//! | locking a mutex | [`sync`] |
//! | the clock and random seeds, also where there is no operating system | [`platform`] |
//! | reading lines of any content and length | [`lines`] |
//! | reading regular files, and the folder of the user's data | [`files`] |
//!
//! ```
//! use kelso_runtime::stop::StopToken;
//!
//! let stop = StopToken::default();
//! let search = stop.child();
//! stop.stop();
//! assert!(search.is_stopped());
//! ```

#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

pub mod files;
pub mod lines;
pub mod platform;
pub mod stop;
pub mod sync;

/// Computes the mixing step of `SplitMix64`, which spreads each bit over the whole word.
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
