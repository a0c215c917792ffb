//! Merging of books.

use std::collections::BTreeMap;

use super::tree::Tree;
use engine::book::{Entry, Key};

/// Merges the entries of several books. Of a position in several books the deepest entry counts, and values are recomputed from
/// it.
pub fn merge(books: impl IntoIterator<Item = BTreeMap<Key, Entry>>) -> BTreeMap<Key, Entry> {
    let mut merged: BTreeMap<Key, Entry> = BTreeMap::new();
    for (key, entry) in books.into_iter().flatten() {
        match merged.get_mut(&key) {
            Some(known) if known.depth >= entry.depth => {}
            Some(known) => *known = entry,
            None => drop(merged.insert(key, entry)),
        }
    }
    Tree::of(&merged, 1).entries()
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::board::Position;
    use engine::book::{BookScore, Drop, moves};

    #[test]
    fn the_deeper_entry_counts_and_is_passed_up() {
        let start = Position::start();
        let entry = |position: &Position, score: i32, depth: u8, best: usize| {
            let drops = (0..moves(position).len()).map(|index| Drop(if index == best { 0 } else { 20 }));
            (Key::of(position), Entry { score: BookScore::points(score), depth, drops: drops.collect() })
        };
        let after = start.after(moves(&start)[0]);
        let one = BTreeMap::from([entry(&start, 5, 12, 0), entry(&after, -5, 11, 0)]);
        let other = BTreeMap::from([entry(&after, 30, 25, 2)]);
        let merged = merge([one.clone(), other.clone()]);
        assert_eq!(merged, merge([other, one.clone()]));
        // The best move from the start is refuted, so another is best.
        let now = &merged[&Key::of(&start)];
        assert_eq!(now.score, BookScore::points(-15));
        assert_eq!((now.drops[0], now.drops[1]), (Drop(15), Drop(0)));
        assert_eq!(merged[&Key::of(&after)].depth, 25);
        assert_eq!(merge([one.clone(), one.clone()]), one);
    }
}
