//! The book file. All numbers are little-endian.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | `KelsoBok` |
//! | 8 | 2 | version of the format, 1 |
//! | 10 | 2 | length of the text, a multiple of 4 |
//! | 12 | 4 | number of entries |
//! | 16 | 4 | number of drops |
//! | 20 | 4 | CRC-32 of all that follows |
//! | 24 | | text in UTF-8 that describes how the book was made, padded with spaces |
//! | | | the entries, 16 bytes each |
//! | | | for every 32nd entry, the index of its first drop, 4 bytes each |
//! | | | the drops, a byte each |
//!
//! An entry describes a position in which every move has been searched. It consists of three 4-byte numbers
//! for the pieces, the score (2 bytes, signed), the depth (1), and the number of legal moves (1). Positions
//! are stored from the point of view of the side to move: if White is to move, colours are exchanged and the
//! board is rotated (square n becomes 33 - n). Bit n - 1 stands for square n: it is set in the first number
//! if the side to move has a piece there, in the second if the other side has one, and in the third if the
//! piece is a king. Entries are in ascending order of these three numbers, so that binary search finds them.
//!
//! The score is in hundredths of a man for the side to move, from -10000 to 10000, or 20000 for a known win
//! and -20000 for a known loss. The depth is the length of best play in the book, in plies, plus the depth of
//! the search at its end.
//!
//! Each entry has one drop for each move: how much worse the move is than the best move, in hundredths of a
//! man. The best move has drop 0; 255 means 255 or more. Moves are ordered by start square from the point of
//! view of the side to move, then by end square, then by the number whose bits are the captured squares.
//!
//! The score after a move is the score of the position minus the drop. If the position after the move also
//! has an entry and the move is not a quiet king move, that entry has the negative of this score.

use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::entry::{BookEntry, BookScore, ScoreDrop};
use super::moves;
use kelso_draughts::board::relative::Key;
use kelso_draughts::board::{Move, Position};
use kelso_runtime::files;
use kelso_syntax::Quoted;

/// The compiled-in book. WebAssembly has none: the page loads the book later.
pub const COMPILED_IN: &[u8] =
    if cfg!(target_family = "wasm") { &[] } else { include_bytes!("data/kelso.book") };

const MAGIC: [u8; 8] = *b"KelsoBok";
/// The version of the format.
pub const VERSION: u16 = 1;
const HEADER: usize = 24;
/// Size of an entry in bytes, without its drops.
pub const RECORD: usize = 16;
/// Number of entries that share one 4-byte index of their drops.
pub const GROUP: usize = 32;

/// An error in an opening book.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    Read { path: PathBuf, error: io::Error },
    /// The file is damaged, or is not a book of this version.
    File {
        path: PathBuf,
        /// The first damaged part.
        fault: BookFault,
    },
    /// A book in memory is damaged.
    Bytes(BookFault),
    /// A book has more items than its file can hold.
    TooMany(&'static str),
}

/// The first part of a book that is damaged or not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookFault {
    /// The offset in the file.
    pub at: usize,
    pub reason: Cow<'static, str>,
}

impl BookFault {
    fn new(at: usize, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { at, reason: reason.into() }
    }
}

impl Error for BookError {}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, error } => {
                write!(f, "cannot read {}: {error}", Quoted(&path.to_string_lossy()))
            }
            Self::File { path, fault } => {
                write!(f, "invalid opening book {}: {fault}", Quoted(&path.to_string_lossy()))
            }
            Self::Bytes(fault) => write!(f, "invalid opening book: {fault}"),
            Self::TooMany(items) => write!(f, "too many {items} for an opening book"),
        }
    }
}

impl fmt::Display for BookFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.reason)
    }
}

/// A book that is open for reading.
#[derive(Debug)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
    text: usize,
    entries: usize,
    drops: usize,
}

/// A move of a position in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// How much worse the move is than the best move.
    pub drop: ScoreDrop,
}

/// The entry of a position, with its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookPosition {
    /// Score for the side to move.
    pub score: BookScore,
    /// The depth of best play.
    pub depth: u8,
    /// All legal moves, the best first.
    pub moves: Vec<BookMove>,
}

impl Book {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a valid book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let bytes = files::read_regular(path, u64::MAX);
        let bytes = bytes.map_err(|error| BookError::Read { path: path.to_owned(), error })?;
        Self::new(bytes.into()).map_err(|fault| BookError::File { path: path.to_owned(), fault })
    }

    /// Returns the compiled-in book.
    ///
    /// # Errors
    ///
    /// If the book is damaged, which a test rules out.
    pub fn compiled_in() -> Result<Self, BookError> {
        Self::in_memory(COMPILED_IN)
    }

    /// Returns a book in memory.
    ///
    /// # Errors
    ///
    /// If the bytes are not a valid book.
    pub fn in_memory(bytes: &'static [u8]) -> Result<Self, BookError> {
        Self::new(bytes.into()).map_err(BookError::Bytes)
    }

    /// Creates a book from entries in ascending order of their keys. The best move of each has drop 0.
    ///
    /// # Errors
    ///
    /// If there are more entries than a file can hold.
    pub fn make<'a>(
        text: &str,
        entries: impl IntoIterator<Item = (Key, &'a BookEntry)>,
    ) -> Result<Self, BookError> {
        let mut records = Vec::new();
        let mut starts = Vec::new();
        let mut drops = Vec::new();
        for (index, (key, entry)) in entries.into_iter().enumerate() {
            if index % GROUP == 0 {
                let start = u32::try_from(drops.len()).map_err(|_| BookError::TooMany("drops"))?;
                starts.extend_from_slice(&start.to_le_bytes());
            }
            let count = u8::try_from(entry.drops.len()).map_err(|_| BookError::TooMany("moves"))?;
            records.extend_from_slice(&key.to_bytes());
            records.extend_from_slice(&entry.score.number().to_le_bytes());
            records.extend_from_slice(&[entry.depth, count]);
            drops.extend(entry.drops.iter().map(|drop| drop.0));
        }
        let text_len = text.len().next_multiple_of(4);
        let numbers = [records.len() / RECORD, drops.len()].map(u32::try_from);
        let [Ok(entries), Ok(drop_count)] = numbers else { return Err(BookError::TooMany("entries")) };
        let text_size = u16::try_from(text_len).map_err(|_| BookError::TooMany("bytes of text"))?;
        let mut body = text.as_bytes().to_vec();
        body.resize(text_len, b' ');
        body.extend([records, starts, drops].concat());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(text_size.to_le_bytes());
        bytes.extend(entries.to_le_bytes());
        bytes.extend(drop_count.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        Self::new(bytes.into()).map_err(BookError::Bytes)
    }

    fn new(bytes: Cow<'static, [u8]>) -> Result<Self, BookFault> {
        if !bytes.starts_with(&MAGIC) {
            return Err(BookFault::new(0, "not an opening book"));
        }
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(BookFault::new(bytes.len(), "the file ends in its header"));
        };
        let version = number(&header[8..10]);
        if version != usize::from(VERSION) {
            return Err(BookFault::new(8, format!("unsupported version {version}")));
        }
        let text = number(&header[10..12]);
        let entries = number(&header[12..16]);
        let drops = number(&header[16..20]);
        if !text.is_multiple_of(4) {
            return Err(BookFault::new(10, "the size of the text is not a multiple of 4"));
        }
        // A file is never as long as the number to which these sums are limited.
        let records = entries.saturating_mul(RECORD).saturating_add(entries.div_ceil(GROUP) * 4);
        let length = records.saturating_add(HEADER + text).saturating_add(drops);
        if bytes.len() != length {
            let reason = format!("the file has {} bytes, expected {length}", bytes.len());
            return Err(BookFault::new(bytes.len(), reason));
        }
        let body = &bytes[HEADER..];
        let expected = crc32fast::hash(body);
        let stored = number(&header[20..24]);
        if usize::try_from(expected) != Ok(stored) {
            let reason = format!("wrong checksum {stored:08x}, expected {expected:08x}");
            return Err(BookFault::new(20, reason));
        }
        if std::str::from_utf8(&body[..text]).is_err() {
            return Err(BookFault::new(HEADER, "the text is not UTF-8"));
        }
        Ok(Self { bytes, text, entries, drops })
    }

    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Returns the size of the file in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns a description of how the book was built.
    #[must_use]
    #[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "checked when the book is opened")]
    pub fn text(&self) -> &str {
        let text = &self.bytes[HEADER..HEADER + self.text];
        std::str::from_utf8(text).expect("the text is UTF-8").trim_end()
    }

    /// Returns the contents of the book's file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Looks up a position.
    #[must_use]
    pub fn look_up(&self, position: &Position) -> Option<BookPosition> {
        let BookEntry { score, depth, drops } = self.get(self.find(Key::of(position))?)?;
        let moves = moves(position);
        if moves.len() != drops.len() {
            // The book was built with different rules.
            return None;
        }
        let mut moves: Vec<_> =
            moves.into_iter().zip(drops).map(|(mv, drop)| BookMove { mv, drop }).collect();
        moves.sort_by_key(|book_move| book_move.drop);
        Some(BookPosition { score, depth, moves })
    }

    /// Returns whether a position has an entry.
    #[must_use]
    pub fn has(&self, key: Key) -> bool {
        self.find(key).is_some()
    }

    /// Returns all entries in order; an invalid entry is an error.
    pub fn entries(&self) -> impl Iterator<Item = Result<(Key, BookEntry), BookFault>> {
        self.records().iter().enumerate().map(|(index, record)| {
            let fault =
                || BookFault { at: self.offset(index), reason: "its score or its drops are invalid".into() };
            Ok((key_of(record), self.get(index).ok_or_else(fault)?))
        })
    }

    /// Returns the offset of an entry in the file.
    #[must_use]
    pub const fn offset(&self, index: usize) -> usize {
        HEADER + self.text + index * RECORD
    }

    fn records(&self) -> &[[u8; RECORD]] {
        &self.bytes[HEADER + self.text..].as_chunks().0[..self.entries]
    }

    fn find(&self, key: Key) -> Option<usize> {
        self.records().binary_search_by_key(&key, key_of).ok()
    }

    fn get(&self, index: usize) -> Option<BookEntry> {
        let &[.., low, high, depth, count] = self.records().get(index)?;
        let score = BookScore::read(i16::from_le_bytes([low, high]))?;
        let group = index / GROUP;
        let groups = self.offset(self.entries);
        let begin = self.bytes.get(groups + group * 4..)?.first_chunk().copied().map(u32::from_le_bytes)?;
        let skipped = self.records().get(group * GROUP..index)?;
        let skipped = skipped.iter().map(|&[.., count]| usize::from(count)).sum();
        let begin = usize::try_from(begin).ok()?.checked_add(skipped)?;
        let drops = self.bytes.get(self.bytes.len() - self.drops..)?;
        let drops = drops.get(begin..begin.checked_add(count.into())?)?;
        Some(BookEntry { score, depth, drops: drops.iter().copied().map(ScoreDrop).collect() })
    }
}

fn key_of(record: &[u8; RECORD]) -> Key {
    let [key @ .., _, _, _, _] = record;
    Key::from_bytes(*key)
}

/// Returns the number that bytes of a header encode, the lowest byte first.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::*;
    use crate::book::testing;
    use kelso_batch::testing::Folder;
    use kelso_random::RngExt;

    fn sample() -> BTreeMap<Key, BookEntry> {
        let mut entries = BTreeMap::new();
        let mut random = kelso_random::stream(&[22]);
        testing::positions(|position| {
            let count = moves(position).len();
            let best = if count == 0 { 0 } else { random.random_range(0..count) };
            let (score, depth) = (BookScore::points(random.random_range(-300..300)), random.random());
            let drop = |index| ScoreDrop(if index == best { 0 } else { random.random() });
            let entry = BookEntry { score, depth, drops: (0..count).map(drop).collect() };
            entries.insert(Key::of(position), entry);
        });
        entries
    }

    fn book(entries: &BTreeMap<Key, BookEntry>) -> Book {
        Book::make("a test", entries.iter().map(|(&key, entry)| (key, entry))).unwrap()
    }

    #[test]
    fn stored_book_entries_are_found() {
        let entries = sample();
        let made = book(&entries);
        let folder = Folder::new();
        let path = folder.path("a.book");
        fs::write(&path, made.bytes()).unwrap();
        let read = Book::open(&path).unwrap();
        assert_eq!((read.len(), read.text(), read.size()), (entries.len(), "a test", made.size()));
        let all: BTreeMap<_, _> = read.entries().map(Result::unwrap).collect();
        assert_eq!(all, entries);
        let mut asked = 0;
        testing::positions(|position| {
            asked += 1;
            let entry = &entries[&Key::of(position)];
            let found = read.look_up(position).unwrap();
            assert_eq!((found.score, found.depth), (entry.score, entry.depth));
            let in_order = moves(position);
            let mut best_first = in_order.clone();
            best_first.sort_by_key(|mv| entry.drops[in_order.iter().position(|other| other == mv).unwrap()]);
            assert_eq!(found.moves.iter().map(|known| known.mv).collect::<Vec<_>>(), best_first);
            // The flipped position has the same moves in the same order.
            let flipped = read.look_up(&position.flipped()).unwrap();
            assert!(flipped.moves.iter().zip(&found.moves).all(|(one, other)| one.drop == other.drop));
        });
        assert!(asked > 100);
        assert_eq!(book(&BTreeMap::new()).look_up(&Position::start()), None);
    }

    #[test]
    fn a_damaged_file_is_refused_with_its_place() {
        let folder = Folder::new();
        let path = folder.path("a.book");
        fs::write(&path, book(&sample()).bytes()).unwrap();
        let whole = fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            Book::open(&path).unwrap_err().to_string()
        };
        for (at, part) in [
            (0, "byte 0: "),
            (8, "byte 8: unsupported version "),
            (10, "byte "),
            (12, "expected "),
            (20, "checksum"),
        ] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x11;
            let error = refused(&bytes);
            assert!(error.contains(part) && error.contains("a.book"), "{error}");
        }
        for length in [0, 7, 8, 23, 24, 30, whole.len() - 1] {
            assert!(refused(&whole[..length]).contains("invalid opening book"));
        }
        assert!(refused(&[whole.clone(), vec![0]].concat()).contains("expected "));
        let mut random = kelso_random::stream(&[23]);
        for _ in 0..200 {
            let mut bytes = whole.clone();
            let at = random.random_range(0..bytes.len());
            bytes[at] ^= 1 << random.random_range(0..8);
            refused(&bytes);
        }
        assert!(Book::open(&folder.path("none")).unwrap_err().to_string().starts_with("cannot read "));
    }

    /// The checksum is corrected, so that only the content is invalid.
    #[test]
    fn ten_thousand_damaged_books_never_panic() {
        let whole = book(&sample());
        let mut random = kelso_random::stream(&[24]);
        let mut positions = Vec::new();
        testing::positions(|position| positions.push(*position));
        let mut opened = 0;
        for round in 0..10_000 {
            let mut bytes = whole.bytes.to_vec();
            for _ in 0..random.random_range(1..20) {
                let at = if round % 3 == 0 {
                    random.random_range(8..HEADER)
                } else {
                    random.random_range(8..bytes.len())
                };
                bytes[at] = random.random();
            }
            if round % 5 == 0 {
                bytes.truncate(random.random_range(0..bytes.len()));
            }
            if let Some(body) = bytes.get(HEADER..) {
                let checksum = crc32fast::hash(body).to_le_bytes();
                bytes[20..24].copy_from_slice(&checksum);
            }
            let Ok(book) = Book::new(bytes.into()) else { continue };
            opened += 1;
            for position in positions.iter().take(20) {
                if let Some(found) = book.look_up(position) {
                    assert_eq!(found.moves.len(), position.moves().len());
                }
            }
            assert_eq!(book.entries().count(), book.len());
        }
        assert!(opened > 1000, "{opened}");
    }
}
