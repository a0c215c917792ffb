//! Proofs by exhaustive search of every move of both sides, without evaluation. A line ends when the
//! databases know its result or a side cannot move. No code is shared with the engine's search.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::leaves::Leaves;
use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::result::Wdl;

/// The goal of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    Win,
    /// The side does not lose.
    Hold,
}

/// The error for a proof that needs more nodes than its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Proves that a side reaches its goal.
///
/// Depth counts only quiet moves, since captures are compulsory and soon end. A goal that cannot be proved
/// within some number of plies may still be provable within more. Repetitions can be ignored: they cannot
/// refute a proved win, since every move shortens the distance to it, and they only help a side that holds.
///
/// ```
/// use kelso_draughts::board::Color;
/// use kelso_endgames::Databases;
/// use kelso_draughts::notation::fen;
/// use kelso_proof::{ExhaustiveSearch, Goal, Leaves};
///
/// let databases = Databases::compiled_in();
/// let leaves = Leaves::up_to(&databases, 4);
/// let position = fen::parse("W:WK1,K12:B7,10,11")?;
/// let mut prover = ExhaustiveSearch::new(leaves, Color::White, Goal::Win, 1_000_000);
/// assert!(prover.plies(&position, 23).unwrap().is_some());
/// let mut prover = ExhaustiveSearch::new(leaves, Color::Black, Goal::Hold, 1_000_000);
/// assert_eq!(prover.plies(&position, 3), Ok(None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ExhaustiveSearch<'a> {
    /// The databases in which positions are looked up.
    leaves: Leaves<'a>,
    color: Color,
    goal: Goal,
    bounds: HashMap<u64, PlyBounds>,
    left: u64,
}

/// Bounds on the number of plies to the goal.
#[derive(Clone, Copy, Debug)]
struct PlyBounds {
    /// Smallest number known to be sufficient.
    enough: i32,
    /// Largest number known to be insufficient.
    too_few: i32,
    /// Index of the move that last decided the search.
    best: usize,
}

impl<'a> ExhaustiveSearch<'a> {
    /// Creates a prover for a side, with a node limit.
    pub fn new(leaves: Leaves<'a>, color: Color, goal: Goal, nodes: u64) -> Self {
        Self { leaves, color, goal, bounds: HashMap::new(), left: nodes }
    }

    const fn is_reached(&self, result: Wdl, own: bool) -> bool {
        match result {
            Wdl::Draw => matches!(self.goal, Goal::Hold),
            Wdl::Win => own,
            Wdl::Loss => !own,
        }
    }

    /// Returns whether the goal is reached, or `None` if the line does not end here.
    fn end(&self, position: &Position) -> Option<bool> {
        let is_own_turn = position.side() == self.color;
        if position.must_capture() {
            return None;
        }
        if !position.can_move() {
            return Some(self.is_reached(Wdl::Loss, is_own_turn));
        }
        if position.piece_count() > self.leaves.pieces {
            return None;
        }
        self.leaves.databases.probe_quiet(position).map(|result| self.is_reached(result, is_own_turn))
    }

    /// Returns whether the goal can be forced within a number of quiet plies.
    pub fn proves(&mut self, position: &Position, plies: i32) -> Result<bool, TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        let is_quiet = !position.must_capture();
        if let Some(reached) = self.end(position) {
            return Ok(reached);
        }
        if is_quiet && plies <= 0 {
            return Ok(false);
        }
        let stored = self.bounds.get(&position.key()).copied();
        let mut bounds = stored.unwrap_or(PlyBounds { enough: i32::MAX, too_few: -1, best: 0 });
        if plies >= bounds.enough || plies <= bounds.too_few {
            return Ok(plies >= bounds.enough);
        }
        let choices = position.moves();
        let ours = position.side() == self.color;
        let left = plies - i32::from(is_quiet);
        let mut proved = !ours;
        for turn in 0..choices.len() {
            // Try first the move that decided the last search.
            let index = match turn {
                0 => bounds.best,
                turn if turn <= bounds.best => turn - 1,
                turn => turn,
            };
            let Some(&mv) = choices.get(index) else { continue };
            if self.proves(&position.after(mv), left)? == ours {
                proved = ours;
                bounds.best = index;
                break;
            }
        }
        if proved {
            bounds.enough = plies;
        } else {
            bounds.too_few = plies;
        }
        self.bounds.insert(position.key(), bounds);
        Ok(proved)
    }

    /// Returns the minimum number of quiet plies, up to `max`, within which the goal can be forced.
    pub fn plies(&mut self, position: &Position, max: i32) -> Result<Option<i32>, TooLarge> {
        for plies in 0..=max {
            if self.proves(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Returns the shortest line to the goal against the longest resistance, if the goal can be forced within
    /// `max` quiet plies after the first move. The line ends in a quiet position.
    pub fn line(&mut self, position: &Position, first: Move, max: i32) -> Result<Vec<Move>, TooLarge> {
        let mut line = vec![first];
        let mut position = position.after(first);
        while self.end(&position).is_none() && line.len() < MAX_LINE_PLIES {
            let ours = position.side() == self.color;
            let mut replies = Vec::new();
            for mv in position.moves() {
                if let Some(plies) = self.plies(&position.after(mv), max)? {
                    replies.push((if ours { plies } else { -plies }, mv));
                }
            }
            let Some(&(_, mv)) = replies.iter().min_by_key(|(plies, _)| *plies) else { break };
            line.push(mv);
            position = position.after(mv);
        }
        Ok(line)
    }
}

/// Maximum length of a line.
const MAX_LINE_PLIES: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::{fen, movetext};
    use kelso_endgames::Databases;

    fn position(text: &str) -> Position {
        fen::parse(text).unwrap()
    }

    #[test]
    fn a_win_is_proved_from_its_shortest_length_on() {
        let databases = Databases::compiled_in();
        let position = position("W:WK1,K12:B7,10,11");
        let leaves = Leaves::up_to(&databases, 4);
        let prover = || ExhaustiveSearch::new(leaves, Color::White, Goal::Win, 1_000_000);
        let plies = prover().plies(&position, 23).unwrap().unwrap();
        assert_eq!(
            [plies - 1, plies, plies + 1].map(|max| prover().proves(&position, max)),
            [Ok(false), Ok(true), Ok(true)]
        );
        assert_eq!(prover().plies(&position, plies - 1), Ok(None));
        // One prover may be asked again; it remembers what it has proved.
        let mut asked = prover();
        assert_eq!(
            [plies, plies - 1, plies].map(|max| asked.proves(&position, max).unwrap()),
            [true, false, true]
        );
        let mut limited = ExhaustiveSearch::new(leaves, Color::White, Goal::Win, 20);
        assert_eq!(limited.plies(&position, 23), Err(TooLarge));
    }

    #[test]
    fn a_line_ends_where_the_databases_know_the_goal() {
        let databases = Databases::compiled_in();
        let position = position("W:WK1,K12:B7,10,11");
        let best = movetext::parse(&position, "1-6").unwrap();
        let leaves = Leaves::up_to(&databases, 4);
        let mut prover = ExhaustiveSearch::new(leaves, Color::White, Goal::Win, 1_000_000);
        let line = prover.line(&position, best, 23).unwrap();
        let last = line.iter().fold(position, |position, &mv| {
            assert!(position.moves().contains(&mv));
            position.after(mv)
        });
        assert_eq!(line[0], best);
        assert!(!last.must_capture() && last.piece_count() <= 4, "{}", fen::format(&last));
        let won = if last.side() == Color::White { Wdl::Win } else { Wdl::Loss };
        assert_eq!(databases.probe(&last), Some(won));
    }

    #[test]
    fn a_side_without_a_move_has_lost() {
        let databases = Databases::compiled_in();
        let position = position("B:W5,6,10:B1");
        assert!(!position.can_move());
        for (color, goal, reached) in [
            (Color::White, Goal::Win, true),
            (Color::White, Goal::Hold, true),
            (Color::Black, Goal::Win, false),
            (Color::Black, Goal::Hold, false),
        ] {
            let mut prover = ExhaustiveSearch::new(Leaves::up_to(&databases, 0), color, goal, 10);
            assert_eq!(prover.proves(&position, 0), Ok(reached), "{color} {goal:?}");
        }
    }
}
