//! Proofs that exactly one move of a position wins or draws.

use std::fmt;

use crate::value::only;
use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::result::Wdl;
use kelso_endgames::Databases;
use kelso_proof::{ExhaustiveSearch, Goal, Leaves, Prover, TooLarge, Unproved};

/// Node limit of a first attempt, and of a proof of the value after a move.
const FIRST_NODES: u64 = 300_000;
/// Node limit of any other proof.
pub(super) const WHOLE_NODES: u64 = 1_000_000;
/// Minimum number of quiet plies of a problem; fewer would be too easy.
const MIN_PLIES: i32 = 1;
/// Maximum number of quiet plies to try.
pub(super) const MAX_WIN_PLIES: i32 = 23;

/// A proof that only one move is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// The databases know the results of all moves. The number is a limit in quiet plies, within which play
    /// reaches an ending with fewer pieces: a won ending if the move wins, or a lost ending after every other
    /// move if it draws.
    Database(Goal, i32),
    /// A search of all moves of both sides: the move wins within this number of quiet plies, and no other
    /// move wins.
    Win(i32),
    /// A search: the move draws, and every other move loses within this number of quiet plies.
    Hold(i32),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Database(Goal::Win, plies) => {
                write!(f, "database: only this move wins (down to fewer pieces within {plies} quiet plies)")
            }
            Self::Database(Goal::Hold, plies) => {
                let others = "the others lose, down to fewer pieces";
                write!(f, "database: only this move draws ({others} within {plies} quiet plies)")
            }
            Self::Win(plies) => {
                write!(f, "search: wins within {plies} quiet plies, no other move wins")
            }
            Self::Hold(plies) => {
                write!(f, "search: only this move holds, the others lose within {plies} quiet plies")
            }
        }
    }
}

impl Proof {
    /// Returns the goal of the move.
    pub const fn goal(self) -> Goal {
        match self {
            Self::Database(goal, _) => goal,
            Self::Win(_) => Goal::Win,
            Self::Hold(_) => Goal::Hold,
        }
    }
}

/// The only right move of a position, and its proof.
pub(super) type ProvedMove = (Move, Proof);

/// Proves that positions are problems.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProblemProver<'a> {
    /// The databases whose results end a line.
    pub databases: &'a Databases,
    /// The search that identifies moves that are too easy.
    pub shallow: &'a ShallowSearch,
}

impl<'a> ProblemProver<'a> {
    /// Proves that an ending is a problem. Its difficulty is measured using only databases with fewer pieces.
    pub fn ending(&self, position: &Position) -> Option<ProvedMove> {
        let (value, best) = only(position, self.databases)?;
        let goal = if value == Wdl::Win { Goal::Win } else { Goal::Hold };
        if self.shallow.finds(position, best) {
            return None;
        }
        let side = position.side();
        let fewer = position.piece_count() - 1;
        let winner = if goal == Goal::Win { side } else { !side };
        let mut prover = self.prover(fewer, winner, WHOLE_NODES);
        let plies = match goal {
            Goal::Win => prover.plies(position, MAX_WIN_PLIES).ok()??,
            Goal::Hold => {
                let mut max = 0;
                for mv in position.moves().into_iter().filter(|&mv| mv != best) {
                    max = max.max(prover.plies(&position.after(mv), MAX_WIN_PLIES).ok()?? + 1);
                }
                max
            }
        };
        (plies >= MIN_PLIES).then_some((best, Proof::Database(goal, plies)))
    }

    /// Proves that a position with too many pieces for the databases is a problem: exactly one move wins, or
    /// all moves but one lose.
    pub fn middle(&self, position: &Position) -> Option<ProvedMove> {
        self.won(position).or_else(|| self.saved(position))
    }

    /// Returns a prover of wins by a side, up to endings with at most this many pieces.
    fn prover(&self, pieces: u32, color: Color, nodes: u64) -> ExhaustiveSearch<'a> {
        ExhaustiveSearch::new(Leaves::up_to(self.databases, pieces), color, Goal::Win, nodes)
    }

    /// Returns whether a position has a value for the side to move, or `None` if the prover cannot decide it
    /// within the node limit.
    fn has_value(&self, position: &Position, value: Wdl) -> Option<bool> {
        let leaves = Leaves::up_to(self.databases, self.databases.max_pieces());
        match Prover::new(leaves, FIRST_NODES).prove(position, Some(value), &mut |_| true) {
            Ok(_) => Some(true),
            Err(Unproved::Wrong(_) | Unproved::Refuted(_)) => Some(false),
            Err(Unproved::Unfinished { .. } | Unproved::Memory | Unproved::Check(_)) => None,
        }
    }

    /// Proves that one move wins, and that no other does.
    fn won(&self, position: &Position) -> Option<ProvedMove> {
        let moves = position.moves();
        let mut prover = self.prover(self.databases.max_pieces(), position.side(), FIRST_NODES);
        let plies = prover.plies(position, MAX_WIN_PLIES).ok()??;
        if plies < MIN_PLIES {
            return None;
        }
        let mut best = None;
        for &mv in &moves {
            if prover.proves(&position.after(mv), plies - 1).ok()? && best.replace(mv).is_some() {
                return None;
            }
        }
        let best = best?;
        if self.shallow.finds(position, best) {
            return None;
        }
        let mut others = moves.into_iter().filter(|&mv| mv != best);
        let hold = others.all(|mv| self.has_value(&position.after(mv), Wdl::Loss) == Some(false));
        hold.then_some((best, Proof::Win(plies)))
    }

    /// Proves that all moves but one lose, and that the remaining move does not.
    fn saved(&self, position: &Position) -> Option<ProvedMove> {
        let side = position.side();
        let pieces = self.databases.max_pieces();
        let mut prover = self.prover(pieces, !side, FIRST_NODES);
        let mut lost = Vec::new();
        let mut best = None;
        for mv in position.moves() {
            // A move not proved by the first attempt counts as open.
            match prover.plies(&position.after(mv), 11) {
                Ok(Some(plies)) => lost.push(plies + 1),
                Ok(None) | Err(TooLarge) if best.replace(mv).is_some() => return None,
                Ok(None) => {}
                Err(TooLarge) => prover = self.prover(pieces, !side, FIRST_NODES),
            }
        }
        let best = best?;
        let plies = lost.into_iter().max()?;
        if plies < MIN_PLIES || self.shallow.finds(position, best) {
            return None;
        }
        // The remaining move may also lose, only later, so prove that it holds.
        let holds = self.has_value(&position.after(best), Wdl::Win) == Some(false);
        holds.then_some((best, Proof::Hold(plies)))
    }
}

/// Returns the best move of a search to a depth. It should be a textbook search, so that changes to the
/// playing engine do not affect the problems.
pub type MoveSearch = fn(&Position, usize) -> Option<Move>;

/// A search of a few plies. A move that it finds is too easy for a problem.
#[derive(Debug)]
pub(super) struct ShallowSearch {
    search: MoveSearch,
    depth: usize,
}

impl ShallowSearch {
    /// Creates a search to a depth.
    pub const fn new(search: MoveSearch, depth: usize) -> Self {
        Self { search, depth }
    }

    /// Returns whether a search to two plies, four plies and so on up to the depth finds a move.
    pub fn finds(&self, position: &Position, best: Move) -> bool {
        (2..=self.depth).step_by(2).any(|depth| (self.search)(position, depth) == Some(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::Game;
    use kelso_draughts::notation::{fen, movetext};
    use kelso_engine::search::{Control, Limits};
    use kelso_engine::{Engine, Setting};

    fn shallow(depth: usize) -> ShallowSearch {
        ShallowSearch::new(searched, depth)
    }

    fn searched(position: &Position, depth: usize) -> Option<Move> {
        let engine = Engine::new([Setting::Hash(1)]).unwrap();
        engine.search(&Game::new(*position), &Limits::depth(depth), &Control::new(), &mut |_| {}).best
    }

    #[test]
    fn only_moves_are_those_whose_alternatives_are_worse() {
        let databases = Databases::compiled_in();
        for (text, expected) in [
            ("W:W6,K10:BK1", Some((Wdl::Win, "6-2"))),
            // Several moves win, both draw, all lose.
            ("B:W32:BK22,K23", None),
            ("W:WK1:BK32", None),
            ("W:WK14:BK5,K6", None),
        ] {
            let position = fen::parse(text).unwrap();
            let found =
                only(&position, &databases).map(|(result, mv)| (result, movetext::format(&position, mv)));
            assert_eq!(found, expected.map(|(result, mv)| (result, mv.to_owned())), "{text}");
        }
    }

    #[test]
    fn an_ending_is_a_problem_unless_a_shallow_search_finds_its_move() {
        let databases = Databases::compiled_in();
        let position = fen::parse("W:WK1,K12:B7,10,11").unwrap();
        let best = movetext::parse(&position, "1-6").unwrap();
        for depth in [0, 20] {
            let shallow = shallow(depth);
            let prover = ProblemProver { databases: &databases, shallow: &shallow };
            let found = prover.ending(&position);
            assert_eq!(shallow.finds(&position, best), depth > 0);
            assert_eq!(found, (depth == 0).then_some((best, Proof::Database(Goal::Win, 12))));
        }
    }
}
