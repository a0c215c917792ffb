//! Probes the endgame databases for a position and each of its moves.

use std::cmp::Reverse;
use std::fmt;

use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::referee::DrawRules;
use kelso_draughts::result::{KnownValue, Wdl};
use kelso_endgames::Databases;

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

/// A move and the value that it leads to.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub struct ProbedMove {
    pub mv: Move,
    /// The value after the move, for the side that makes it.
    pub known: Option<KnownValue>,
    /// The count of erring replies; `None` if the other side has lost, or if a result is unknown.
    pub errors: Option<ErringReplies>,
}

/// The results of a position and its moves.
#[must_use]
#[derive(Clone, Debug)]
pub struct Probe {
    /// The position looked up.
    pub position: Position,
    /// The result, ignoring draws by repetition and by lack of progress.
    pub known: Option<KnownValue>,
    /// All legal moves.
    pub moves: Vec<ProbedMove>,
}

impl Probe {
    /// Looks up a position and the positions after each move.
    pub fn of(databases: &Databases, position: &Position) -> Self {
        let mut moves = Vec::new();
        for mv in position.moves() {
            let next = position.after(mv);
            let value = databases.value(&next).map(KnownValue::for_parent);
            let errors = value.and_then(|value| count_errors(databases, &next, value.wdl));
            moves.push(ProbedMove { mv, known: value, errors });
        }
        Self { position: *position, known: databases.value(position), moves }
    }

    /// Leaves out the wins and losses that may take longer than a draw rule permits.
    pub(super) fn with_draw_rules(mut self, draws: DrawRules, game: &Game) -> Self {
        let plies = draws.plies_without_progress(game);
        self.known = self.known.filter(|&value| draws.permits(value, plies));
        for probed in &mut self.moves {
            // The distances are counted before the move; after progress, the plies of the draw rule begin
            // anew.
            let plies = if draws.progress.is_progress(probed.mv) { 0 } else { plies };
            probed.known = probed.known.filter(|&value| draws.permits(value, plies));
            probed.errors = probed.errors.filter(|_| probed.known.is_some());
        }
        self
    }

    /// Returns the moves, best first: wins, shortest first; then draws; then unknown results; then losses,
    /// longest first.
    #[must_use]
    pub fn best_first(&self) -> Vec<ProbedMove> {
        let mut moves = self.moves.clone();
        // Unknown results come between draws and losses.
        moves.sort_by_key(|mv| Reverse(mv.known.map_or(-1, KnownValue::rank)));
        moves
    }
}

/// Counts the replies that worsen the result after a move. `wdl` is for the side that made it.
fn count_errors(databases: &Databases, next: &Position, wdl: Wdl) -> Option<ErringReplies> {
    if wdl == Wdl::Win {
        return None;
    }
    let replies = next.moves();
    let values: Option<Vec<_>> = replies.iter().map(|&reply| databases.value(&next.after(reply))).collect();
    let errors = values?.iter().filter(|after| after.wdl != wdl).count();
    Some(ErringReplies { errors, replies: replies.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn replies_that_err_are_counted() {
        let databases = Databases::compiled_in();
        for text in ["W:WK10,K31:B1,16,18", "B:WK32:BK1,K2", "W:WK32:BK28,K20", "W:WK6,K32:BK1,10,15"] {
            let position = fen::parse(text).unwrap();
            let probe = Probe::of(&databases, &position);
            for &ProbedMove { mv, known, errors } in &probe.moves {
                let next = Probe::of(&databases, &position.after(mv));
                let worse = |own: Wdl| match next.known.unwrap().wdl {
                    Wdl::Win => own != Wdl::Win,
                    Wdl::Draw => own == Wdl::Loss,
                    Wdl::Loss => false,
                };
                let worse_count = next.moves.iter().filter(|reply| worse(reply.known.unwrap().wdl)).count();
                let expected = (known.unwrap().wdl != Wdl::Win)
                    .then_some(ErringReplies { errors: worse_count, replies: next.moves.len() });
                assert_eq!(errors, expected, "{text} {mv:?}");
            }
        }
    }

    #[test]
    fn wins_that_may_come_after_a_draw_are_left_out() {
        let game = Game::new(fen::parse("B:W32:BK22,K23").unwrap());
        for (rule, is_won) in [("standard", true), ("plies 5", true), ("plies 4", false)] {
            let probe = Probe::of(&Databases::compiled_in(), game.position());
            let probe = probe.with_draw_rules(rule.parse().unwrap(), &game);
            assert_eq!(probe.known.is_some(), is_won, "{rule}");
            let wins = probe.moves.iter().filter(|mv| mv.known.is_some_and(|value| value.wdl == Wdl::Win));
            assert_eq!(wins.count() > 0, is_won, "{rule}");
        }
        let game = Game::new(fen::parse("B:W18:B14").unwrap());
        let probe = Probe::of(&Databases::compiled_in(), game.position());
        assert!(
            probe.with_draw_rules("plies 1".parse().unwrap(), &game).moves[0].known.is_some(),
            "a capture"
        );
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
        let moves =
            [5, 0, 3, 1, 4, 2].map(|index| ProbedMove { mv, known: sorted[index], errors: None }).to_vec();
        let probe = Probe { position, known: None, moves };
        assert!(probe.best_first().iter().map(|mv| mv.known).eq(sorted));
    }
}
