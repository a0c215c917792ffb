//! Reads a file of games, one after the other.

use std::io::Read;

use super::error::{PdnError, PdnErrorKind, Results};
use super::game::PdnGame;
use super::interpret::{self, Interpreted};
use super::split::{Chunk, Splitter};
use crate::board::Position;
use crate::notation::encoding;

/// A game of a file, as far as it can be read, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// The game: all of it, or if it isn't [complete](Self::complete), its tags and the moves before what can't be read.
    pub game: PdnGame,
    /// Whether every move of the game itself is there; faults in variations and tags don't matter to it.
    pub complete: bool,
    /// What tag, moves and board say of the result.
    pub results: Results,
    /// What can't be read or can't be true, in the order of the text.
    pub faults: Vec<PdnError>,
}

impl Entry {
    /// The game if all its moves are there, and otherwise why not.
    ///
    /// # Errors
    ///
    /// The first fault of a game that isn't complete.
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

    /// Counts the game, if the games before it have been counted apart.
    pub(super) fn renumber(&mut self, number: usize) {
        self.number = number;
        for fault in &mut self.faults {
            fault.game = number;
        }
    }

    /// What is left of a game of which nothing can be read.
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

/// The games of a file, in order. Only one is in memory at a time, and what is wrong with one is no matter to the rest.
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
    /// Games so far.
    count: usize,
    broken: bool,
    crown: bool,
}

impl<R: Read> Games<R> {
    /// The games in what a reader gives. It need not be buffered.
    pub fn new(input: R) -> Self {
        Self { splitter: Splitter::new(input), count: 0, broken: false, crown: false }
    }

    /// Reads men on the row where they are crowned as kings, if `crown` is true. Otherwise such a position is an error.
    #[must_use]
    pub const fn crowning(mut self, crown: bool) -> Self {
        self.crown = crown;
        self
    }

    /// The text of the game that came last, byte for byte but for the encoding of UTF-16.
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

/// The game of a chunk, if there is any, without a number.
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

/// A place in a text, as offset and as people count.
struct Place {
    at: usize,
    line: usize,
    column: usize,
}

impl Place {
    /// Goes on to an offset.
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
