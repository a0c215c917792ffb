//! Any text as a weights file for a handcrafted evaluation: it survives a round trip, or there is a one-line
//! error.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match kelso_laboratory::REGISTRY.parse_weights(text) {
        Ok(weights) => {
            let again = kelso_laboratory::REGISTRY.parse_weights(&weights.to_string());
            assert_eq!(again.expect("what is written can be read").checksum(), weights.checksum());
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
});
