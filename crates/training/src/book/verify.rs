//! Verification of books: every move must be legal, and every value must follow from the values of the
//! positions after its moves.

use std::collections::BTreeMap;

use super::tree::BookTree;
use draughts::notation::fen;
use engine::book::{Book, BookEntry, Drop, Key};

/// Verifies a book. Returns its entries, or a description of each fault.
pub fn verify(book: &Book) -> Result<BTreeMap<Key, BookEntry>, Vec<String>> {
    let (mut faults, mut entries, mut places, mut last) = (Vec::new(), BTreeMap::new(), Vec::new(), None);
    for (index, entry) in book.entries().enumerate() {
        let at = book.place(index);
        let (key, entry) = match entry {
            Ok(read) => read,
            Err(damage) => {
                faults.push(fault(at, None, &format!("invalid entry: {}", damage.reason)));
                continue;
            }
        };
        if last.is_some_and(|last| last >= key) {
            faults.push(fault(at, Some(key), "not in order after the previous entry"));
        }
        last = Some(key);
        if key.position().is_none() {
            faults.push(fault(at, None, "invalid position"));
            continue;
        }
        let there = BookTree::children(key).len();
        if entry.drops.len() != there || there == 0 {
            let reason = format!("expected {there} moves, got {}", entry.drops.len());
            faults.push(fault(at, Some(key), &reason));
            continue;
        }
        if !entry.drops.contains(&Drop(0)) {
            faults.push(fault(at, Some(key), "at least one move must have no drop"));
        }
        places.push((key, at));
        entries.insert(key, entry);
    }
    for (key, at) in places {
        let reasons = inconsistencies(key, &entries);
        faults.extend(reasons.iter().map(|reason| fault(at, Some(key), reason)));
    }
    if faults.is_empty() { Ok(entries) } else { Err(faults) }
}

/// Describes a fault in the entry at a byte offset.
fn fault(at: usize, key: Option<Key>, reason: &str) -> String {
    let fen = key.and_then(Key::position).map(|position| format!(", {}", fen::format(&position)));
    format!("byte {at}{}: {reason}", fen.unwrap_or_default())
}

/// Compares the drops of an entry with the entries of the positions after its moves.
fn inconsistencies(key: Key, entries: &BTreeMap<Key, BookEntry>) -> Vec<String> {
    let Some(BookEntry { score, drops, .. }) = entries.get(&key) else { return Vec::new() };
    let moves = (1..).zip(BookTree::children(key)).zip(drops);
    let wrong = |((number, (child, reversible)), drop): ((u32, (Key, bool)), &Drop)| {
        let behind = -entries.get(&child).filter(|_| !reversible)?.score;
        let differs = score.drop_to(behind) != *drop || behind > *score;
        differs
            .then(|| format!("value {score} with move {number} at {drop}, but that move leads to {behind}"))
    };
    moves.filter_map(wrong).collect()
}
