//! The compiled-in network, mutated: an engine evaluates with it, or there is an error.

use std::sync::LazyLock;

use crate::file::{patched, repair};
use kelso_draughts::board::Position;
use kelso_engine::eval::Network;
use kelso_engine::eval::network::NetworkWeights;

/// The end of the name, which is the last part of the header.
const NAME_END: usize = 60;

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| Network::compiled_in().weights().to_bytes());

pub fn run(patch: &[u8]) {
    let mut bytes = patched(&FILE, patch);
    let length = bytes.len();
    repair(&mut bytes, 16..length, 12);
    match NetworkWeights::from_bytes(&bytes) {
        Ok(weights) => {
            // A name that is not UTF-8 is replaced.
            assert_eq!(weights.to_bytes()[NAME_END..], bytes[NAME_END..], "what is read is written");
            let network = Network::new(weights);
            let position = Position::start();
            assert_eq!(network.evaluate(&position), network.evaluate(&position.flipped()));
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
}
