//! Proofs by exhaustive search: every move of both sides, nothing left out and nothing judged. A line ends where the
//! databases know its result or a side can't move. Nothing here is shared with the engine's search.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use draughts::board::{Color, Move, Position};
use endgames::{Databases, Wld};

/// What is to be proved for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// It wins.
    Win,
    /// It does not lose.
    Hold,
}

/// A proof would take more nodes than it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Proves that a side reaches its goal.
///
/// Depth is counted in moves that are no captures: captures are compulsory, and end by themselves. What is proved
/// within some plies is true; what is not may still be true with more. Repetition can't spoil a proof of a win, since
/// the plies to it fall with every move, and helps who wants to hold.
///
/// ```
/// use analysis::problem::{Goal, Prover};
/// use draughts::board::Color;
/// use endgames::Databases;
/// use draughts::notation::fen;
///
/// let databases = Databases::compiled_in();
/// // As if no more than four pieces were known.
/// let position = fen::parse("W:WK1,K12:B7,10,11")?;
/// let mut prover = Prover::new(&databases, Color::White, Goal::Win, 1_000_000).up_to(4);
/// assert!(prover.plies(&position, 23).unwrap().is_some());
/// let mut prover = Prover::new(&databases, Color::Black, Goal::Hold, 1_000_000).up_to(4);
/// assert_eq!(prover.plies(&position, 3), Ok(None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Prover<'a> {
    databases: &'a Databases,
    /// Positions with more pieces are not looked up.
    pieces: u32,
    color: Color,
    goal: Goal,
    known: HashMap<u64, Known>,
    left: u64,
}

/// What is known of a position with so many plies to go.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The fewest that are enough.
    enough: i32,
    /// The most that are too few.
    too_few: i32,
    /// The move that decided last.
    best: usize,
}

impl<'a> Prover<'a> {
    /// A prover for a side, which gives up after so many nodes.
    #[must_use]
    pub fn new(databases: &'a Databases, color: Color, goal: Goal, nodes: u64) -> Self {
        Self { databases, pieces: databases.max_pieces(), color, goal, known: HashMap::new(), left: nodes }
    }

    /// One that knows no endings with more pieces than these.
    #[must_use]
    pub const fn up_to(mut self, pieces: u32) -> Self {
        self.pieces = pieces;
        self
    }

    const fn is_reached(&self, result: Wld, own: bool) -> bool {
        match result {
            Wld::Draw => matches!(self.goal, Goal::Hold),
            Wld::Win => own,
            Wld::Loss => !own,
        }
    }

    /// The end of a line, if there is one: whether the goal is reached.
    fn end(&self, position: &Position) -> Option<bool> {
        let own = position.side() == self.color;
        if position.must_capture() {
            return None;
        }
        if !position.can_move() {
            return Some(self.is_reached(Wld::Loss, own));
        }
        let known = position.piece_count() <= self.pieces;
        let result = if known { self.databases.probe_quiet(position) } else { None };
        result.map(|result| self.is_reached(result, own))
    }

    /// Whether the goal is reached within so many quiet plies, whatever the other side does.
    ///
    /// # Errors
    ///
    /// When it takes too many nodes.
    pub fn proves(&mut self, position: &Position, plies: i32) -> Result<bool, TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        let quiet = !position.must_capture();
        if let Some(reached) = self.end(position) {
            return Ok(reached);
        }
        if quiet && plies <= 0 {
            return Ok(false);
        }
        let known = self.known.get(&position.key()).copied();
        let mut known = known.unwrap_or(Known { enough: i32::MAX, too_few: -1, best: 0 });
        if plies >= known.enough || plies <= known.too_few {
            return Ok(plies >= known.enough);
        }
        let choices = position.moves();
        let ours = position.side() == self.color;
        let left = plies - i32::from(quiet);
        let mut proved = !ours;
        for turn in 0..choices.len() {
            // The move that decided last goes first.
            let index = match turn {
                0 => known.best,
                turn if turn <= known.best => turn - 1,
                turn => turn,
            };
            let Some(&mv) = choices.get(index) else { continue };
            if self.proves(&position.after(mv), left)? == ours {
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
    ///
    /// # Errors
    ///
    /// When it takes too many nodes.
    pub fn plies(&mut self, position: &Position, most: i32) -> Result<Option<i32>, TooLarge> {
        for plies in 0..=most {
            if self.proves(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// A line to a quiet end in which the side goes straight to its goal, and the other holds out as long as it can, given that
    /// the goal is reached within so many quiet plies after the first move.
    ///
    /// # Errors
    ///
    /// When it takes too many nodes.
    pub fn line(&mut self, position: &Position, first: Move, most: i32) -> Result<Vec<Move>, TooLarge> {
        let (mut line, mut position) = (vec![first], position.after(first));
        while self.end(&position).is_none() && line.len() < LONGEST {
            let ours = position.side() == self.color;
            let mut chosen: Option<(i32, Move)> = None;
            for mv in position.moves() {
                let plies = self.plies(&position.after(mv), most)?;
                let better = match (plies, chosen) {
                    (Some(plies), Some((known, _))) => {
                        if ours {
                            plies < known
                        } else {
                            plies > known
                        }
                    }
                    (plies, None) => plies.is_some(),
                    (None, _) => false,
                };
                if let Some(plies) = plies.filter(|_| better) {
                    chosen = Some((plies, mv));
                }
            }
            let Some((_, mv)) = chosen else { break };
            line.push(mv);
            position = position.after(mv);
        }
        Ok(line)
    }
}

/// Longer lines are cut.
const LONGEST: usize = 60;
