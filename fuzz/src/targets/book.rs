//! A small opening book with mutations: its entries and the moves of its positions can be read, or there is
//! an error.

use std::sync::LazyLock;

use crate::file::{patched, repair, with_file};
use kelso_draughts::board::Position;
use kelso_draughts::board::relative::Key;
use kelso_engine::book::{Book, BookEntry, BookScore, ScoreDrop, moves};

/// Returns the starting position and the positions after its moves.
fn positions() -> Vec<Position> {
    let start = Position::start();
    let after = start.moves().into_iter().map(|mv| start.after(mv));
    std::iter::once(start).chain(after).collect()
}

static BOOK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let drops =
        |position: &Position| (0..moves(position).len()).map(|index| ScoreDrop(index as u8)).collect();
    let entry =
        |position: &Position| BookEntry { score: BookScore::points(7), depth: 9, drops: drops(position) };
    let mut entries: Vec<_> =
        positions().iter().map(|position| (Key::of(position), entry(position))).collect();
    entries.sort_by_key(|(key, _)| *key);
    let book = Book::make("a book", entries.iter().map(|(key, entry)| (*key, entry))).expect("a small book");
    book.bytes().to_vec()
});

pub fn run(patch: &[u8]) {
    let mut bytes = patched(&BOOK, patch);
    let length = bytes.len();
    repair(&mut bytes, 24..length, 20);
    match with_file("a.book", &bytes, Book::open) {
        Ok(book) => {
            assert!(book.size() == length && book.text().len() < length);
            for (_, entry) in book.entries().flatten() {
                assert!(entry.drops.len() < 256);
            }
            for position in positions() {
                if let Some(found) = book.look_up(&position) {
                    assert_eq!(found.moves.len(), moves(&position).len());
                }
            }
        }
        Err(error) => assert!(error.to_string().contains("a.book")),
    }
}
