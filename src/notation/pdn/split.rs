//! Cuts a stream of bytes into games without understanding them, so that a game that can't be read doesn't take the
//! next with it, and a file of any size is read with the memory of one game.
//!
//! A game ends after a result that stands outside comments and variations, and before a tag that follows moves. Two
//! sections of tags without moves between them are two games if an empty line parts them, and a name comes again or an
//! `Event` begins the second. A comment that nobody closed ends before a line that begins with an `Event` tag.

use std::collections::HashSet;
use std::io::{self, BufRead};

use arrayvec::ArrayVec;

use super::game::GameResult;

/// No game is longer.
pub(super) const MAX_GAME_BYTES: usize = 16 << 20;

/// A game's bytes, and where in the file they begin.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) bytes: Vec<u8>,
    pub(super) line: usize,
    pub(super) column: usize,
    /// The bytes are not all, since they were too many.
    pub(super) too_long: bool,
}

#[derive(Debug)]
pub(super) struct Splitter<R> {
    input: R,
    /// Bytes that were read for the game before, last first.
    returned: Vec<u8>,
    line: usize,
    column: usize,
    begun: bool,
}

impl<R: BufRead> Splitter<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, returned: Vec::new(), line: 1, column: 1, begun: false }
    }

    /// The line and the column, from 1, of the next byte.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    /// The next game, or the white space and comments after the last.
    pub(super) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        if !self.begun {
            self.begun = true;
            self.skip_byte_order_mark()?;
        }
        let mut chunk = Chunk { bytes: Vec::new(), line: self.line, column: self.column, too_long: false };
        let mut scan = Scan::default();
        let mut any = false;
        while let Some(byte) = self.next_byte()? {
            any = true;
            if chunk.bytes.len() < MAX_GAME_BYTES {
                chunk.bytes.push(byte);
            } else {
                chunk.too_long = true;
            }
            match scan.feed(byte) {
                Cut::No => {}
                Cut::Here => return Ok(Some(chunk)),
                Cut::Before(begin) => {
                    chunk.bytes.truncate(chunk.bytes.len().saturating_sub(begin.len()));
                    self.give_back(&begin);
                    return Ok(Some(chunk));
                }
            }
        }
        Ok(any.then_some(chunk))
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let byte = match self.returned.pop() {
            Some(byte) => byte,
            None => match self.peek()? {
                Some(byte) => {
                    self.input.consume(1);
                    byte
                }
                None => return Ok(None),
            },
        };
        if byte == b'\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else if starts_character(byte) {
            self.column += 1;
        }
        Ok(Some(byte))
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Lets bytes come again; they are all on one line.
    fn give_back(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().rev() {
            self.returned.push(byte);
            self.column -= usize::from(starts_character(byte));
        }
    }

    fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        for expected in *b"\xef\xbb\xbf" {
            if self.peek()? != Some(expected) {
                break;
            }
            self.input.consume(1);
        }
        Ok(())
    }
}

/// Whether a byte is no later byte of a UTF-8 character, for counting columns.
const fn starts_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// Whether a game ends at a byte.
enum Cut {
    No,
    /// After it.
    Here,
    /// Before these bytes, of which it is the last.
    Before(Begin),
}

/// The first bytes of a game, of no more than a line.
type Begin = ArrayVec<u8, 80>;

/// Where in a game's text the next byte stands.
#[derive(Default)]
enum Inside {
    #[default]
    Text,
    /// `{}`; the bytes at the beginning of a line are kept as long as they could be those of a tag.
    Comment(Option<Begin>),
    /// What only the end of the line ends.
    Line,
    /// `[]`; the bytes up to the end of the name are kept.
    Tag(Option<Begin>),
    /// A value in quotes in a tag, perhaps just after a backslash.
    Value { escaped: bool },
}

/// What is known of a game after some of its bytes.
struct Scan {
    inside: Inside,
    stage: Stage,
    line: Line,
    /// Variations that are open.
    depth: usize,
    /// The word so far, if it could be a result.
    word: Option<ArrayVec<u8, { GameResult::LONGEST }>>,
    /// Names of the tags.
    names: HashSet<Begin>,
}

/// How far a game has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Only comments so far.
    Begun,
    Tags,
    /// An empty line after tags.
    Parted,
    /// Something other than tags and comments.
    Moves,
    /// The result; what follows on its line may be comments.
    Ended,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Begins,
    Blank,
    Used,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            inside: Inside::Text,
            stage: Stage::Begun,
            line: Line::Begins,
            depth: 0,
            word: Some(ArrayVec::new()),
            names: HashSet::new(),
        }
    }
}

impl Scan {
    fn feed(&mut self, byte: u8) -> Cut {
        if byte == b'\n' {
            return self.end_line();
        }
        match &mut self.inside {
            Inside::Text => return self.feed_text(byte),
            Inside::Line => {}
            Inside::Comment(_) if byte == b'}' => self.inside = Inside::Text,
            Inside::Comment(begin) => {
                if let Some(bytes) = begin {
                    bytes.push(byte);
                    if [&b"[Event \""[..], b"[Event\""].contains(&bytes.as_slice()) {
                        return Cut::Before(bytes.clone());
                    }
                    if !b"[Event \"".starts_with(bytes) {
                        *begin = None;
                    }
                }
            }
            Inside::Value { escaped: escaped @ true } => *escaped = false,
            Inside::Value { escaped } if byte == b'\\' => *escaped = true,
            Inside::Value { .. } => {
                if byte == b'"' {
                    self.inside = Inside::Tag(None);
                }
            }
            Inside::Tag(_) => return self.feed_tag(byte),
        }
        Cut::No
    }

    fn end_line(&mut self) -> Cut {
        match &mut self.inside {
            Inside::Comment(begin) => {
                *begin = Some(Begin::new());
                return Cut::No;
            }
            Inside::Text => self.end_word(),
            // A tag ends with its line, so that an unclosed one does no harm to what follows.
            Inside::Line | Inside::Tag(_) | Inside::Value { .. } => self.inside = Inside::Text,
        }
        match self.stage {
            Stage::Ended => return Cut::Here,
            Stage::Tags if self.line != Line::Used => self.stage = Stage::Parted,
            _ => {}
        }
        self.line = Line::Begins;
        Cut::No
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.replace(ArrayVec::new()) else { return };
        if word.is_empty() {
            return;
        }
        let result = std::str::from_utf8(&word).ok().and_then(GameResult::parse);
        if self.depth == 0 && result.is_some() {
            self.stage = Stage::Ended;
        }
    }

    fn feed_text(&mut self, byte: u8) -> Cut {
        let begins_line = self.line == Line::Begins;
        if byte.is_ascii_whitespace() || byte == b'\x0b' {
            self.line = if begins_line { Line::Blank } else { self.line };
            self.end_word();
            return Cut::No;
        }
        self.line = Line::Used;
        if b"{;()[".contains(&byte) {
            self.end_word();
        }
        let begin: Begin = std::iter::once(byte).collect();
        match byte {
            b'{' => self.inside = Inside::Comment(None),
            b';' => self.inside = Inside::Line,
            b'%' if begins_line => self.inside = Inside::Line,
            _ if self.stage == Stage::Ended => return Cut::Before(begin),
            b'[' if self.stage == Stage::Moves => return Cut::Before(begin),
            b'[' => {
                self.inside = Inside::Tag(Some(begin));
                if self.stage == Stage::Begun {
                    self.stage = Stage::Tags;
                }
            }
            b'(' => (self.depth, self.stage) = (self.depth + 1, Stage::Moves),
            b')' => (self.depth, self.stage) = (self.depth.saturating_sub(1), Stage::Moves),
            _ => {
                self.stage = Stage::Moves;
                // A word that is too long for a result is none.
                if let Some(word) = &mut self.word
                    && word.try_push(byte).is_err()
                {
                    self.word = None;
                }
            }
        }
        Cut::No
    }

    fn feed_tag(&mut self, byte: u8) -> Cut {
        if let Inside::Tag(name @ Some(_)) = &mut self.inside
            && let Some(begin) = name
        {
            let named = begin.iter().skip(1).any(|b| !b.is_ascii_whitespace());
            if named && (byte.is_ascii_whitespace() || b"\"]".contains(&byte)) {
                let key: Begin = begin.iter().copied().skip(1).filter(|b| !b.is_ascii_whitespace()).collect();
                let first = key.as_slice() == b"Event" || self.names.contains(&key);
                if self.stage == Stage::Parted && first && begin.try_push(byte).is_ok() {
                    return Cut::Before(begin.clone());
                }
                self.names.insert(key);
                self.stage = Stage::Tags;
                *name = None;
            } else if begin.try_push(byte).is_err() {
                *name = None;
            }
        }
        match byte {
            b'"' => self.inside = Inside::Value { escaped: false },
            b']' => self.inside = Inside::Text,
            _ => {}
        }
        Cut::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(String, (usize, usize))> {
        let mut splitter = Splitter::new(io::BufReader::with_capacity(3, text.as_bytes()));
        let mut chunks = Vec::new();
        while let Some(chunk) = splitter.next_chunk().unwrap() {
            chunks.push((String::from_utf8(chunk.bytes).unwrap(), (chunk.line, chunk.column)));
        }
        chunks
    }

    #[test]
    fn games_are_cut_where_they_end_and_nothing_is_lost() {
        for pieces in [
            &["1. 11-15 *\n", "1. 11-16 1/2-1/2\n", "\n"][..],
            &["1. 11-15 1-0 ", "1. 11-16 *"],
            &["11-15 * {so much for that} ; indeed\n", "11-16 *"],
            &["[Event \"1-0 [x] {\"]\n[Site \"\\\"]\"]\n\n11-15\n\n", "[Event \"b\"] *"],
            &["[Event \"a\"]\n\n[Site \"b\"]\n\n", "[Event \"c\"]\n\n", "[Event \"d\"]"],
            &["[A \"a\"]\n[A \"b\"]\n\n", "[A \"c\"]\n"],
            &["11-15 {1-0 [Event \"a\"]\n [Event \"a\"] never closed\n", "[Event \"b\"] *"],
            &["11-15 (22-18 1-0) *\n", "%[Event \"b\"] 1-0 {\n11-16 *\n"],
            &["11-15 (never closed 1-0\n\n", "[Event \"b\"] *"],
            &["11-15 ; [Event \"a\"] 1-0\n 22-18 11-15* *"],
            &["{only} ; comments"],
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
}
