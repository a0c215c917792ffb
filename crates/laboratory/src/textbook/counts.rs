//! The counts of a search, in the columns of Peterson's tables.

use std::ops::AddAssign;

/// Counts of a search or of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchCounts {
    /// Moves made.
    pub explored: u64,
    /// Beta cuts.
    pub cuts: u64,
    /// Nodes with an exact value in the table.
    pub table_exact: u64,
    /// Cuts by a bound in the table.
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
