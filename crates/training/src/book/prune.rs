//! A smaller book: the positions that are cheapest to come to, as drop-out expansion counts.

use std::collections::BTreeMap;

use super::tree::{Misfit, Tree};
use engine::book::{Entry, Key};

/// What of a book is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// No more entries.
    pub entries: Option<usize>,
    /// No more bytes of entries and drops.
    pub bytes: Option<usize>,
}

/// What an entry takes in a file, besides its drops.
const ENTRY: usize = 16;
/// Entries that share four bytes more.
const GROUP: usize = 32;

/// The part of a book that is cheapest to come to from its roots, which are `roots` and whatever no move leads to. What the
/// entries say stays as it is, though what it was made of may be gone.
///
/// # Errors
///
/// When an entry is wrong.
pub fn prune(
    entries: BTreeMap<Key, Entry>,
    roots: &[Key],
    width: u32,
    keep: Keep,
) -> Result<BTreeMap<Key, Entry>, (Key, Misfit)> {
    let mut tree = Tree::of(&entries, width)?;
    for &root in roots {
        tree.set_root(root);
    }
    let costs = tree.costs();
    let mut order: Vec<_> =
        entries.into_iter().filter_map(|(key, entry)| Some((*costs.get(&key)?, key, entry))).collect();
    order.sort_by_key(|&(cost, key, _)| (cost, key));
    let mut bytes = 0;
    let mut fits = |index: usize, entry: &Entry| {
        bytes += ENTRY + entry.drops.len() + if index.is_multiple_of(GROUP) { 4 } else { 0 };
        keep.entries.is_none_or(|most| index < most) && keep.bytes.is_none_or(|most| bytes <= most)
    };
    let kept = order.into_iter().enumerate().take_while(|(index, (_, _, entry))| fits(*index, entry));
    Ok(kept.map(|(_, (_, key, entry))| (key, entry)).collect())
}
