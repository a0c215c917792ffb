//! Shared by the tests of training.

use super::sample::{Label, Sample};
use crate::GameSamples;
use common::chance::{self, IndexedRandom};
use draughts::board::Position;
use engine::eval::{Evaluate, Material};

/// A game of random moves. Its samples are labelled by who is ahead, and scored by that.
pub(super) fn random_game(number: u64, plies: usize) -> GameSamples {
    let mut random = chance::stream(&[77, number]);
    let mut position = Position::start();
    let mut samples = Vec::new();
    for ply in 0..plies {
        let moves = position.moves();
        let Some(&mv) = moves.choose(&mut random) else { break };
        if !mv.is_capture() {
            let value = Material.evaluate(&position);
            let label = match value {
                1.. => Label::Win,
                0 => Label::Draw,
                _ => Label::Loss,
            };
            samples.push(Sample::new(&position, i16::try_from(value).unwrap(), label, ply));
        }
        position = position.after(mv);
    }
    GameSamples { number, samples }
}
