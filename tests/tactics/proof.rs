//! Proofs by exhaustive search: every move of both sides, nothing left out and nothing judged. A line ends where the
//! databases know its result or a side can't move. Nothing here is shared with the engine's search.

use std::collections::HashMap;

use kelso::board::{Color, Position};
use kelso::egdb::{Databases, Wld};

/// What is to be proved for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    Win,
    Hold,
}

/// A proof would take more nodes than it may.
#[derive(Clone, Copy, Debug)]
pub struct TooLarge;

/// Proves that a side reaches its goal.
///
/// Depth is counted in moves that are no captures: captures are compulsory, and end by themselves. What is proved
/// within some plies is true; what is not may still be true with more. Repetition can't spoil a proof of a win, since
/// the plies to it fall with every move, and helps who wants to hold.
pub struct Prover<'a> {
    databases: &'a Databases,
    color: Color,
    goal: Goal,
    known: HashMap<u64, Known>,
    left: u64,
}

/// What is known of a position with so many plies to go.
#[derive(Clone, Copy)]
struct Known {
    /// The fewest that are enough.
    enough: i32,
    /// The most that are too few.
    too_few: i32,
    /// The move that decided last.
    best: usize,
}

impl<'a> Prover<'a> {
    pub fn new(databases: &'a Databases, color: Color, goal: Goal, budget: u64) -> Self {
        Self { databases, color, goal, known: HashMap::new(), left: budget }
    }

    fn is_reached(&self, result: Wld, mover: Color) -> bool {
        match (self.goal, result) {
            (_, Wld::Draw) => self.goal == Goal::Hold,
            (_, Wld::Win) => mover == self.color,
            (_, Wld::Loss) => mover != self.color,
        }
    }

    /// Whether the goal is reached within so many quiet plies, whatever the other side does.
    pub fn proves(&mut self, position: &Position, plies: i32) -> Result<bool, TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        let mover = position.side();
        let quiet = !position.must_capture();
        if quiet {
            if !position.can_move() {
                return Ok(self.is_reached(Wld::Loss, mover));
            }
            if let Some(result) = self.databases.probe_quiet(position) {
                return Ok(self.is_reached(result, mover));
            }
            if plies <= 0 {
                return Ok(false);
            }
        }
        let known = self.known.get(&position.key()).copied();
        let mut known = known.unwrap_or(Known { enough: i32::MAX, too_few: -1, best: 0 });
        if plies >= known.enough || plies <= known.too_few {
            return Ok(plies >= known.enough);
        }
        let choices = position.moves();
        let ours = mover == self.color;
        let left = plies - i32::from(quiet);
        let mut proved = !ours;
        for turn in 0..choices.len() {
            // The move that decided last goes first.
            let index = match turn {
                0 => known.best,
                turn if turn <= known.best => turn - 1,
                turn => turn,
            };
            if self.proves(&position.after(choices[index]), left)? == ours {
                proved = ours;
                known.best = index;
                break;
            }
        }
        if proved {
            known.enough = plies;
        } else {
            known.too_few = plies;
        }
        self.known.insert(position.key(), known);
        Ok(proved)
    }

    /// The fewest quiet plies within which the goal is reached, if there are no more of them than `most`.
    pub fn plies(&mut self, position: &Position, most: i32) -> Result<Option<i32>, TooLarge> {
        for plies in 0..=most {
            if self.proves(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }
}
