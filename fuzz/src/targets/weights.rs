//! Any text as a weights file for the handcrafted evaluation: it survives a round trip, or there is a
//! one-line error.

use kelso_engine::eval::TermWeights;

pub fn run(text: &str) {
    match TermWeights::parse(text) {
        Ok(weights) => {
            let again = TermWeights::parse(&weights.to_string());
            assert_eq!(again.expect("what is written can be read").checksum(), weights.checksum());
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
}
