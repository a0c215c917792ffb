//! Probing of the endgame databases for a position and every move.

use draughts::board::{Move, Position};
use endgames::{Databases, Wld};

/// A result that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// For the side to move.
    pub result: Wld,
    /// Plies to the end, where the databases know them.
    pub plies: Option<u32>,
}

/// A position, looked up.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The position.
    pub position: Position,
    /// Its result, repetitions and counts of moves aside.
    pub ending: Option<Ending>,
    /// The result after each legal move, for the side that makes it.
    pub moves: Vec<(Move, Option<Ending>)>,
}

impl Probe {
    /// Looks a position up, and every one that follows it.
    pub(super) fn of(databases: &Databases, position: &Position) -> Self {
        let after = |&mv: &Move| (mv, look(databases, &position.after(mv)).map(Ending::before));
        let moves: Vec<_> = position.moves().iter().map(after).collect();
        // A side that can't move has lost, whatever is on the board.
        let lost = Ending { result: Wld::Loss, plies: Some(0) };
        let ending = if moves.is_empty() { Some(lost) } else { look(databases, position) };
        Self { position: *position, ending, moves }
    }
}

impl Ending {
    /// Returns the same for the side that has just moved.
    const fn before(self) -> Self {
        let result = match self.result {
            Wld::Win => Wld::Loss,
            Wld::Loss => Wld::Win,
            Wld::Draw => Wld::Draw,
        };
        let plies = match self.plies {
            Some(plies) => Some(plies + 1),
            None => None,
        };
        Self { result, plies }
    }
}

fn look(databases: &Databases, position: &Position) -> Option<Ending> {
    if !position.can_move() {
        return Some(Ending { result: Wld::Loss, plies: Some(0) });
    }
    let exact = databases.distance(position).map(|(result, plies)| Ending { result, plies: Some(plies) });
    exact.or_else(|| databases.probe(position).map(|result| Ending { result, plies: None }))
}
