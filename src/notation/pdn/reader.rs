//! Reads a file of games, one after the other.

use std::borrow::Cow;
use std::io::BufRead;

use super::error::{PdnError, PdnErrorKind};
use super::game::PdnGame;
use super::resolve;
use super::split::{Chunk, Splitter};

/// The games of a file, in order. Only one is in memory at a time, and one that can't be read is an error by itself.
///
/// ```
/// use kelso::notation::pdn::Games;
/// let file = "[Event \"1\"] 1. 11-15 22-18 2. 15x22 1-0\n[Event \"2\"] 1. 11-17 *\n[Event \"3\"] 1. 11-16 *";
/// let games: Vec<_> = Games::new(file.as_bytes()).collect();
/// assert_eq!(games[0].as_ref().unwrap().plies.len(), 3);
/// let error = games[1].as_ref().unwrap_err().to_string();
/// assert!(error.starts_with("game 2, line 2, column 16: illegal move \"11-17\": expected one of "));
/// assert_eq!(games[2].as_ref().unwrap().plies.len(), 1);
/// ```
#[derive(Debug)]
pub struct Games<R> {
    splitter: Splitter<R>,
    /// Games so far.
    count: usize,
    broken: bool,
}

impl<R: BufRead> Games<R> {
    /// The games in what a reader gives.
    pub fn new(input: R) -> Self {
        Self { splitter: Splitter::new(input), count: 0, broken: false }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<PdnGame, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.broken {
            let chunk = match self.splitter.next_chunk() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return None,
                Err(error) => {
                    self.broken = true;
                    let (line, column) = self.splitter.place();
                    let kind = PdnErrorKind::Unreadable(error.to_string());
                    return Some(Err(PdnError { game: self.count + 1, line, column, kind }));
                }
            };
            let game = read(&chunk, self.count + 1).transpose();
            if game.is_some() {
                self.count += 1;
                return game;
            }
        }
        None
    }
}

fn read(chunk: &Chunk, game: usize) -> Result<Option<PdnGame>, PdnError> {
    let Chunk { line, column, .. } = *chunk;
    if chunk.too_long {
        return Err(PdnError { game, line, column, kind: PdnErrorKind::TooLong });
    }
    let text = decode(&chunk.bytes);
    resolve::game(&text).map_err(|(at, kind)| {
        let before = text.get(..at).unwrap_or_default();
        let (lines, first, last) = match before.rsplit_once('\n') {
            Some((lines, last)) => (lines.matches('\n').count() + 1, 1, last),
            None => (0, column, before),
        };
        PdnError { game, line: line + lines, column: first + last.chars().count(), kind }
    })
}

/// Bytes as text: each line UTF-8 if it can be, otherwise Latin-1.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| match std::str::from_utf8(line) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(line.iter().copied().map(char::from).collect::<String>()),
            })
            .collect::<String>()
            .into(),
    }
}
