//! Any text as a game clock: times survive a round trip, to a microsecond.

use std::time::Duration;

use kelso_players::limits::TimeControl;

/// Times are written as seconds, to 16 digits.
const MICROSECOND: Duration = Duration::from_micros(1);

pub fn run(text: &str) {
    match text.parse::<TimeControl>() {
        Ok(clock) => {
            let again: TimeControl = clock.to_string().parse().expect("what is written can be read");
            assert_eq!(again.moves, clock.moves);
            assert!(again.base.abs_diff(clock.base) < MICROSECOND);
            assert!(again.increment.abs_diff(clock.increment) < MICROSECOND);
        }
        Err(error) => assert!(!error.expected.is_empty() && !error.to_string().contains('\n')),
    }
}
