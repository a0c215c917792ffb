//! What a position is worth when nothing more is searched.
//!
//! [`Network`] plays by default and is learned, [`Classic`] is the hand-made one that played the first games to learn from. The others are those of published studies, each in a file with its formula, so that the
//! laboratory can hold searches and evaluations against each other. The weights of those that have many can be changed
//! ([`Sheet`]).

pub mod alex;
pub mod classic;
mod distance;
mod evaluation;
mod explain;
mod lam;
mod material;
pub mod network;
mod noise;
mod part;
pub mod peterson;
mod presser;
mod sheet;
mod steps;
mod view;
mod weightlist;

pub use classic::Classic;
pub use evaluation::compiled_in;
pub use evaluation::{Evaluation, Family};
pub use explain::{Explanation, Worth};
pub use lam::Lam;
pub use material::Material;
pub use network::{Accumulators, Network, NetworkError};
pub use part::{Part, Source};
pub use presser::Presser;
pub use sheet::Sheet;
pub use weightlist::SheetError;

use draughts::board::Position;

/// Judges positions. An evaluation sees the position alone: no clock, no history, no search.
pub trait Evaluate: Send + Sync {
    /// The value for the side to move, in hundredths of a man.
    ///
    /// A position and its [flip](Position::flipped) have the same value, except by a published evaluation that says
    /// otherwise.
    fn evaluate(&self, position: &Position) -> i32;

    /// The same value, for a search that judges one position after the other: what `memory` holds of others may make it
    /// quicker.
    #[inline]
    fn evaluate_near(&self, _memory: &mut Accumulators, position: &Position, _ply: usize) -> i32 {
        self.evaluate(position)
    }

    /// The value in the evaluation's own units, as its author published it. The textbook searchers compare these, so
    /// that no term is lost by rounding.
    fn value(&self, position: &Position) -> i32 {
        self.evaluate(position)
    }

    /// What a man is worth in the evaluation's own units, to show values in hundredths of a man.
    fn man(&self) -> i32 {
        100
    }

    /// What the value of a position is made of, as far as the evaluation can tell: rounded, so that the sum may be off
    /// by a little. Slow, for people.
    fn parts(&self, _position: &Position) -> Vec<Part> {
        Vec::new()
    }
}

/// The largest value that an evaluation may return, and its negative the smallest; beyond are proved results.
pub const LIMIT: i32 = 15_000;

/// A value in hundredths of a man, given a man's worth in the same units.
#[must_use]
pub fn hundredths(value: i32, man: i32) -> i32 {
    let scaled = i64::from(value) * 100 / i64::from(man.max(1));
    // Searches add margins to it.
    i32::try_from(scaled.clamp(-1_000_000_000, 1_000_000_000)).unwrap_or(0)
}

/// An evaluation that is only known when the program runs, for searches whose code is made for each kind of evaluation.
impl Evaluate for &dyn Evaluate {
    fn evaluate(&self, position: &Position) -> i32 {
        (**self).evaluate(position)
    }

    fn evaluate_near(&self, memory: &mut Accumulators, position: &Position, ply: usize) -> i32 {
        (**self).evaluate_near(memory, position, ply)
    }

    fn value(&self, position: &Position) -> i32 {
        (**self).value(position)
    }

    fn man(&self) -> i32 {
        (**self).man()
    }

    fn parts(&self, position: &Position) -> Vec<Part> {
        (**self).parts(position)
    }
}

#[cfg(test)]
mod testing {
    //! What the tests of the evaluations share.

    use super::Evaluate;
    use common::chance::{self, IndexedRandom};
    use draughts::board::Position;
    use draughts::notation::fen;

    /// The value of a position.
    pub(super) fn value(evaluation: &dyn Evaluate, text: &str) -> i32 {
        evaluation.value(&fen::parse(text).unwrap())
    }

    /// Positions of games of random moves.
    pub(super) fn positions(mut tell: impl FnMut(&Position)) {
        let mut state = 1u64;
        for _ in 0..200 {
            let mut position = Position::start();
            for _ in 0..120 {
                tell(&position);
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
    pub(super) fn games(seed: u64, count: usize) -> impl Iterator<Item = Vec<Position>> {
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

    /// A position and its flip have the same value.
    pub(super) fn assert_symmetric(evaluation: &dyn Evaluate) {
        positions(|position| {
            assert_eq!(evaluation.value(position), evaluation.value(&position.flipped()), "{position:?}");
        });
    }
}
