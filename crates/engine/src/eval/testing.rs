//! Shared helpers for testing evaluations.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "used by tests only"
)]

use kelso_draughts::board::Position;
use kelso_draughts::board::mix;
use kelso_draughts::notation::fen;

/// Returns the value of a position.
pub fn value(evaluate: impl Fn(&Position) -> i32, text: &str) -> i32 {
    evaluate(&fen::parse(text).unwrap())
}

/// Calls `each` with the positions of random games.
pub fn positions(each: impl FnMut(&Position)) {
    games(1, 200).flatten().collect::<Vec<_>>().iter().for_each(each);
}

/// Returns the positions of random games, most of which end with kings.
pub fn games(seed: u64, count: usize) -> impl Iterator<Item = Vec<Position>> {
    (0..count).map(move |game| {
        let mut random = mix(seed) ^ game as u64;
        let next = |last: &Position| {
            random = mix(random);
            let moves = last.moves();
            moves.get(random as usize % moves.len().max(1)).map(|&mv| last.after(mv))
        };
        std::iter::successors(Some(Position::start()), next).take(151).collect()
    })
}

/// Asserts that a position and its flip have the same value.
pub fn assert_symmetric(evaluate: impl Fn(&Position) -> i32) {
    positions(|position| {
        assert_eq!(evaluate(position), evaluate(&position.flipped()), "{position:?}");
    });
}
