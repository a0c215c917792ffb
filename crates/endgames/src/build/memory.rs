//! The memory that a build needs.

use std::collections::HashSet;

use super::BuildError;
use super::pair::Solver;
use super::request::{BuildRequest, BuildResult};
use super::table::table_size;
use crate::Slice;
use crate::index::Index;

/// Returns an error if a pair of slices needs more memory than the request allows.
pub(crate) fn check_memory<R: Solver>(request: &BuildRequest) -> BuildResult {
    let needs =
        request.pairs(R::CONTENT).into_iter().map(|pair| (MemoryNeed::of::<R>(&[pair]).total(), pair));
    needs
        .max()
        .filter(|&(bytes, _)| bytes > request.memory)
        .map_or(Ok(()), |(bytes, pair)| Err(BuildError::Memory(pair, bytes)))
}

/// Memory in bytes needed to compress a slice.
const CODING_BYTES: u64 = 4 << 20;

/// The memory needed to solve pairs of slices at the same time.
pub(crate) struct MemoryNeed {
    /// The slices whose tables are read.
    pub(crate) sources: HashSet<Slice>,
    source_bytes: u64,
    /// All other memory, in bytes.
    pub(crate) own_bytes: u64,
}

impl MemoryNeed {
    pub(crate) fn of<R: Solver>(pairs: &[Slice]) -> Self {
        let mut sources = HashSet::new();
        let mut own_bytes = 0;
        for slice in pairs {
            let tables = slice.both().map(table_size::<R::Cell>).sum::<u64>();
            own_bytes += R::working_memory(&Index::new(*slice)) + CODING_BYTES.min(tables) + tables;
            sources.extend(slice.needs());
        }
        let source_bytes = sources.iter().map(|&slice| table_size::<R::Cell>(slice)).sum();
        Self { sources, source_bytes, own_bytes }
    }

    pub(crate) const fn total(&self) -> u64 {
        self.source_bytes + self.own_bytes
    }
}
