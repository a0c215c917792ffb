//! Verification of books: every move must be legal, and every value must follow from the values of the
//! positions after its moves.

use std::collections::BTreeMap;
use std::fmt;

use super::tree::BookTree;
use kelso_draughts::board::relative::Key;
use kelso_draughts::notation::fen;
use kelso_engine::book::{Book, BookEntry, BookScore, ScoreDrop};

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
    #[error("invalid score or drops")]
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
    let mut faults = Vec::new();
    let mut entries = BTreeMap::new();
    let mut offsets = Vec::new();
    let mut last = None;
    for (index, entry) in book.entries().enumerate() {
        let at = book.offset(index);
        let Ok((key, entry)) = entry else {
            faults.push(EntryFault { at, key: None, kind: EntryFaultKind::Unreadable });
            continue;
        };
        if last.is_some_and(|last| last >= key) {
            faults.push(EntryFault { at, key: Some(key), kind: EntryFaultKind::Order });
        }
        last = Some(key);
        if key.position().is_none() {
            faults.push(EntryFault { at, key: None, kind: EntryFaultKind::Position });
            continue;
        }
        let found = entry.drops.len();
        let expected = BookTree::edges(key).len();
        if found != expected || expected == 0 {
            faults.push(EntryFault { at, key: Some(key), kind: EntryFaultKind::Moves { found, expected } });
            continue;
        }
        if !entry.drops.contains(&ScoreDrop(0)) {
            faults.push(EntryFault { at, key: Some(key), kind: EntryFaultKind::NoBest });
        }
        offsets.push((key, at));
        entries.insert(key, entry);
    }
    for (key, at) in offsets {
        let kinds = inconsistencies(key, &entries);
        faults.extend(kinds.into_iter().map(|kind| EntryFault { at, key: Some(key), kind }));
    }
    if faults.is_empty() { Ok(entries) } else { Err(faults) }
}

/// Compares the drops of an entry with the entries of the positions after its moves.
fn inconsistencies(key: Key, entries: &BTreeMap<Key, BookEntry>) -> Vec<EntryFaultKind> {
    let Some(&BookEntry { score, ref drops, .. }) = entries.get(&key) else { return Vec::new() };
    let mut kinds = Vec::new();
    for ((number, edge), &drop) in (1..).zip(BookTree::edges(key)).zip(drops) {
        let Some(entry) = entries.get(&edge.to).filter(|_| !edge.reversible) else { continue };
        let behind = -entry.score;
        if score.drop_to(behind) != drop || behind > score {
            kinds.push(EntryFaultKind::Value { score, number, drop, behind });
        }
    }
    kinds
}
