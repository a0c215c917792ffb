//! Pruning of books: the positions of the lowest cost in drop-out expansion are kept.

use std::collections::BTreeMap;

use super::tree::Tree;
use engine::book::file::{GROUP, RECORD};
use engine::book::{Entry, Key};

/// The limits of a pruned book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PruneLimits {
    /// The most entries.
    pub entries: Option<usize>,
    /// The most bytes of entries and drops.
    pub bytes: Option<usize>,
}

/// Returns the entries of the lowest cost. The roots are `roots` and the positions that no move leads to. Kept entries stay as
/// they are, even if the positions behind them are gone.
pub fn prune(
    entries: BTreeMap<Key, Entry>,
    roots: &[Key],
    width: u32,
    limits: PruneLimits,
) -> BTreeMap<Key, Entry> {
    let mut tree = Tree::of(&entries, width);
    for &root in roots {
        tree.set_root(root);
    }
    let costs = tree.costs();
    let mut order: Vec<_> =
        entries.into_iter().filter_map(|(key, entry)| Some((*costs.get(&key)?, key, entry))).collect();
    order.sort_by_key(|&(cost, key, _)| (cost, key));
    let mut bytes = 0;
    let mut fits = |index: usize, entry: &Entry| {
        bytes += RECORD + entry.drops.len() + if index.is_multiple_of(GROUP) { 4 } else { 0 };
        limits.entries.is_none_or(|most| index < most) && limits.bytes.is_none_or(|most| bytes <= most)
    };
    let kept = order.into_iter().enumerate().take_while(|(index, (_, _, entry))| fits(*index, entry));
    kept.map(|(_, (_, key, entry))| (key, entry)).collect()
}
