//! Reads games from a file, one by one.

use std::io::Read;

use super::batch::{Batch, Batches};
use super::error::{PdnError, PdnErrorKind, Results};
use super::game::PdnGame;
use super::interpret::{self, Interpreted};
use super::split::Place;
use crate::board::Position;
use crate::notation::encoding;

/// A game of a file, as far as it can be read, with its errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The first line of the game in the file, from 1.
    pub line: usize,
    /// The game. If it is not [complete](Self::complete), its moves end before the first error.
    pub game: PdnGame,
    /// Whether all moves of the game could be read, regardless of errors in variations and tags.
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
        let Self { number: game, line, mut faults, .. } = self;
        let first = faults.iter().position(|fault| !fault.kind.is_warning());
        let unknown = PdnErrorKind::Malformed { found: String::new(), expected: "a game" };
        Err(first
            .map_or(PdnError { game, line, column: 1, kind: unknown }, |first| faults.swap_remove(first)))
    }

    /// Changes the number of the game.
    pub(super) fn renumber(&mut self, number: usize) {
        self.number = number;
        for fault in &mut self.faults {
            fault.game = number;
        }
    }

    /// Creates an entry for a game that cannot be read at all.
    pub(super) fn lost(Place { line, column }: Place, kind: PdnErrorKind) -> Self {
        Self {
            number: 0,
            line,
            game: PdnGame::new(Position::start()),
            complete: false,
            results: Results::default(),
            faults: vec![PdnError { game: 0, line, column, kind }],
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
    batches: Batches<R>,
    batch: Batch,
    /// The number of games of the batch that have been read.
    read: usize,
    count: usize,
}

impl<R: Read> Games<R> {
    /// Reads games from a reader, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self { batches: Batches::new(input), batch: Batch::default(), read: 0, count: 0 }
    }

    /// Crowns the men on their last row in start positions, if `crown` is true. Otherwise such a position is an error.
    #[must_use]
    pub fn crowning(mut self, crown: bool) -> Self {
        self.batches = self.batches.crowning(crown);
        self
    }

    /// Returns the text of the last game, byte for byte, with UTF-16 converted to UTF-8.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.read.checked_sub(1).map_or(&[], |last| self.batch.text(last))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            if self.read == self.batch.len() {
                (self.batch, self.read) = (self.batches.next()?, 0);
            }
            self.read += 1;
            if let Some(mut entry) = self.batch.entry(self.read - 1) {
                self.count += 1;
                entry.renumber(self.count);
                return Some(entry);
            }
        }
    }
}

/// Parses a game without a number, unless it is empty.
pub(super) fn read(bytes: &[u8], start: Place, crown: bool) -> Option<Entry> {
    let text = encoding::lines(bytes);
    let Interpreted { game, complete, results, faults } = interpret::game(&text, crown)?;
    let (mut place, mut passed) = (start, 0);
    let error = |(at, kind)| {
        place.pass(text.get(passed..at).unwrap_or_default().as_bytes());
        passed = at;
        PdnError { game: 0, line: place.line, column: place.column, kind }
    };
    let faults = faults.into_iter().map(error).collect();
    let blank = text.get(..text.len() - text.trim_start().len()).unwrap_or_default();
    let line = start.line + blank.matches('\n').count();
    Some(Entry { number: 0, line, game, complete, results, faults })
}
