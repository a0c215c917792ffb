//! Weaker play for human opponents. A level searches to a lower depth and adds errors to the evaluation,
//! rather than playing random moves.

use super::Limits;
use crate::eval::Evaluate;
use draughts::board::Position;

/// A strength below full strength, from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(usize);

/// Search depth of each level, and the maximum error of its evaluation in hundredths of a man.
const STRENGTHS: [(usize, i32); Level::HIGHEST] =
    [(1, 270), (1, 108), (2, 108), (3, 107), (3, 70), (4, 80), (5, 86), (6, 80), (7, 58), (9, 28)];

impl Level {
    /// The strongest level.
    pub const HIGHEST: usize = 10;

    /// Returns the level with a number. `None` stands for full strength and is returned for 0 and numbers
    /// that are too high.
    #[must_use]
    pub fn new(number: usize) -> Option<Self> {
        (1..=Self::HIGHEST).contains(&number).then_some(Self(number))
    }

    /// Returns the level's number.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0
    }

    fn strength(self) -> (usize, i32) {
        STRENGTHS.get(self.0 - 1).copied().unwrap_or((1, 0))
    }

    /// Returns the limits with the depth restricted to this level's depth.
    #[must_use]
    pub fn limit(self, limits: &Limits) -> Limits {
        let (depth, _) = self.strength();
        Limits { depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))), ..limits.clone() }
    }

    /// Adds this level's errors to an evaluation.
    #[must_use]
    pub fn with_noise(self, evaluation: &dyn Evaluate) -> NoisyEvaluation<'_> {
        NoisyEvaluation { evaluation, reach: self.strength().1 }
    }
}

/// An evaluation with an error that depends only on the position.
pub struct NoisyEvaluation<'a> {
    evaluation: &'a dyn Evaluate,
    reach: i32,
}

impl Evaluate for NoisyEvaluation<'_> {
    fn value(&self, position: &Position) -> i32 {
        let width = u64::from(self.reach.unsigned_abs()) * 2 + 1;
        // The key also selects the table's bucket, so mix its bits.
        let chance = position.key().wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
        let error = i32::try_from((chance * width) >> 32).unwrap_or(0) - self.reach;
        self.evaluation.evaluate(position) + error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::MaterialEvaluation;

    #[test]
    fn errors_stay_within_reach_and_go_both_ways() {
        let level = Level::new(1).unwrap();
        let blurred = level.with_noise(&MaterialEvaluation);
        let mut position = Position::start();
        let (mut lowest, mut highest) = (0, 0);
        for step in 0..40 {
            let moves = position.moves();
            let Some(&mv) = moves.get(step % moves.len().max(1)) else { break };
            position = position.after(mv);
            let error = blurred.evaluate(&position) - MaterialEvaluation.evaluate(&position);
            lowest = lowest.min(error);
            highest = highest.max(error);
        }
        assert!((-270..-60).contains(&lowest) && (60..=270).contains(&highest), "{lowest} {highest}");
    }

    #[test]
    fn levels_are_from_one_to_ten() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(11), None);
        assert!((1..=10).all(|number| Level::new(number).is_some()));
        let limits = Level::new(10).unwrap().limit(&Limits::depth(3));
        assert_eq!(limits.depth, Some(3));
    }
}
