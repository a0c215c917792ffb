//! Verification of books: every move is legal, and every value follows from those of the positions after the moves.

use std::collections::BTreeMap;

use super::tree::Tree;
use draughts::notation::fen;
use engine::book::{Book, Drop, Entry, Key};

/// A fault in a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {at}{}: {reason}", fen.as_ref().map(|fen| format!(", {fen}")).unwrap_or_default())]
pub struct Fault {
    /// The byte in the file.
    pub at: usize,
    /// The position, if it is valid.
    pub fen: Option<String>,
    /// The fault.
    pub reason: String,
}

/// Returns the entries of a book, or all its faults.
///
/// # Errors
///
/// Returns all faults, if there are any.
pub fn verify(book: &Book) -> Result<BTreeMap<Key, Entry>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut entries = BTreeMap::new();
    let mut places = Vec::new();
    let mut last = None;
    for (index, entry) in book.entries().enumerate() {
        let at = book.place(index);
        let mut fault = |key: Option<Key>, reason: String| {
            let fen = key.and_then(Key::position).map(|position| fen::format(&position));
            faults.push(Fault { at, fen, reason });
        };
        let (key, entry) = match entry {
            Ok(read) => read,
            Err(reason) => {
                fault(None, format!("invalid entry: {reason}"));
                continue;
            }
        };
        if last.is_some_and(|last| last >= key) {
            fault(Some(key), "not in order after the previous entry".to_owned());
        }
        last = Some(key);
        if key.position().is_none() {
            fault(None, "invalid position".to_owned());
            continue;
        }
        let there = Tree::children(key).len();
        if entry.drops.len() != there || there == 0 {
            fault(Some(key), format!("expected {there} moves, got {}", entry.drops.len()));
            continue;
        }
        if entry.drops.iter().all(|&drop| drop != Drop(0)) {
            fault(Some(key), "at least one move must have no drop".to_owned());
        }
        places.push((key, at));
        entries.insert(key, entry);
    }
    for (key, at) in places {
        let Some(entry) = entries.get(&key) else { continue };
        for (number, ((child, reversible), &drop)) in
            Tree::children(key).into_iter().zip(&entry.drops).enumerate()
        {
            let Some(below) = entries.get(&child).filter(|_| !reversible) else { continue };
            if entry.score.drop_to(-below.score) != drop || -below.score > entry.score {
                let fen = key.position().map(|position| fen::format(&position));
                let (score, behind, number) = (entry.score, -below.score, number + 1);
                let reason =
                    format!("value {score} with move {number} at {drop}, but that move leads to {behind}");
                faults.push(Fault { at, fen, reason });
            }
        }
    }
    if faults.is_empty() { Ok(entries) } else { Err(faults) }
}
