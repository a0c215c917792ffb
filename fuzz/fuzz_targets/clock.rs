//! Any text as a game clock: it is written and read again as the same times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use players::limits::Clock;

fuzz_target!(|text: &str| {
    match Clock::parse(text) {
        Ok(clock) => assert_eq!(Clock::parse(&clock.to_string()), Ok(clock)),
        Err(mismatch) => assert!(text.is_char_boundary(mismatch.at)),
    }
});
