//! Batches of unparsed games, so that several threads can read one file.

use std::io::Read;
use std::ops::Range;

use super::error::PdnErrorKind;
use super::reader::{Entry, read};
use super::split::{Chunk, Place, Splitter};

/// The approximate size of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// The text of consecutive games.
///
/// ```
/// use draughts::notation::pdn::Batches;
/// let file = "1. 11-15 *\n1. 11-16 *\n".repeat(3);
/// let batch = Batches::new(file.as_bytes()).next().unwrap();
/// let lines: Vec<usize> = batch.entries().map(|(entry, _)| entry.line).collect();
/// assert_eq!(lines, [1, 2, 3, 4, 5, 6]);
/// ```
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
    crown: bool,
}

/// The text of a game, or white space and comments after the last.
#[derive(Debug)]
struct Piece {
    bytes: Range<usize>,
    place: Place,
    /// The error if the game cannot be read at all.
    lost: Option<PdnErrorKind>,
}

impl Batch {
    /// Parses the games, each with its text, numbered from 1 in this batch.
    pub fn entries(&self) -> impl Iterator<Item = (Entry, &[u8])> {
        let games = (0..self.len()).filter_map(|index| Some((self.entry(index)?, self.text(index))));
        games.zip(1..).map(|((mut entry, text), number)| {
            entry.renumber(number);
            (entry, text)
        })
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Parses a game without a number, unless it is empty.
    pub(super) fn entry(&self, index: usize) -> Option<Entry> {
        let Piece { place, lost, .. } = self.pieces.get(index)?;
        match lost {
            Some(kind) => Some(Entry::lost(*place, kind.clone())),
            None => read(self.text(index), *place, self.crown),
        }
    }

    pub(super) fn text(&self, index: usize) -> &[u8] {
        self.pieces.get(index).and_then(|piece| self.bytes.get(piece.bytes.clone())).unwrap_or_default()
    }
}

/// The games of a file in batches. [`Games`](super::Games) returns them one by one.
#[derive(Debug)]
pub struct Batches<R> {
    splitter: Splitter<R>,
    ended: bool,
    crown: bool,
}

impl<R: Read> Batches<R> {
    /// Reads games from a reader, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self { splitter: Splitter::new(input), ended: false, crown: false }
    }

    /// Crowns the men on their last row in start positions, as [`Games::crowning`](super::Games::crowning) does.
    #[must_use]
    pub const fn crowning(mut self, crown: bool) -> Self {
        self.crown = crown;
        self
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let mut batch = Batch { crown: self.crown, ..Batch::default() };
        while !self.ended && batch.bytes.len() < BATCH_BYTES {
            let from = batch.bytes.len();
            let (place, lost) = match self.splitter.next_chunk() {
                Ok(Some(Chunk { bytes, place, too_long })) => {
                    batch.bytes.extend_from_slice(bytes);
                    (place, too_long.then_some(PdnErrorKind::TooLong))
                }
                Ok(None) => {
                    self.ended = true;
                    break;
                }
                Err(error) => {
                    self.ended = true;
                    (self.splitter.place(), Some(PdnErrorKind::Unreadable(error.to_string())))
                }
            };
            batch.pieces.push(Piece { bytes: from..batch.bytes.len(), place, lost });
        }
        (!batch.pieces.is_empty()).then_some(batch)
    }
}
