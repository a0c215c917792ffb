//! Any text as a game clock: it is written and read again as the same times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use players::limits::TimeControl;

fuzz_target!(|text: &str| {
    match TimeControl::parse(text) {
        Ok(clock) => assert_eq!(TimeControl::parse(&clock.to_string()), Ok(clock)),
        Err(mismatch) => assert!(text.is_char_boundary(mismatch.at)),
    }
});
