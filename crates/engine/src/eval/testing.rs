//! Positions and checks that tests of evaluations share.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "used by tests only"
)]

use super::Evaluate;
use common::chance::{self, IndexedRandom};
use draughts::board::Position;
use draughts::notation::fen;

/// Returns the value of a position.
pub fn value(evaluation: &dyn Evaluate, text: &str) -> i32 {
    evaluation.value(&fen::parse(text).unwrap())
}

/// Positions of games of random moves.
pub fn positions(mut each: impl FnMut(&Position)) {
    let mut state = 1u64;
    for _ in 0..200 {
        let mut position = Position::start();
        for _ in 0..120 {
            each(&position);
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let index = usize::try_from(state >> 33).unwrap() % moves.len();
            position = position.after(moves[index]);
        }
    }
}

/// Positions of random games, most of them with kings in the end.
pub fn games(seed: u64, count: usize) -> impl Iterator<Item = Vec<Position>> {
    let mut random = chance::stream(&[seed]);
    (0..count).map(move |_| {
        let mut positions = vec![Position::start()];
        for _ in 0..150 {
            let last = positions[positions.len() - 1];
            let moves = last.moves();
            let Some(&mv) = moves.choose(&mut random) else { break };
            positions.push(last.after(mv));
        }
        positions
    })
}

/// Asserts that a position and its flip have the same value.
pub fn assert_symmetric(evaluation: &dyn Evaluate) {
    positions(|position| {
        assert_eq!(evaluation.value(position), evaluation.value(&position.flipped()), "{position:?}");
    });
}
