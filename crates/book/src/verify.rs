//! Verification of books: every move must be legal, and every value must follow from the values of the
//! positions after its moves.

use std::collections::BTreeMap;
use std::fmt;

use super::tree::BookTree;
use kelso_draughts::notation::fen;
use kelso_engine::book::{Book, BookEntry, BookScore, Key, ScoreDrop};

/// A fault of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryFault {
    /// The offset of the entry in the file.
    at: usize,
    /// The position, if it is known.
    key: Option<Key>,
    kind: EntryFaultKind,
}

/// The kinds of faults of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum EntryFaultKind {
    #[error("invalid entry: its score or its drops are invalid")]
    Unreadable,
    #[error("not in order after the previous entry")]
    Order,
    #[error("invalid position")]
    Position,
    #[error("expected {expected} moves, got {found}")]
    Moves { found: usize, expected: usize },
    #[error("at least one move must have no drop")]
    NoBest,
    #[error("value {score} with move {number} at {drop}, but that move leads to {behind}")]
    Value { score: BookScore, number: u32, drop: ScoreDrop, behind: BookScore },
}

impl fmt::Display for EntryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, key, kind } = self;
        match key.and_then(Key::position) {
            Some(position) => write!(f, "byte {at}, {}: {kind}", fen::format(&position)),
            None => write!(f, "byte {at}: {kind}"),
        }
    }
}

/// Verifies a book. Returns its entries, or all faults.
pub fn verify(book: &Book) -> Result<BTreeMap<Key, BookEntry>, Vec<EntryFault>> {
    let (mut faults, mut entries, mut places, mut last) = (Vec::new(), BTreeMap::new(), Vec::new(), None);
    for (index, entry) in book.entries().enumerate() {
        let place = book.place(index);
        let mut fault = |key, kind| faults.push(EntryFault { at: place, key, kind });
        let Ok((key, entry)) = entry else {
            fault(None, EntryFaultKind::Unreadable);
            continue;
        };
        if last.is_some_and(|last| last >= key) {
            fault(Some(key), EntryFaultKind::Order);
        }
        last = Some(key);
        if key.position().is_none() {
            fault(None, EntryFaultKind::Position);
            continue;
        }
        let (found, expected) = (entry.drops.len(), BookTree::children(key).len());
        if found != expected || expected == 0 {
            fault(Some(key), EntryFaultKind::Moves { found, expected });
            continue;
        }
        if !entry.drops.contains(&ScoreDrop(0)) {
            fault(Some(key), EntryFaultKind::NoBest);
        }
        places.push((key, place));
        entries.insert(key, entry);
    }
    for (key, at) in places {
        let kinds = inconsistencies(key, &entries);
        faults.extend(kinds.into_iter().map(|kind| EntryFault { at, key: Some(key), kind }));
    }
    if faults.is_empty() { Ok(entries) } else { Err(faults) }
}

/// Compares the drops of an entry with the entries of the positions after its moves.
fn inconsistencies(key: Key, entries: &BTreeMap<Key, BookEntry>) -> Vec<EntryFaultKind> {
    let Some(&BookEntry { score, ref drops, .. }) = entries.get(&key) else { return Vec::new() };
    let moves = (1..).zip(BookTree::children(key)).zip(drops);
    let wrong = |((number, (child, reversible)), &drop): ((u32, (Key, bool)), &ScoreDrop)| {
        let child_score = -entries.get(&child).filter(|_| !reversible)?.score;
        let differs = score.drop_to(child_score) != drop || child_score > score;
        differs.then_some(EntryFaultKind::Value { score, number, drop, behind: child_score })
    };
    moves.filter_map(wrong).collect()
}
