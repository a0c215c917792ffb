//! The counts of a search, in the columns of Peterson's tables.

use std::ops::AddAssign;

/// Counts of a search or of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchCounts {
    /// Moves made.
    pub explored: u64,
    /// Nodes left because a move was too good for the other side to allow.
    pub cuts: u64,
    /// Nodes whose exact value was remembered.
    pub table_exact: u64,
    /// Nodes left because of a remembered bound.
    pub table_cuts: u64,
    /// The deepest ply that was reached.
    pub deepest: usize,
}

impl AddAssign for SearchCounts {
    fn add_assign(&mut self, other: Self) {
        self.explored += other.explored;
        self.cuts += other.cuts;
        self.table_exact += other.table_exact;
        self.table_cuts += other.table_cuts;
        self.deepest = self.deepest.max(other.deepest);
    }
}
