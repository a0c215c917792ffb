//! Reads games from a file, one by one, or in batches for several threads.

use std::io::Read;

use super::error::{PdnError, PdnErrorKind, Results};
use super::game::PdnGame;
use super::interpret;
use super::split::{Piece, Place, Splitter};
use crate::board::Position;

/// The approximate size of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// A game of a file, as far as it can be read, with its errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The first line of the game in the file, from 1.
    pub line: usize,
    /// The game. If it is not [complete](Self::complete), its moves end before the first error.
    pub game: PdnGame,
    /// True if all moves of the game could be read, regardless of errors in variations and tags.
    pub complete: bool,
    /// The results in the tag, after the moves and on the board.
    pub results: Results,
    /// The errors in the order of the text.
    pub faults: Vec<PdnError>,
}

impl Entry {
    /// Returns the game if it is complete.
    ///
    /// # Errors
    ///
    /// Returns the first error of an incomplete game.
    pub fn whole(self) -> Result<PdnGame, PdnError> {
        if self.complete {
            return Ok(self.game);
        }
        let Self { number: game, line, faults, .. } = self;
        let unknown = PdnErrorKind::unexpected("", "a game");
        let first = faults.into_iter().find(|fault| !fault.kind.is_warning());
        Err(first.unwrap_or(PdnError { game, line, column: 1, kind: unknown }))
    }
}

impl Piece {
    /// Parses the game, unless there is none.
    fn entry(&self, number: usize, crown: bool) -> Option<Entry> {
        let Place { line, column } = self.place;
        match &self.lost {
            None => interpret::entry(&self.bytes, self.place, number, crown),
            Some(kind) => Some(Entry {
                number,
                line,
                game: PdnGame::new(Position::start()),
                complete: false,
                results: Results::default(),
                faults: vec![PdnError { game: number, line, column, kind: kind.clone() }],
            }),
        }
    }
}

/// The games of a file in order. A file of any size is read in little memory, and errors in a game do not affect the others.
///
/// ```
/// use draughts::notation::pdn::Games;
/// let file = "[Event \"1\"] 1. 11x15 22-18 2. 15x22 1-0\n[Event \"2\"] 1. 11-15 11-17 *\n[Event \"3\"] 1. 11-16 *";
/// let games: Vec<_> = Games::new(file.as_bytes()).collect();
/// assert_eq!(games[0].game.plies.len(), 3);
/// assert_eq!((games[1].complete, games[1].game.plies.len()), (false, 1));
/// let error = games[1].faults[0].to_string();
/// assert!(error.starts_with("game 2, line 2, column 22: illegal move \"11-17\": expected one of "), "{error}");
/// assert_eq!(games[2].clone().whole()?.plies.len(), 1);
/// # Ok::<(), draughts::notation::pdn::PdnError>(())
/// ```
#[derive(Debug)]
pub struct Games<R> {
    pieces: Splitter<R>,
    crown: bool,
    text: Vec<u8>,
    count: usize,
}

impl<R: Read> Games<R> {
    /// Reads games from a reader, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self { pieces: Splitter::new(input), crown: false, text: Vec::new(), count: 0 }
    }

    /// Crowns the men on their last row in start positions, if `crown` is true. Otherwise such a position is an error.
    #[must_use]
    pub fn crowning(mut self, crown: bool) -> Self {
        self.crown = crown;
        self
    }

    /// Returns the text of the last game, byte for byte, with UTF-16 converted to UTF-8.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the remaining games in batches, so that several threads can parse one file.
    ///
    /// ```
    /// use draughts::notation::pdn::Games;
    /// let file = "1. 11-15 *\n1. 11-16 *\n".repeat(3);
    /// let batch = Games::new(file.as_bytes()).batches().next().unwrap();
    /// let lines: Vec<usize> = batch.entries().map(|(entry, _)| entry.line).collect();
    /// assert_eq!(lines, [1, 2, 3, 4, 5, 6]);
    /// ```
    pub fn batches(mut self) -> impl Iterator<Item = Batch> {
        std::iter::from_fn(move || {
            let mut pieces = Vec::new();
            let mut size = 0;
            while size < BATCH_BYTES
                && let Some(piece) = self.pieces.next()
            {
                size += piece.bytes.len();
                pieces.push(piece);
            }
            (!pieces.is_empty()).then_some(Batch { pieces, crown: self.crown })
        })
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let (piece, entry) = self
            .pieces
            .by_ref()
            .find_map(|piece| piece.entry(self.count + 1, self.crown).map(|entry| (piece, entry)))?;
        (self.text, self.count) = (piece.bytes, entry.number);
        Some(entry)
    }
}

/// The text of consecutive games.
#[derive(Debug)]
pub struct Batch {
    pieces: Vec<Piece>,
    crown: bool,
}

impl Batch {
    /// Parses the games, each with its text, numbered from 1 in this batch.
    pub fn entries(&self) -> impl Iterator<Item = (Entry, &[u8])> {
        let mut number = 1;
        self.pieces.iter().filter_map(move |piece| {
            let entry = piece.entry(number, self.crown)?;
            number += 1;
            Some((entry, &piece.bytes[..]))
        })
    }
}
