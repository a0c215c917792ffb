//! Splits a stream of bytes into games without parsing them, so that an invalid game does not affect the next, and a file
//! of any size is read with the memory of one game.
//!
//! A game ends after a result that stands outside comments and variations, and before a tag that follows moves. Two
//! sections of tags without moves between them are two games if an empty line parts them, and a name comes again or an
//! `Event` begins the second. An unclosed comment ends before a line that begins with an `Event` tag. Moves after a result
//! belong to the same game if their number is greater than one.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::ops::Range;

use super::game::PdnResult;
use crate::notation::encoding::{Utf8, lines};

/// The maximum size of a game.
pub(super) const MAX_GAME_BYTES: usize = 4 << 20;
const READ_BYTES: usize = 64 << 10;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// From 1.
    pub(super) line: usize,
    /// From 1, in characters.
    pub(super) column: usize,
}

impl Place {
    /// Moves past some bytes.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        let mut lines = bytes.rsplit(|&byte| byte == b'\n');
        let last_line = lines.next().unwrap_or_default();
        let breaks = lines.count();
        if breaks > 0 {
            (self.line, self.column) = (self.line + breaks, 1);
        }
        // Continuation bytes of UTF-8 characters do not count.
        self.column += last_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    }
}

/// The bytes of a game, and their place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) place: Place,
    /// Whether the game exceeds the maximum size, so that bytes are missing.
    pub(super) too_long: bool,
}

#[derive(Debug)]
pub(super) struct Splitter<R> {
    input: Utf8<R>,
    /// Bytes that were read, of which a part has been returned or scanned.
    buffer: Vec<u8>,
    /// The last game returned.
    given: Range<usize>,
    /// The place of the next game.
    place: Place,
}

impl<R: Read> Splitter<R> {
    pub(super) fn new(input: R) -> Self {
        let place = Place { line: 1, column: 1 };
        Self { input: Utf8::new(input), buffer: Vec::new(), given: 0..0, place }
    }

    /// Returns the place of the next game.
    pub(super) const fn place(&self) -> Place {
        self.place
    }

    /// Returns the next game, or the white space and comments after the last.
    pub(super) fn next_chunk(&mut self) -> io::Result<Option<Chunk<'_>>> {
        let mut start = self.given.end;
        let mut scan = Scan::default();
        let mut scanned = 0;
        let mut too_long = false;
        let place = self.place;
        let end = loop {
            if let Some(end) = scan.feed_all(self.buffer.get(start..).unwrap_or_default(), &mut scanned) {
                break start + end;
            }
            if scanned > MAX_GAME_BYTES {
                // Its beginning is enough for the error; the rest is scanned and dropped.
                too_long = true;
                self.pass(start..start + scanned);
                start += scanned;
                scan.forget(scanned);
                scanned = 0;
            }
            // Drops the bytes before the game, rarely enough that each byte is moved once or twice.
            if start >= READ_BYTES {
                self.buffer.drain(..start);
                start = 0;
            }
            self.given = start..start;
            match self.read_more() {
                Ok(0) if scanned == 0 && !too_long => return Ok(None),
                Ok(0) => break start + scanned,
                Ok(_) => {}
                Err(error) => {
                    self.pass(start..start + scanned);
                    self.given = start + scanned..start + scanned;
                    return Err(error);
                }
            }
        };
        self.pass(start..end);
        self.given = start..end;
        Ok(Some(Chunk { bytes: self.buffer.get(start..end).unwrap_or_default(), place, too_long }))
    }

    fn read_more(&mut self) -> io::Result<usize> {
        let before = self.buffer.len();
        self.buffer.resize(before + READ_BYTES, 0);
        let fresh = self.buffer.get_mut(before..).unwrap_or_default();
        let count = self.input.read(fresh);
        self.buffer.truncate(before + *count.as_ref().unwrap_or(&0));
        count
    }

    fn pass(&mut self, range: Range<usize>) {
        self.place.pass(self.buffer.get(range).unwrap_or_default());
    }
}

/// The syntactic context of the next byte. Places are offsets in the game.
#[derive(Clone, Copy, Debug)]
enum Inside {
    Text,
    /// A word that began at this offset, outside comments and tags.
    Word(usize),
    /// `{}`, with the start of the line if the line so far could begin a tag.
    Comment(Option<usize>),
    /// Everything up to the end of the line.
    Line,
    /// `[]`, with its start as long as it has no name yet.
    Tag(Option<usize>),
    /// A quoted value in a tag.
    Value {
        escaped: bool,
    },
}

/// The stage of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Only comments so far.
    Begun,
    Tags,
    /// An empty line after tags.
    Parted,
    /// After the first move.
    Moves,
    /// After the result; comments may follow on its line.
    Ended,
    /// The line after the result began at this offset.
    Over(usize),
    /// A number began at `from` after the result; without it the game ends at `end`.
    Number {
        end: usize,
        from: usize,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    Begins,
    Blank,
    Used,
}

/// The state of the scanner within a game.
#[derive(Debug)]
struct Scan {
    inside: Inside,
    stage: Stage,
    line: Line,
    /// The number of open variations.
    depth: usize,
    /// The hashed names of the tags.
    names: HashSet<u64>,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            inside: Inside::Text,
            stage: Stage::Begun,
            line: Line::Begins,
            depth: 0,
            names: HashSet::new(),
        }
    }
}

/// The beginning of a line that ends a comment.
const EVENT: [&[u8]; 2] = [b"[Event \"", b"[Event\""];
const LONGEST_RESULT: usize = 12;

impl Scan {
    /// Scans a buffer. Returns the end of the game if it is in the buffer.
    fn feed_all(&mut self, buffer: &[u8], at: &mut usize) -> Option<usize> {
        while let Some(&byte) = buffer.get(*at) {
            match self.inside {
                // Most bytes are those of words and of comments.
                Inside::Word(_) if matches!(byte, b'0'..=b'9' | b'-' | b'x' | b'.') => {}
                Inside::Comment(None) => {
                    let rest = buffer.get(*at..).unwrap_or_default();
                    let stop = rest.iter().position(|&byte| byte == b'}' || byte == b'\n');
                    *at += stop.unwrap_or(rest.len());
                    match stop.and_then(|stop| rest.get(stop)) {
                        None => return None,
                        Some(b'}') => self.inside = Inside::Text,
                        Some(_) => self.inside = Inside::Comment(Some(*at + 1)),
                    }
                }
                _ => {
                    if let Some(end) = self.feed(byte, *at, buffer) {
                        return Some(end);
                    }
                }
            }
            *at += 1;
        }
        None
    }

    /// Scans a byte. Returns the end of the game, which may be before this byte.
    fn feed(&mut self, byte: u8, at: usize, buffer: &[u8]) -> Option<usize> {
        if byte == b'\n' {
            return self.end_line(at, buffer);
        }
        match self.inside {
            Inside::Text | Inside::Word(_) => return self.feed_text(byte, at, buffer),
            Inside::Line => {}
            Inside::Comment(_) if byte == b'}' => self.inside = Inside::Text,
            Inside::Comment(begin) => {
                let line = begin.and_then(|begin| buffer.get(begin..=at)).unwrap_or_default();
                if EVENT.contains(&line) {
                    return begin;
                }
                if !EVENT.iter().any(|event| event.starts_with(line)) {
                    self.inside = Inside::Comment(None);
                }
            }
            Inside::Value { escaped: true } => self.inside = Inside::Value { escaped: false },
            Inside::Value { .. } => match byte {
                b'\\' => self.inside = Inside::Value { escaped: true },
                b'"' => self.inside = Inside::Tag(None),
                _ => {}
            },
            Inside::Tag(begin) => return self.feed_tag(begin, byte, at, buffer),
        }
        None
    }

    fn end_line(&mut self, at: usize, buffer: &[u8]) -> Option<usize> {
        match self.inside {
            Inside::Comment(_) => {
                self.inside = Inside::Comment(Some(at + 1));
                return None;
            }
            Inside::Word(from) => self.end_word(from, at, buffer),
            // A tag ends with its line, so that an unclosed one does not affect the next.
            Inside::Text | Inside::Line | Inside::Tag(_) | Inside::Value { .. } => {}
        }
        self.inside = Inside::Text;
        match self.stage {
            Stage::Ended => self.stage = Stage::Over(at + 1),
            Stage::Tags if self.line != Line::Used => self.stage = Stage::Parted,
            _ => {}
        }
        self.line = Line::Begins;
        None
    }

    fn end_word(&mut self, from: usize, to: usize, buffer: &[u8]) {
        self.inside = Inside::Text;
        if self.depth > 0 || to - from > LONGEST_RESULT || self.stage != Stage::Moves {
            return;
        }
        let word = buffer.get(from..to).unwrap_or_default();
        if PdnResult::parse(&lines(word)).is_some() {
            self.stage = Stage::Ended;
        }
    }

    fn feed_text(&mut self, byte: u8, at: usize, buffer: &[u8]) -> Option<usize> {
        let begins_line = self.line == Line::Begins;
        if byte.is_ascii_whitespace() || byte == b'\x0b' {
            self.line = if begins_line { Line::Blank } else { self.line };
            if let Inside::Word(from) = self.inside {
                self.end_word(from, at, buffer);
            }
            return None;
        }
        self.line = Line::Used;
        if let Inside::Word(from) = self.inside
            && b"{;()[".contains(&byte)
        {
            self.end_word(from, at, buffer);
        }
        match self.stage {
            // Comments below the line of the result belong to the next game.
            Stage::Over(end) if !byte.is_ascii_digit() => return Some(end),
            Stage::Over(end) => self.stage = Stage::Number { end, from: at },
            Stage::Ended if byte.is_ascii_digit() => self.stage = Stage::Number { end: at, from: at },
            Stage::Ended if !b"{;".contains(&byte) => return Some(at),
            Stage::Number { end, from } if byte == b'.' => {
                if !continues_game(buffer.get(from..at).unwrap_or_default()) {
                    return Some(end);
                }
                self.stage = Stage::Moves;
            }
            Stage::Number { end, .. } if !byte.is_ascii_digit() => return Some(end),
            _ => {}
        }
        match byte {
            b'{' => self.inside = Inside::Comment(None),
            b';' => self.inside = Inside::Line,
            b'%' if begins_line => self.inside = Inside::Line,
            b'[' if self.stage == Stage::Moves => return Some(at),
            b'[' => {
                self.inside = Inside::Tag(Some(at));
                if self.stage == Stage::Begun {
                    self.stage = Stage::Tags;
                }
            }
            b'(' => (self.depth, self.stage) = (self.depth + 1, Stage::Moves),
            b')' => (self.depth, self.stage) = (self.depth.saturating_sub(1), Stage::Moves),
            _ if matches!(self.stage, Stage::Number { .. }) => {}
            _ => {
                self.stage = Stage::Moves;
                if !matches!(self.inside, Inside::Word(_)) {
                    self.inside = Inside::Word(at);
                }
            }
        }
        None
    }

    fn feed_tag(&mut self, begin: Option<usize>, byte: u8, at: usize, buffer: &[u8]) -> Option<usize> {
        if let Some(from) = begin
            && (byte.is_ascii_whitespace() || b"\"]".contains(&byte))
        {
            let name = buffer.get(from + 1..at).unwrap_or_default().trim_ascii();
            if !name.is_empty() {
                let mut hasher = DefaultHasher::new();
                name.hash(&mut hasher);
                let new = self.names.insert(hasher.finish());
                if self.stage == Stage::Parted && (name == b"Event" || !new) {
                    return begin;
                }
                self.stage = Stage::Tags;
                self.inside = Inside::Tag(None);
            }
        }
        match byte {
            b'"' => self.inside = Inside::Value { escaped: false },
            b']' => self.inside = Inside::Text,
            _ => {}
        }
        None
    }

    /// Lowers all places after bytes of the game have been dropped.
    fn forget(&mut self, dropped: usize) {
        let lower = |place: &mut usize| *place = place.saturating_sub(dropped);
        match &mut self.inside {
            Inside::Word(from) => lower(from),
            Inside::Comment(begin) | Inside::Tag(begin) => {
                *begin = begin.and_then(|begin| begin.checked_sub(dropped));
            }
            _ => {}
        }
        match &mut self.stage {
            Stage::Over(end) => lower(end),
            Stage::Number { end, from } => {
                lower(end);
                lower(from);
            }
            _ => {}
        }
    }
}

/// Returns whether a move's number after a result continues the game: another game would begin with one.
fn continues_game(number: &[u8]) -> bool {
    let digits = number.trim_ascii();
    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
    number.is_some_and(|number| number > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives three bytes at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(buffer.len()).min(3);
            self.0.read(&mut buffer[..count])
        }
    }

    fn cut(text: &str) -> Vec<(String, (usize, usize))> {
        let mut splitter = Splitter::new(Slowly(text.as_bytes()));
        let mut chunks = Vec::new();
        while let Some(chunk) = splitter.next_chunk().unwrap() {
            chunks.push((
                String::from_utf8(chunk.bytes.to_vec()).unwrap(),
                (chunk.place.line, chunk.place.column),
            ));
        }
        chunks
    }

    #[test]
    fn games_are_cut_where_they_end_and_nothing_is_lost() {
        for pieces in [
            &["1. 11-15 *\n", "1. 11-16 1/2-1/2\n\n"][..],
            &["1. 11-15 1-0 ", "1. 11-16 *"],
            &["11-15 * {so much for that} ; indeed\n", "11-16 *"],
            &["11-15 * {so much for that}\n", "{and the next} 11-16 *"],
            &["[Event \"1-0 [x] {\"]\n[Site \"\\\"]\"]\n\n11-15\n\n", "[Event \"b\"] *"],
            &["[Event \"a\"]\n\n[Site \"b\"]\n\n", "[Event \"c\"]\n\n", "[Event \"d\"]"],
            &["[A \"a\"]\n[A \"b\"]\n\n", "[A \"c\"]\n"],
            &["11-15 {1-0 [Event \"a\"]\n [Event \"a\"] never closed\n", "[Event \"b\"] *"],
            &["11-15 (22-18 1-0) *\n", "%[Event \"b\"] 1-0 {\n11-16 *\n"],
            &["11-15 (never closed 1-0\n\n", "[Event \"b\"] *"],
            &["11-15 ; [Event \"a\"] 1-0\n 22-18 11-15* *"],
            &["{only} ; comments"],
            &["11-15 23-19 1-0 2. 8-11 22-17 2 . 4-8 *\n", "1. 11-15"],
            &["11-15 23-19 1-0\n\n2. 8-11 22-17 *\n", "1. 11-15"],
            &["11-15 23-19 1-0\n", "2 8-11 22-17 *\n", "11-15 *"],
            &["11-15 ½-½ ", "11-16 \u{bd}–½ ", "11-16"],
        ] {
            let chunks = cut(&pieces.concat());
            assert_eq!(chunks.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), pieces);
        }
    }

    #[test]
    fn games_begin_at_a_line_and_a_column() {
        let places: Vec<_> =
            cut("\u{feff}11-15 {\u{e9}} * 11-16 *\n\n12-16 *").into_iter().map(|c| c.1).collect();
        assert_eq!(places, [(1, 1), (1, 13), (2, 1)]);
    }

    #[test]
    fn what_was_read_is_not_kept() {
        let text = "1. 11-15 22-18 {takes} *\n".repeat(100_000);
        let mut splitter = Splitter::new(text.as_bytes());
        let mut count = 0;
        while let Some(chunk) = splitter.next_chunk().unwrap() {
            assert_eq!(chunk.place.line, count + 1);
            count += 1;
            assert!(splitter.buffer.capacity() <= 4 * READ_BYTES);
        }
        assert_eq!(count, 100_000);
    }
}
