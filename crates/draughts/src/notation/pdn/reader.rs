//! Reads games from a file, one by one.

use std::io::Read;

use super::error::{PdnError, PdnErrorKind, Results};
use super::game::PdnGame;
use super::interpret::{self, Interpreted};
use super::split::{Chunk, Splitter};
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
    pub(super) fn lost(number: usize, (line, column): (usize, usize), kind: PdnErrorKind) -> Self {
        Self {
            number,
            line,
            game: PdnGame::new(Position::start()),
            complete: false,
            results: Results::default(),
            faults: vec![PdnError { game: number, line, column, kind }],
        }
    }
}

/// The games of a file in order. Only one is in memory at a time, and errors in one do not affect the others.
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
    splitter: Splitter<R>,
    count: usize,
    broken: bool,
    crown: bool,
}

impl<R: Read> Games<R> {
    /// Reads games from a reader, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self { splitter: Splitter::new(input), count: 0, broken: false, crown: false }
    }

    /// Crowns the men on their last row in start positions, if `crown` is true. Otherwise such a position is an error.
    #[must_use]
    pub const fn crowning(mut self, crown: bool) -> Self {
        self.crown = crown;
        self
    }

    /// Returns the text of the last game, byte for byte, with UTF-16 converted to UTF-8.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.splitter.given()
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while !self.broken {
            let entry = match self.splitter.next_chunk() {
                Ok(Some(chunk)) => read(&chunk, self.crown),
                Ok(None) => return None,
                Err(error) => {
                    self.broken = true;
                    let kind = PdnErrorKind::Unreadable(error.to_string());
                    Some(Entry::lost(0, self.splitter.place(), kind))
                }
            };
            if let Some(mut entry) = entry {
                self.count += 1;
                entry.renumber(self.count);
                return Some(entry);
            }
        }
        None
    }
}

/// Parses a chunk, unless it is empty. The game has no number yet.
pub(super) fn read(chunk: &Chunk<'_>, crown: bool) -> Option<Entry> {
    let Chunk { line, column, .. } = *chunk;
    if chunk.too_long {
        return Some(Entry::lost(0, (line, column), PdnErrorKind::TooLong));
    }
    let text = encoding::lines(chunk.bytes);
    let Interpreted { game, complete, results, faults } = interpret::game(&text, crown)?;
    let mut place = Place { at: 0, line, column };
    let error = |(at, kind)| {
        place.move_to(at, &text);
        PdnError { game: 0, line: place.line, column: place.column, kind }
    };
    let faults = faults.into_iter().map(error).collect();
    let blank = text.get(..text.len() - text.trim_start().len()).unwrap_or_default();
    let line = line + blank.matches('\n').count();
    Some(Entry { number: 0, line, game, complete, results, faults })
}

/// A place in a text: offset, line and column.
struct Place {
    at: usize,
    line: usize,
    column: usize,
}

impl Place {
    fn move_to(&mut self, at: usize, text: &str) {
        let passed = text.get(self.at..at).unwrap_or_default();
        let last = match passed.rsplit_once('\n') {
            Some((lines, last)) => {
                (self.line, self.column) = (self.line + lines.matches('\n').count() + 1, 1);
                last
            }
            None => passed,
        };
        self.column += last.chars().count();
        self.at = at;
    }
}
