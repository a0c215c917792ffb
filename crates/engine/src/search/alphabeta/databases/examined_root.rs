//! The root as examined before the search: what the databases know of it, and which moves are searched.

use std::cmp::Reverse;

use crate::search::Task;
use crate::search::table::TranspositionTable;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::result::{KnownValue, Wdl};
use kelso_endgames::Databases;

/// The result of the root in the databases, which decides how the search uses them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RootEnding {
    /// The root is unknown. Lines end where a result is known.
    Unknown,
    /// The root is won or lost. Moves that keep the result are searched, and compared by the evaluation until
    /// pieces are exchanged, so that pruning works as it does without databases. This makes more progress
    /// than exact scores.
    Decisive(Wdl),
    /// The root is drawn. Moves that keep the draw are searched, beyond known draws, for winning chances.
    Drawn,
}

/// The meaning of the known result of a position in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultKind {
    /// A win or a loss that ends the line.
    Decided,
    /// A win or a loss with as many pieces as the root, in which the search itself has to make progress.
    InProgress,
    /// A draw, which ends the line.
    Draw,
    /// A draw with as many pieces as the drawn root, beyond which the search continues.
    HeldDraw,
    /// A draw with fewer pieces than the drawn root, which ends the line.
    SimplerDraw,
}

/// The root of a search with its result in the databases.
pub(crate) struct ExaminedRoot<'a> {
    /// The memory's main table or, if the root is a known draw, its table for such searches.
    pub(crate) table: &'a TranspositionTable,
    pub(crate) ending: RootEnding,
    pieces: u32,
    /// The root moves to search, best rank first.
    pub(crate) moves: Vec<RootMove>,
    /// The number of nodes that were searched to rank the moves.
    pub(crate) nodes: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The database rank; the search compares only moves of equal rank.
    pub(crate) rank: i64,
    pub(crate) nodes: u64,
}

/// The moves that keep a known draw, ranked, and the nodes that this took.
#[derive(Debug, Default)]
pub(crate) struct DrawRanks {
    /// The ranks of the moves, by the chance that the opponent throws away the draw.
    pub(crate) ranks: Vec<(Move, i64)>,
    pub(crate) nodes: u64,
}

impl RootEnding {
    /// Looks up the root in the databases.
    pub(crate) fn of(task: &Task<'_>) -> Self {
        match task.databases.probe(task.game.position()) {
            None => Self::Unknown,
            Some(Wdl::Draw) => Self::Drawn,
            Some(wdl) => Self::Decisive(wdl),
        }
    }
}

impl<'a> ExaminedRoot<'a> {
    /// Ranks the moves of a root with this result.
    pub(crate) fn new(task: &Task<'a>, ending: RootEnding, DrawRanks { ranks, nodes }: DrawRanks) -> Self {
        let is_drawn = ending == RootEnding::Drawn;
        let table = if is_drawn { &task.memory.draw_table } else { &task.memory.table };
        let pieces = task.game.position().piece_count();
        Self { table, ending, pieces, moves: root_moves(task, &ranks), nodes }
    }

    /// Creates a root of which nothing is known.
    pub(crate) fn unknown(position: &Position, table: &'a TranspositionTable) -> Self {
        let moves = position.moves().iter().map(|&mv| RootMove { mv, rank: 0, nodes: 0 }).collect();
        Self { table, ending: RootEnding::Unknown, pieces: position.piece_count(), moves, nodes: 0 }
    }

    /// Returns what a known result of a position means in this search.
    pub(crate) fn result_kind(&self, position: &Position, wdl: Wdl) -> ResultKind {
        let is_simpler = position.piece_count() < self.pieces;
        match (self.ending, wdl) {
            (RootEnding::Drawn, Wdl::Draw) if is_simpler => ResultKind::SimplerDraw,
            (RootEnding::Drawn, Wdl::Draw) => ResultKind::HeldDraw,
            (_, Wdl::Draw) => ResultKind::Draw,
            (RootEnding::Drawn, _) => ResultKind::Decided,
            _ if is_simpler => ResultKind::Decided,
            _ => ResultKind::InProgress,
        }
    }
}

/// Returns the root moves, best rank first. `bonuses` are added to the database ranks. For a single line,
/// returns only moves of the best rank.
fn root_moves(task: &Task<'_>, bonuses: &[(Move, i64)]) -> Vec<RootMove> {
    let position = task.game.position();
    let mut moves = position.moves();
    moves.retain(|mv| task.limits.allows(*mv));
    let bonus = |mv| bonuses.iter().find(|(own, _)| *own == mv).map_or(0, |&(_, bonus)| bonus);
    let ranks = root_ranks(task.databases, position, &moves);
    let ranked =
        moves.into_iter().zip(ranks).map(|(mv, rank)| RootMove { mv, rank: rank + bonus(mv), nodes: 0 });
    let mut choices: Vec<_> = ranked.collect();
    choices.sort_by_key(|choice| Reverse(choice.rank));
    if task.options.multi_pv <= 1 {
        let count = best_count(&choices);
        choices.truncate(count);
    }
    choices
}

/// Returns the number of moves at the beginning of the list that have the same database rank as the first.
pub(crate) fn best_count(moves: &[RootMove]) -> usize {
    moves.iter().take_while(|choice| choice.rank == moves[0].rank).count()
}

/// Returns the [rank](KnownValue::rank) of each move of a position, or the same for all if the databases do
/// not know all moves.
///
/// If the distances of the position are unknown, distances after an exchange are ignored, since they cannot
/// be compared with the other moves.
fn root_ranks(databases: &Databases, position: &Position, moves: &[Move]) -> Vec<i64> {
    let has_distances = databases.distance(position).is_some();
    let mut ranks = Vec::with_capacity(moves.len());
    if databases.covers(position.piece_count()) {
        for &mv in moves {
            let next = position.after(mv);
            let Some(wdl) = databases.probe(&next) else { break };
            let distance = if has_distances { databases.distance(&next) } else { None };
            ranks.push(distance.unwrap_or(KnownValue::new(wdl, None)).for_parent().rank());
        }
    }
    if ranks.len() < moves.len() { vec![0; moves.len()] } else { ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::WON_ENDINGS;
    use kelso_draughts::notation::fen;

    #[test]
    fn distances_after_an_exchange_do_not_count_among_moves_without_distances() {
        let databases = Databases::compiled_in();
        let mut exchanges = 0;
        for text in WON_ENDINGS {
            let position = fen::parse(text).unwrap();
            let moves = position.moves();
            let ranks = root_ranks(&databases, &position, &moves);
            for (&mv, rank) in moves.iter().zip(ranks) {
                let next = position.after(mv);
                let result = databases.probe(&next).unwrap().reversed();
                let expected = KnownValue::new(result, None).rank();
                assert_eq!(rank, expected, "{text} {mv:?}");
                exchanges += usize::from(databases.distance(&next).is_some());
            }
        }
        assert!(exchanges > 0);
    }

    #[test]
    fn only_moves_of_the_best_rank_compete() {
        let mv = kelso_draughts::Position::start().moves()[0];
        let ranked = |ranks: &[i64]| {
            best_count(&ranks.iter().map(|&rank| RootMove { mv, rank, nodes: 0 }).collect::<Vec<_>>())
        };
        assert_eq!([ranked(&[2, 2, 1, 2]), ranked(&[5]), ranked(&[])], [2, 1, 0]);
    }
}
