//! The endgame databases in the search, and the choice among moves whose results are known.

mod examined_root;
mod practical;
mod probe;

pub(super) use examined_root::{DrawRanks, ExaminedRoot, RootEnding, RootMove, best_count};
pub(super) use practical::rank_draws;
