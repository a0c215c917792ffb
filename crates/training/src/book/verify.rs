//! Whether a book is sound: every move legal, and every worth what follows from those below it.

use std::collections::BTreeMap;
use std::fmt;

use super::tree::Tree;
use draughts::notation::fen;
use engine::book::{Book, Drop, Entry, Key};

/// Something wrong in a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where in the file, in bytes.
    pub at: usize,
    /// The position, if it is one.
    pub fen: Option<String>,
    /// What is wrong.
    pub reason: String,
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}", self.at)?;
        if let Some(fen) = &self.fen {
            write!(f, ", {fen}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// The entries of a book, or all that is wrong with it.
///
/// # Errors
///
/// When anything is wrong.
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
                fault(None, format!("no entry: {reason}"));
                continue;
            }
        };
        if last.is_some_and(|last| last >= key) {
            fault(Some(key), "not in order after the entry before it".to_owned());
        }
        last = Some(key);
        if key.position().is_none() {
            fault(None, "no position".to_owned());
            continue;
        }
        let there = Tree::children(key).len();
        if entry.drops.len() != there || there == 0 {
            fault(Some(key), format!("{} moves, expected {there}", entry.drops.len()));
            continue;
        }
        if entry.drops.iter().all(|&drop| drop != Drop(0)) {
            fault(Some(key), "no move without a drop, expected one at least".to_owned());
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
            if entry.worth.drop_to(-below.worth) != drop || -below.worth > entry.worth {
                let fen = key.position().map(|position| fen::format(&position));
                let (worth, behind, number) = (entry.worth, -below.worth, number + 1);
                let reason =
                    format!("worth {worth} with move {number} at {drop}, but that leads to {behind}");
                faults.push(Fault { at, fen, reason });
            }
        }
    }
    if faults.is_empty() { Ok(entries) } else { Err(faults) }
}
