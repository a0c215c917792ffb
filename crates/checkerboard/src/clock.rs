//! The time for a move, from the arguments of `getmove`.

use std::ffi::c_int;
use std::time::Duration;

use engine::search::TimeLimit;

/// Bit of `info`: a new game.
pub(super) const NEW_GAME: c_int = 1;
/// Bit of `info`: use exactly the given time.
const EXACT: c_int = 2;
/// The maximum time in seconds.
const MAX_SECONDS: f64 = 1e9;

/// Returns the limit: the clock if there is one, and the time for the move otherwise or if it is exact.
pub(super) fn limit(max_time: f64, info: c_int, more_info: c_int) -> TimeLimit {
    // NaN stays NaN, which is not a duration.
    let exact = Duration::try_from_secs_f64(max_time.clamp(0.0, MAX_SECONDS)).unwrap_or_default();
    let unit = match info >> 2 & 3 {
        1 => 1,
        2 => 10,
        3 => 100,
        _ => 0,
    };
    if unit == 0 || info & EXACT != 0 {
        return TimeLimit::Exact(exact);
    }
    let [remaining, increment] = [more_info >> 16, more_info]
        .map(|field| Duration::from_millis(unit * u64::from((field & 0xffff).unsigned_abs())));
    TimeLimit::Clock { remaining, increment, moves_to_go: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_has_priority_over_the_time_for_the_move() {
        let ms = Duration::from_millis;
        let clock = |remaining, increment| TimeLimit::Clock {
            remaining: ms(remaining),
            increment: ms(increment),
            moves_to_go: None,
        };
        let fields = 3000 << 16 | 0x14;
        assert_eq!(limit(1.5, 0, fields), TimeLimit::Exact(ms(1500)));
        assert_eq!(limit(1.5, 1, fields), TimeLimit::Exact(ms(1500)));
        assert_eq!(limit(1.5, 1 << 2, fields), clock(3000, 20));
        assert_eq!(limit(1.5, 2 << 2 | 1, fields), clock(30_000, 200));
        assert_eq!(limit(1.5, 3 << 2, fields), clock(300_000, 2000));
        assert_eq!(limit(1.5, 3 << 2 | EXACT, fields), TimeLimit::Exact(ms(1500)));
        assert_eq!(limit(0.0, 1 << 2, -1), clock(65_535, 65_535));
    }

    #[test]
    fn invalid_times_are_clamped() {
        for time in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0] {
            assert_eq!(limit(time, 0, 0), TimeLimit::Exact(Duration::ZERO));
        }
        assert_eq!(limit(f64::INFINITY, 0, 0), TimeLimit::Exact(Duration::from_secs(1_000_000_000)));
    }
}
