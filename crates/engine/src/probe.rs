//! Probes the endgame databases for a position and each of its moves.

use std::fmt;

use draughts::board::{Move, Position};
use draughts::result::{KnownValue, Wdl};
use endgames::Databases;

/// How hard a move is to answer: the number of replies that worsen the other side's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErringReplies {
    /// The number of replies that worsen the result.
    pub errors: usize,
    /// The total number of replies.
    pub replies: usize,
}

/// Formats the count for users: `3 of 8 replies err`.
impl fmt::Display for ErringReplies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { errors, replies } = self;
        let reply = if *replies == 1 { "reply errs" } else { "replies err" };
        write!(f, "{errors} of {replies} {reply}")
    }
}

/// The results of a position and its moves.
#[must_use]
#[derive(Clone, Debug)]
pub struct Probe {
    /// The position looked up.
    pub position: Position,
    /// The result, ignoring draws by repetition and by lack of progress.
    pub known: Option<KnownValue>,
    /// The result after each legal move, for the side that makes it.
    pub moves: Vec<(Move, Option<KnownValue>)>,
    /// The count of erring replies to each move, in the same order; `None` if the other side has lost, or if
    /// a result is unknown.
    errors: Vec<Option<ErringReplies>>,
}

impl Probe {
    /// Looks up a position and the positions after each move.
    pub fn of(databases: &Databases, position: &Position) -> Self {
        let after = |&mv: &Move| (mv, known_value(databases, &position.after(mv)).map(KnownValue::before));
        let moves: Vec<_> = position.moves().iter().map(after).collect();
        let errors =
            |&(mv, known): &(Move, Option<KnownValue>)| count_errors(databases, position, mv, known?);
        let errors = moves.iter().map(errors).collect();
        Self { position: *position, known: known_value(databases, position), moves, errors }
    }

    /// Returns how hard a move is to answer; `None` if the other side has lost, or if a result is unknown.
    #[must_use]
    pub fn errors_after(&self, mv: Move) -> Option<ErringReplies> {
        let index = self.moves.iter().position(|(own, _)| *own == mv)?;
        self.errors.get(index).copied().flatten()
    }

    /// Returns the moves, best first: wins, shortest first; then draws; then unknown results; then losses,
    /// longest first.
    #[must_use]
    pub fn best_first(&self) -> Vec<(Move, Option<KnownValue>)> {
        let mut moves = self.moves.clone();
        moves.sort_by_key(|(_, known)| match *known {
            Some(KnownValue { result: Wdl::Win, plies }) => (0, plies.map_or(0, i64::from)),
            Some(KnownValue { result: Wdl::Draw, .. }) => (1, 0),
            None => (2, 0),
            Some(KnownValue { result: Wdl::Loss, plies }) => (3, plies.map_or(0, |plies| -i64::from(plies))),
        });
        moves
    }
}

fn count_errors(
    databases: &Databases,
    position: &Position,
    mv: Move,
    known: KnownValue,
) -> Option<ErringReplies> {
    if known.result == Wdl::Win {
        return None;
    }
    let next = position.after(mv);
    let replies = next.moves();
    let results: Option<Vec<_>> =
        replies.iter().map(|&reply| known_value(databases, &next.after(reply))).collect();
    let errors = results?.iter().filter(|after| after.result != known.result).count();
    Some(ErringReplies { errors, replies: replies.len() })
}

/// Returns the value of a position, with its distance if the databases know it.
pub(crate) fn known_value(databases: &Databases, position: &Position) -> Option<KnownValue> {
    if !position.can_move() {
        // A side that cannot move has lost.
        return Some(KnownValue::LOST);
    }
    let result = || databases.probe(position).map(|result| KnownValue::new(result, None));
    databases.distance(position).or_else(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;

    #[test]
    fn replies_that_err_are_counted() {
        let databases = Databases::compiled_in();
        for text in ["W:WK10,K31:B1,16,18", "B:WK32:BK1,K2", "W:WK32:BK28,K20", "W:WK6,K32:BK1,10,15"] {
            let position = fen::parse(text).unwrap();
            let probe = Probe::of(&databases, &position);
            for &(mv, known) in &probe.moves {
                let next = Probe::of(&databases, &position.after(mv));
                let worse = |own: Wdl| match next.known.unwrap().result {
                    Wdl::Win => own != Wdl::Win,
                    Wdl::Draw => own == Wdl::Loss,
                    Wdl::Loss => false,
                };
                let errors = next.moves.iter().filter(|(_, own)| worse(own.unwrap().result)).count();
                let expected = (known.unwrap().result != Wdl::Win)
                    .then_some(ErringReplies { errors, replies: next.moves.len() });
                assert_eq!(probe.errors_after(mv), expected, "{text} {mv:?}");
            }
        }
    }

    #[test]
    fn the_best_move_comes_first() {
        let (mv, position) = (Position::start().moves()[0], fen::parse("B:W32:BK22,K23").unwrap());
        let known = |result, plies| Some(KnownValue::new(result, plies));
        let sorted = [
            known(Wdl::Win, Some(2)),
            known(Wdl::Win, Some(8)),
            known(Wdl::Draw, None),
            None,
            known(Wdl::Loss, Some(9)),
            known(Wdl::Loss, Some(3)),
        ];
        let moves = [5, 0, 3, 1, 4, 2].map(|index| (mv, sorted[index])).to_vec();
        let probe = Probe { position, known: None, moves, errors: Vec::new() };
        assert!(probe.best_first().iter().map(|(_, known)| *known).eq(sorted));
    }
}
