//! Batches of unparsed games, so that several threads can read one file.

use std::io::Read;
use std::ops::Range;

use super::error::PdnErrorKind;
use super::reader::{Entry, read};
use super::split::{Chunk, Splitter};

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
    games: Vec<Piece>,
    crown: bool,
    /// Why and where the file cannot be read any further.
    broken: Option<(String, (usize, usize))>,
}

#[derive(Debug)]
struct Piece {
    bytes: Range<usize>,
    line: usize,
    column: usize,
    too_long: bool,
}

impl Batch {
    /// Parses the games, each with its text, numbered from 1 in this batch.
    pub fn entries(&self) -> impl Iterator<Item = (Entry, &[u8])> {
        let read = |piece: &Piece| {
            let Piece { ref bytes, line, column, too_long } = *piece;
            let bytes = self.bytes.get(bytes.clone()).unwrap_or_default();
            Some((read(&Chunk { bytes, line, column, too_long }, self.crown)?, bytes))
        };
        let broken = self.broken.iter().map(|(reason, place)| {
            let text: &[u8] = &[];
            (Entry::lost(0, *place, PdnErrorKind::Unreadable(reason.clone())), text)
        });
        self.games.iter().filter_map(read).chain(broken).zip(1..).map(|((mut entry, text), number)| {
            entry.renumber(number);
            (entry, text)
        })
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
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
            match self.splitter.next_chunk() {
                Ok(Some(Chunk { bytes, line, column, too_long })) => {
                    let from = batch.bytes.len();
                    batch.bytes.extend_from_slice(bytes);
                    batch.games.push(Piece { bytes: from..batch.bytes.len(), line, column, too_long });
                }
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    batch.broken = Some((error.to_string(), self.splitter.place()));
                }
            }
        }
        (!batch.games.is_empty() || batch.broken.is_some()).then_some(batch)
    }
}
