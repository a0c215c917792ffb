//! Probing of the endgame databases for a position and every move.

use draughts::board::{Move, Position};
use endgames::{Databases, Wdl};

/// A result that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// For the side to move.
    pub result: Wdl,
    /// Plies to the end of the game, if the databases have distances.
    pub plies: Option<u32>,
}

/// The results of a position and its moves.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The position.
    pub position: Position,
    /// Its result without regard to repetitions and the draw by lack of progress.
    pub ending: Option<Ending>,
    /// The result after each legal move, for the side that makes it.
    pub moves: Vec<(Move, Option<Ending>)>,
}

impl Probe {
    /// Looks up a position and the positions after each move.
    #[must_use]
    pub fn of(databases: &Databases, position: &Position) -> Self {
        let after = |&mv: &Move| (mv, look(databases, &position.after(mv)).map(Ending::before));
        let moves: Vec<_> = position.moves().iter().map(after).collect();
        Self { position: *position, ending: look(databases, position), moves }
    }

    /// Returns the moves, the best first: wins, the shortest first, then draws, unknown results, and losses, the longest first.
    #[must_use]
    pub fn best_first(&self) -> Vec<(Move, Option<Ending>)> {
        let mut moves = self.moves.clone();
        moves.sort_by_key(|(_, ending)| match *ending {
            Some(Ending { result: Wdl::Win, plies }) => (0, plies.map_or(0, i64::from)),
            Some(Ending { result: Wdl::Draw, .. }) => (1, 0),
            None => (2, 0),
            Some(Ending { result: Wdl::Loss, plies }) => (3, plies.map_or(0, |plies| -i64::from(plies))),
        });
        moves
    }
}

impl Ending {
    /// Returns the result before the move that led here, for the side that made it.
    fn before(self) -> Self {
        Self { result: self.result.reversed(), plies: self.plies.map(|plies| plies + 1) }
    }
}

fn look(databases: &Databases, position: &Position) -> Option<Ending> {
    if !position.can_move() {
        // A side that cannot move has lost.
        return Some(Ending { result: Wdl::Loss, plies: Some(0) });
    }
    let exact = databases.distance(position).map(|(result, plies)| Ending { result, plies: Some(plies) });
    exact.or_else(|| databases.probe(position).map(|result| Ending { result, plies: None }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;

    #[test]
    fn the_best_move_comes_first() {
        let (mv, position) = (Position::start().moves()[0], fen::parse("B:W32:BK22,K23").unwrap());
        let ending = |result, plies| Some(Ending { result, plies });
        let sorted = [
            ending(Wdl::Win, Some(2)),
            ending(Wdl::Win, Some(8)),
            ending(Wdl::Draw, None),
            None,
            ending(Wdl::Loss, Some(9)),
            ending(Wdl::Loss, Some(3)),
        ];
        let moves = [5, 0, 3, 1, 4, 2].map(|index| (mv, sorted[index])).to_vec();
        let probe = Probe { position, ending: None, moves };
        assert!(probe.best_first().iter().map(|(_, ending)| *ending).eq(sorted));
    }
}
