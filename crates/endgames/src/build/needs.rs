//! Memory and disk space that slices need while they are solved.

use std::collections::HashSet;

use super::pair::Rule;
use super::table::table_size;
use crate::index::Index;
use crate::slice::Slice;

/// The memory for solving slices.
pub(super) struct MemoryNeed {
    /// The slices whose tables must be in memory.
    pub(super) needed: HashSet<Slice>,
    /// Bytes of those tables.
    tables: u64,
    /// All other bytes.
    pub(super) own: u64,
}

impl MemoryNeed {
    pub(super) const fn total(&self) -> u64 {
        self.tables + self.own
    }
}

/// Bytes of mapped files in memory between two releases.
const WINDOW: u64 = 48 << 20;
/// Bytes for compressing a slice.
const CODING: u64 = 4 << 20;

/// Returns the memory for solving slices, one of each pair, at the same time; the flag says that tables are on the disk.
pub(super) fn memory<R: Rule>(pairs: &[(Slice, bool)]) -> MemoryNeed {
    let mut needed = HashSet::new();
    let mut own = 0;
    for &(slice, on_disk) in pairs {
        let tables = slice.both().map(table_size::<R::Best>).sum::<u64>();
        own += R::working_memory(&Index::new(slice)) + CODING.min(tables);
        if on_disk {
            own += WINDOW.min(disk::<R>(slice) / 4);
        } else {
            needed.extend(slice.needs());
            own += tables;
        }
    }
    let tables = needed.iter().map(|&slice| table_size::<R::Best>(slice)).sum();
    MemoryNeed { needed, tables, own }
}

/// Returns the least memory for a slice and its twin.
pub(super) fn least<R: Rule>(pair: Slice) -> u64 {
    [false, true].map(|on_disk| memory::<R>(&[(pair, on_disk)]).total()).into_iter().min().unwrap_or(0)
}

/// Returns the bytes of the files in which a slice and its twin are solved if they do not fit in memory.
pub(super) fn disk<R: Rule>(pair: Slice) -> u64 {
    pair.both().chain(pair.needs()).map(table_size::<R::Best>).sum()
}
