//! The endgame databases in the search: which moves of a root with a known result compete, and what a known
//! result means within the search.
//!
//! | file | contents |
//! |---|---|
//! | `examined_root` | the result of the root, the moves that keep it, and what it makes of other results |
//! | `probe` | looks up positions of the search, and scores them |
//! | `practical` | ranks the moves of a drawn root by the chance that the opponent errs |
//!
//! # Why a known result does not end the search
//!
//! The databases know the result of a position, but mostly not how far away it is, and all moves that keep
//! the result look equal. A winner that chooses among them at random makes no progress, and a draw is easily
//! simplified until no opponent can lose it. So, in a root with a known result, the search compares the moves
//! that keep it by the evaluation, in positions with as many pieces as the root. With fewer pieces, the
//! result has been simplified or decided, and ends the line.
//!
//! In a draw, such scores measure winning chances. They are no results, so they have a table of their own,
//! and repetitions and exchanges cost a penalty.
//!
//! # Why an opponent is modelled
//!
//! The evaluation shows who stands better in a draw, not which side can go wrong. An error is a fact that the
//! databases can check, if the opponent's reply is known; so this engine without databases plays the
//! opponent. It searches in iterations. The share of iterations whose best reply loses is the chance of an
//! error, and the last one counts more, since it is what an opponent with as many nodes plays. Errors are
//! rare, so positions after correct replies are examined in the same way, and the best chance among them
//! counts, reduced for each move by which it lies further away.
//!
//! `docs/experiments.md` has the measurements: an engine with fewer nodes erred after 11 of 15 moves that were
//! predicted to make it err, and after 3 of 2,452 others. Choosing the move with the most losing replies, a
//! model without a search, won fewer games, and so did small differences in the chance (`chance_min_error`).
//! In lost positions the method saved fewer games than the evaluation or the longest resistance, so losses
//! are not played in this way.
//!
//! The searches for replies take at most half of the limits on time and nodes, and no more than `MAX_NODES`.

mod examined_root;
mod practical;
mod probe;

pub(super) use examined_root::{ExaminedRoot, RootEnding, RootMove, best_count};

use self::examined_root::DrawRanks;
use self::practical::rank_draws;
use crate::eval::Evaluation;
use crate::search::Task;

/// Looks up the root in the databases and ranks its moves.
pub(super) fn examine_root<'a>(task: &Task<'a>, evaluation: Evaluation<'a>) -> ExaminedRoot<'a> {
    let ending = RootEnding::of(task);
    let is_drawn = ending == RootEnding::Drawn;
    let ranks = if is_drawn { rank_draws(task, evaluation) } else { DrawRanks::default() };
    ExaminedRoot::new(task, ending, ranks)
}
