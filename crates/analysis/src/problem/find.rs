//! Which positions are problems: exactly one move wins, or holds the draw, and that is proved.

use std::fmt;

use super::proof::{Goal, Prover, TooLarge};
use super::shallow::ShallowSearch;
use draughts::board::{Move, MoveList, Position};
use endgames::{Databases, Wld};

/// How much is done to prove something, in nodes and in quiet plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofLimits {
    /// Nodes for a first look.
    pub look: u64,
    /// Nodes to prove that a move holds.
    pub hold: u64,
    /// Nodes for any other proof.
    pub whole: u64,
    /// Quiet plies to the proof of an ending; fewer are too easy.
    pub least: i32,
    /// And of a position with more pieces.
    pub least_of_many: i32,
}

/// More quiet plies take too long to prove.
pub const MOST: i32 = 23;
/// Plies for which a win is looked for among the other moves beyond the one that is proved.
const BEYOND: i32 = 16;

impl ProofLimits {
    /// For problems that are made with time.
    pub const THOROUGH: Self =
        Self { look: 100_000, hold: 1_000_000, whole: 20_000_000, least: 9, least_of_many: 5 };
    /// For those that come along with an analysis.
    pub const QUICK: Self =
        Self { look: 300_000, hold: 300_000, whole: 1_000_000, least: 1, least_of_many: 1 };
}

/// How it is known that one move alone is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The databases know all moves. What the move leads to in endings of fewer pieces is reached within some quiet plies; of a
    /// move that draws, the others lose within these.
    Database(Goal, i32),
    /// A search of every move of both sides.
    Win {
        /// Quiet plies within which the move wins.
        plies: i32,
        /// Other moves that are proved not to win.
        held: usize,
        /// Other moves that don't win within some plies more.
        open: usize,
    },
    /// The same: the move holds, and all others lose within some quiet plies.
    Hold(i32),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Database(Goal::Win, plies) => {
                write!(f, "database: alone wins (in those of fewer pieces within {plies} quiet plies)")
            }
            Self::Database(Goal::Hold, plies) => {
                let others = "others lost in those of fewer pieces";
                write!(f, "database: alone draws ({others} within {plies} quiet plies)")
            }
            Self::Win { plies, open: 0, .. } => {
                write!(f, "search: wins within {plies} quiet plies, no other move wins")
            }
            Self::Win { plies, held: 0, .. } => {
                let beyond = plies + BEYOND;
                write!(f, "search: wins within {plies} quiet plies, no other move within {beyond}")
            }
            Self::Win { plies, held, open } => {
                let beyond = plies + BEYOND;
                write!(
                    f,
                    "search: wins within {plies} quiet plies, of the others {held} don't win, {open} not within {beyond}"
                )
            }
            Self::Hold(plies) => {
                write!(f, "search: holds, all others lose within {plies} quiet plies")
            }
        }
    }
}

impl Proof {
    /// What the move does.
    #[must_use]
    pub const fn goal(&self) -> Goal {
        match *self {
            Self::Database(goal, _) => goal,
            Self::Win { .. } => Goal::Win,
            Self::Hold(_) => Goal::Hold,
        }
    }

    /// Quiet plies that it takes.
    #[must_use]
    pub const fn plies(&self) -> i32 {
        match *self {
            Self::Database(_, plies) | Self::Win { plies, .. } | Self::Hold(plies) => plies,
        }
    }

    /// Whether something is left open.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        !matches!(*self, Self::Win { open, .. } if open > 0)
    }
}

/// The only move of a position, and how that is known.
pub type ProvedMove = (Move, Proof);

/// The only move of an ending that wins, or the only one that draws, as the databases know.
#[must_use]
pub fn only(position: &Position, databases: &Databases) -> Option<(Goal, Move)> {
    let moves = position.moves();
    let that = |result: Wld| {
        let fits = |mv: &&Move| databases.probe(&position.after(**mv)) == Some(result);
        let fitting: MoveList = moves.iter().filter(fits).copied().collect();
        fitting
    };
    match (&that(Wld::Loss)[..], &that(Wld::Draw)[..]) {
        (&[win], _) => Some((Goal::Win, win)),
        ([], &[draw]) => Some((Goal::Hold, draw)),
        _ => None,
    }
}

/// A problem of an ending. How hard it is says the search that knows endings of fewer pieces only.
#[must_use]
pub fn ending(
    position: &Position,
    databases: &Databases,
    shallow: &ShallowSearch,
    effort: &ProofLimits,
) -> Option<ProvedMove> {
    let (goal, best) = only(position, databases)?;
    if shallow.finds(position, best) {
        return None;
    }
    let (side, fewer) = (position.side(), position.piece_count() - 1);
    let plies = match goal {
        Goal::Win => Prover::new(databases, side, Goal::Win, effort.whole)
            .up_to(fewer)
            .plies(position, MOST)
            .ok()??,
        Goal::Hold => {
            let mut prover = Prover::new(databases, !side, Goal::Win, effort.whole).up_to(fewer);
            let mut most = 0;
            for mv in position.moves().into_iter().filter(|&mv| mv != best) {
                most = most.max(prover.plies(&position.after(mv), MOST).ok()?? + 1);
            }
            most
        }
    };
    (plies >= effort.least).then_some((best, Proof::Database(goal, plies)))
}

/// A problem with more pieces than the databases know, if exactly one move is proved to win or all moves but one are proved to
/// lose. `likes` says whether one of some moves, of which neither is proved, may well win.
pub fn middle(
    position: &Position,
    databases: &Databases,
    shallow: &ShallowSearch,
    effort: &ProofLimits,
    likes: &mut dyn FnMut(&Position, Vec<Move>) -> bool,
) -> Option<ProvedMove> {
    won(position, databases, shallow, effort, likes).or_else(|| saved(position, databases, shallow, effort))
}

/// One move wins, and no other does within several plies more, nor seems to later.
fn won(
    position: &Position,
    databases: &Databases,
    shallow: &ShallowSearch,
    effort: &ProofLimits,
    likes: &mut dyn FnMut(&Position, Vec<Move>) -> bool,
) -> Option<ProvedMove> {
    let (side, moves) = (position.side(), position.moves());
    let mut prover = Prover::new(databases, side, Goal::Win, effort.look);
    let plies = prover.plies(position, MOST).ok()??;
    if plies < effort.least_of_many {
        return None;
    }
    let wins = |prover: &mut Prover<'_>, mv: Move, plies| prover.proves(&position.after(mv), plies - 1);
    let mut best = None;
    for &mv in &moves {
        if wins(&mut prover, mv, plies).ok()? && best.replace(mv).is_some() {
            return None;
        }
    }
    let best = best?;
    if shallow.finds(position, best) {
        return None;
    }
    let mut prover = Prover::new(databases, side, Goal::Win, effort.whole);
    let (mut held, mut open) = (0, Vec::new());
    for mv in moves.into_iter().filter(|&mv| mv != best) {
        let mut holder = Prover::new(databases, !side, Goal::Hold, effort.look);
        if matches!(holder.plies(&position.after(mv), MOST), Ok(Some(_))) {
            held += 1;
        } else if wins(&mut prover, mv, plies + BEYOND).ok()? {
            return None;
        } else {
            open.push(mv);
        }
    }
    let number = open.len();
    if number > 0 && likes(position, open) {
        return None;
    }
    Some((best, Proof::Win { plies, held, open: number }))
}

/// All moves but one lose, and that one does not.
fn saved(
    position: &Position,
    databases: &Databases,
    shallow: &ShallowSearch,
    effort: &ProofLimits,
) -> Option<ProvedMove> {
    let side = position.side();
    let mut prover = Prover::new(databases, !side, Goal::Win, effort.look);
    let mut lost = Vec::new();
    let mut best = None;
    for mv in position.moves() {
        // The first look ends where the nodes do: what is not proved until then counts as open.
        match prover.plies(&position.after(mv), 11) {
            Ok(Some(plies)) => lost.push(plies + 1),
            Ok(None) | Err(TooLarge) if best.replace(mv).is_some() => return None,
            Ok(None) => {}
            Err(TooLarge) => prover = Prover::new(databases, !side, Goal::Win, effort.look),
        }
    }
    let best = best?;
    let plies = lost.into_iter().max()?;
    if plies < effort.least_of_many || shallow.finds(position, best) {
        return None;
    }
    // A move that loses later than the others is no answer.
    let mut holder = Prover::new(databases, side, Goal::Hold, effort.hold);
    holder.plies(&position.after(best), MOST).ok()??;
    Some((best, Proof::Hold(plies)))
}
