//! Splits a stream of bytes into games without parsing them, so that an invalid game does not affect the
//! next, and a file of any size needs memory for only one game.
//!
//! A game ends after a result outside comments and variations, and before a tag that follows moves. Two
//! sections of tags without moves between them are two games if an empty line separates them and the second
//! repeats a tag or begins with `Event`. An unclosed comment ends before a line that begins with an `Event`
//! tag. Moves after a result belong to the same game if their number is greater than one, and so does another
//! result.
//!
//! Valid tags, comments and results end where `grammar` ends them. Invalid ones end sooner here, so that they
//! hide nothing of the next game.

use std::collections::HashSet;
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Break, Continue};

use super::error::{MAX_GAME_BYTES, PdnErrorKind};
use super::result::parse_result;
use crate::notation::encoding::{Utf8, lines};

const READ_BYTES: usize = 64 << 10;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TextPlace {
    /// The line, from 1.
    pub(super) line: usize,
    /// The column in characters, from 1.
    pub(super) column: usize,
}

impl TextPlace {
    /// Advances the place past some bytes.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        let breaks = bytes.split(|&byte| byte == b'\n').count() - 1;
        let last_break = bytes.iter().rposition(|&byte| byte == b'\n');
        let last_line = last_break.map_or(bytes, |at| &bytes[at + 1..]);
        if breaks > 0 {
            (self.line, self.column) = (self.line + breaks, 1);
        }
        // Continuation bytes of UTF-8 characters do not count.
        self.column += last_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    }
}

/// The text of a game, or the white space and comments after the last game.
#[derive(Debug)]
pub(super) struct GameChunk {
    pub(super) bytes: Vec<u8>,
    pub(super) place: TextPlace,
    /// The error if the game cannot be read at all.
    pub(super) lost: Option<PdnErrorKind>,
}

/// The games of a file.
#[derive(Debug)]
pub(super) struct Splitter<R> {
    input: Utf8<R>,
    /// The bytes read. The next game begins at `start`.
    buffer: Vec<u8>,
    start: usize,
    ended: bool,
    place: TextPlace,
}

impl<R: Read> Splitter<R> {
    pub(super) fn new(input: R) -> Self {
        let place = TextPlace { line: 1, column: 1 };
        Self { input: Utf8::new(input), buffer: Vec::new(), start: 0, ended: false, place }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Returns the next bytes as a chunk.
    fn take(&mut self, len: usize, lost: Option<PdnErrorKind>) -> GameChunk {
        let bytes = self.rest()[..len].to_vec();
        let place = self.place;
        self.place.pass(&bytes);
        self.start += len;
        GameChunk { bytes, place, lost }
    }

    /// Drops a game that is too long, up to the next line that begins with an `Event` tag.
    fn skip_game(&mut self) -> io::Result<GameChunk> {
        let skipped = self.take(0, Some(PdnErrorKind::TooLong));
        loop {
            if let Some(event) = event_line(self.rest()) {
                self.take(event, None);
                return Ok(skipped);
            }
            // The buffer may end within the tag.
            self.take(self.rest().len().saturating_sub(EVENT[0].len()), None);
            if !self.read_more()? {
                self.take(self.rest().len(), None);
                return Ok(skipped);
            }
        }
    }

    fn next_chunk(&mut self) -> io::Result<Option<GameChunk>> {
        loop {
            match game_end(self.rest()) {
                Some(end) if end <= MAX_GAME_BYTES => return Ok(Some(self.take(end, None))),
                None if self.rest().len() <= MAX_GAME_BYTES => {
                    if !self.read_more()? {
                        self.ended = true;
                        let len = self.rest().len();
                        return Ok((len > 0).then(|| self.take(len, None)));
                    }
                }
                // A long game is dropped even if its end has been read, so that the result does not depend on
                // how much is read at a time.
                _ => return self.skip_game().map(Some),
            }
        }
    }

    /// Reads more bytes. Returns `false` at the end of the file.
    fn read_more(&mut self) -> io::Result<bool> {
        self.buffer.drain(..std::mem::take(&mut self.start));
        let before = self.buffer.len();
        // A long game is rescanned each time more of it is read, so each read doubles the buffer.
        self.buffer.resize(before + before.max(READ_BYTES), 0);
        let count = self.input.read(&mut self.buffer[before..]);
        self.buffer.truncate(before + *count.as_ref().unwrap_or(&0));
        Ok(count? > 0)
    }
}

impl<R: Read> Iterator for Splitter<R> {
    type Item = GameChunk;

    fn next(&mut self) -> Option<GameChunk> {
        if self.ended {
            return None;
        }
        self.next_chunk().unwrap_or_else(|error| {
            self.ended = true;
            self.take(self.rest().len(), None);
            let lost = PdnErrorKind::Unreadable { kind: error.kind(), reason: error.to_string() };
            Some(self.take(0, Some(lost)))
        })
    }
}

/// The beginning of a line that ends a comment.
const EVENT: [&[u8]; 2] = [b"[Event \"", b"[Event\""];
const MAX_RESULT_LEN: usize = 12;

/// Returns the end of the first game in the text, or `None` if finding it requires more text.
fn game_end(text: &[u8]) -> Option<usize> {
    let mut scan = GameScan::default();
    let mut offset = 0;
    loop {
        match scan.pass(text, offset)? {
            Continue(len) => offset += len,
            Break(end) => return Some(end),
        }
    }
}

/// The part of a game that a scan has reached.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum GamePart {
    #[default]
    Start,
    Tags,
    /// The blank line after the tags.
    Gap,
    Moves,
}

/// A scan of a game for its end.
#[derive(Default)]
struct GameScan<'a> {
    part: GamePart,
    /// The names of the tags.
    names: HashSet<&'a [u8]>,
    /// The number of open variations.
    depth: usize,
    /// A result has ended the game.
    ended: bool,
    /// The offset of the first line after that result.
    next_line: Option<usize>,
}

impl<'a> GameScan<'a> {
    /// Passes the item at an offset. Continues with its length, or breaks with the end of the game.
    fn pass(&mut self, text: &'a [u8], offset: usize) -> Option<ControlFlow<usize, usize>> {
        let (before, rest) = text.split_at_checked(offset)?;
        let byte = *rest.first()?;
        let is_remark = matches!(byte, b'{' | b';') && self.next_line.is_none();
        if self.ended && !is_space(byte) && !is_remark {
            let is_same_game = continues(rest)? || may_be_result(rest) && word_or_result(rest)?.1;
            if !is_same_game {
                return Some(Break(self.next_line.unwrap_or(offset)));
            }
            (self.ended, self.next_line) = (false, None);
        }
        Some(Continue(match byte {
            b'\n' => {
                let mut line = before.iter().rev().take_while(|&&byte| byte != b'\n');
                if self.part == GamePart::Tags && line.all(|&byte| is_space(byte)) {
                    self.part = GamePart::Gap;
                }
                self.next_line = self.next_line.or(self.ended.then_some(offset + 1));
                1
            }
            byte if is_space(byte) => 1,
            b'{' | b';' | b'%' if byte != b'%' || before.last().is_none_or(|&byte| byte == b'\n') => {
                return Some(comment(rest)?.map_break(|len| offset + len));
            }
            b'[' => {
                if self.part == GamePart::Moves || self.begins_another(tag_name(rest)?) {
                    return Some(Break(offset));
                }
                tag_len(rest)?
            }
            b'(' | b')' => {
                self.part = GamePart::Moves;
                self.depth = if byte == b'(' { self.depth + 1 } else { self.depth.saturating_sub(1) };
                1
            }
            _ => self.pass_word(rest)?,
        }))
    }

    /// Returns whether a tag begins another game. If not, it belongs to this game.
    fn begins_another(&mut self, name: &'a [u8]) -> bool {
        let is_new = name.is_empty() || self.names.insert(name);
        let in_gap = self.part == GamePart::Gap;
        if !in_gap || !name.is_empty() {
            self.part = GamePart::Tags;
        }
        in_gap && (name == b"Event" || !is_new)
    }

    /// Passes a move, a number or a result, and returns its length.
    fn pass_word(&mut self, rest: &[u8]) -> Option<usize> {
        self.part = GamePart::Moves;
        let (len, is_result) = word_or_result(rest)?;
        self.ended = self.depth == 0 && is_result;
        Some(len)
    }
}

fn word_len(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| is_space(byte) || b"{;()[".contains(&byte))
}

/// Returns the length of the word with which the text begins, and whether it is a result. Spaces may surround
/// the dash of a result.
fn word_or_result(text: &[u8]) -> Option<(usize, bool)> {
    let mut passed = (word_len(text)?, false);
    let mut result = Vec::new();
    let mut end = 0;
    for _ in 0..3 {
        end += text[end..].iter().position(|&byte| !is_space(byte))?;
        let len = word_len(&text[end..])?;
        result.extend(&text[end..end + len]);
        end += len;
        if result.len() <= MAX_RESULT_LEN && parse_result(&lines(&result)).is_ok() {
            passed = (end, true);
            // A half is a result, and may begin a longer one.
            if !matches!(&result[..], b"1/2" | b"\xc2\xbd") {
                break;
            }
        }
        if len == 0 || !result.iter().all(|byte| b"012/-".contains(byte) || !byte.is_ascii()) {
            break;
        }
    }
    Some(passed)
}

/// Returns whether the moves after a result belong to the same game. Move number one begins another game.
fn continues(text: &[u8]) -> Option<bool> {
    let len = text.iter().position(|&byte| !byte.is_ascii_digit() && !is_space(byte))?;
    let (number, rest) = text.split_at_checked(len)?;
    let number = str::from_utf8(number.trim_ascii()).ok().and_then(|number| number.parse().ok());
    Some(rest.starts_with(b".") && number.is_some_and(|number: u32| number > 1))
}

/// Returns whether a word may be a result, so that the text after a game is not read further than necessary.
const fn may_be_result(text: &[u8]) -> bool {
    match text {
        // `½` begins with this byte.
        [b'*' | 0xc2, ..] => true,
        [b'0'..=b'2', next, ..] => !next.is_ascii_digit() && *next != b'.',
        _ => false,
    }
}

/// Returns whether a byte is a space, or the mark with which DOS ended files.
const fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'\x0b' | b'\x1a')
}

/// Scans a comment in braces or up to the end of its line. Breaks with the end of the game if the game ends
/// within the comment.
fn comment(text: &[u8]) -> Option<ControlFlow<usize, usize>> {
    let is_brace = text.first() == Some(&b'{');
    let end = text.iter().position(|&byte| byte == if is_brace { b'}' } else { b'\n' });
    if !is_brace {
        return end.map(Continue);
    }
    let inside = text.get(..end.unwrap_or(text.len()))?;
    event_line(inside).map(Break).or_else(|| Some(Continue(end? + 1)))
}

/// Returns the beginning of the next line with an `Event` tag.
fn event_line(text: &[u8]) -> Option<usize> {
    let mut begin = 0;
    text.split(|&byte| byte == b'\n').find_map(|line| {
        let offset = begin;
        begin += line.len() + 1;
        (offset > 0 && EVENT.iter().any(|event| line.starts_with(event))).then_some(offset)
    })
}

/// Returns the name of a tag, which is empty if nothing follows it on the line.
fn tag_name(text: &[u8]) -> Option<&[u8]> {
    let blank = text.iter().skip(1).take_while(|&&byte| byte != b'\n' && byte.is_ascii_whitespace()).count();
    let name = text.get(1 + blank..)?;
    let len = name.iter().position(|byte| byte.is_ascii_whitespace() || b"\"]".contains(byte))?;
    if name.get(len) == Some(&b'\n') { Some(&[]) } else { name.get(..len) }
}

/// Returns the length of a tag. An unclosed tag ends with its line, so that it does not affect the next tag.
fn tag_len(text: &[u8]) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    let end = text.iter().position(|&byte| {
        quoted ^= byte == b'"' && !escaped;
        escaped = byte == b'\\' && quoted && !escaped;
        byte == b'\n' || byte == b']' && !quoted
    })?;
    Some(end + usize::from(text.get(end) == Some(&b']')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::encoding::tests::Slowly;
    use crate::notation::pdn::grammar::Tokens;

    fn cut(text: &str) -> Vec<(String, (usize, usize))> {
        let pieces = Splitter::new(Slowly(text.as_bytes(), 3));
        pieces
            .map(|chunk| (String::from_utf8(chunk.bytes).unwrap(), (chunk.place.line, chunk.place.column)))
            .collect()
    }

    #[test]
    fn valid_tokens_end_where_the_grammar_ends_them() {
        for token in [
            "[Event \"a ] b\"]",
            r#"[Site "a \"] b \\"]"#,
            "[Round \"a \"b\" c\" ]",
            "{a ] ; b}",
            "; a } b",
            "1-0",
            "1/2 - 1/2",
            "\u{bd}\u{2013}\u{bd}",
            "2-0",
            "*",
        ] {
            let text = format!("{token}\n11-15\n");
            let next = Tokens::new(&text).nth(1).map(|(offset, _)| text[..offset].trim_end().len());
            let passed = GameScan::default().pass(text.as_bytes(), 0).and_then(ControlFlow::continue_value);
            assert_eq!((passed, next), (Some(token.len()), Some(token.len())), "{token}");
        }
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
            &["11-15 1-0 0-1\n", "11-16 1-0\n1-0\n", "\n[Event \"b\"] 11-15"],
            &["1. 11-15 1 - 0 ", "1. 11-16 0- 1\n", "1. 9-14 ½ – ½ ", "1. 1-5 2 -0 ", "1. 2-6"],
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
    fn the_buffer_of_the_splitter_stays_small() {
        let text = "1. 11-15 22-18 {takes} *\n".repeat(100_000);
        let mut splitter = Splitter::new(text.as_bytes());
        let mut count = 0;
        while let Some(chunk) = splitter.next() {
            assert_eq!(chunk.place.line, count + 1);
            count += 1;
            assert!(splitter.buffer.capacity() <= 4 * READ_BYTES);
        }
        assert_eq!(count, 100_000);
    }

    #[test]
    fn places_count_lines_and_characters() {
        let mut place = TextPlace { line: 3, column: 5 };
        for (text, line, column) in
            [("ab", 3, 7), ("", 3, 7), ("\u{e9}\u{1f600}", 3, 9), ("a\n\nbc", 5, 3), ("\n", 6, 1)]
        {
            place.pass(text.as_bytes());
            assert_eq!(place, TextPlace { line, column }, "{text:?}");
        }
    }

    #[test]
    fn tags_end_with_their_bracket_or_their_line() {
        for (text, name, len) in [
            (r#"[A "b"] c"#, Some("A"), Some(7)),
            ("[\tAb\"c\"]\n", Some("Ab"), Some(8)),
            (r#"[A "b]c"] "#, Some("A"), Some(9)),
            (r#"[A "\"]"] "#, Some("A"), Some(9)),
            (r#"[A "\\"] ""#, Some("A"), Some(8)),
            (r#"[A \"]"] "#, Some("A"), Some(8)),
            (r#"[A "\\\"]"] "#, Some("A"), Some(11)),
            ("[A \"b]\n]", Some("A"), Some(6)),
            ("[A]", Some("A"), Some(3)),
            ("[]", Some(""), Some(2)),
            ("[A\n", Some(""), Some(2)),
            ("[A \"b\"", Some("A"), None),
            ("[A", None, None),
            ("[ ", None, None),
            ("[", None, None),
        ] {
            assert_eq!(tag_name(text.as_bytes()), name.map(str::as_bytes), "{text}");
            assert_eq!(tag_len(text.as_bytes()), len, "{text}");
        }
    }

    #[test]
    fn moves_continue_after_a_result_with_a_number_above_one() {
        for (text, expected) in [
            ("2. 11-15", Some(true)),
            ("12 . 11-15", Some(true)),
            ("1. 11-15", Some(false)),
            ("0. 11-15", Some(false)),
            ("2 11-15", Some(false)),
            ("11-15", Some(false)),
            ("99999999999. 11-15", Some(false)),
            ("x", Some(false)),
            ("2 ", None),
        ] {
            assert_eq!(continues(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_game_that_is_too_long_is_dropped() {
        let long = |size: usize| format!("{{{}", "a".repeat(size - 1));
        let next = "\n[Event \"b\"] *";
        let cut = |text: &str| -> Vec<_> {
            Splitter::new(text.as_bytes())
                .map(|game| (game.bytes.len(), game.place.line, game.lost))
                .collect()
        };
        assert_eq!(cut(&long(MAX_GAME_BYTES)), [(MAX_GAME_BYTES, 1, None)]);
        // The next game is found even if reading stops within its tag.
        let rest = (next.len() - 1, 2, None);
        for size in [MAX_GAME_BYTES + 1, 2 * MAX_GAME_BYTES - 6] {
            let lost = (0, 1, Some(PdnErrorKind::TooLong));
            assert_eq!(cut(&(long(size) + next)), [lost, rest.clone()], "{size}");
        }
    }

    #[test]
    fn a_reader_that_fails_ends_the_games() {
        struct Failing(bool);
        impl Read for Failing {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(io::Error::other("the disk is gone"));
                }
                b"11-15 *\n11-16 *\n11-".as_slice().read(buffer)
            }
        }
        let games: Vec<_> = Splitter::new(io::BufReader::new(Failing(false))).collect();
        let lost: Vec<_> = games.iter().map(|game| game.lost.clone()).collect();
        let gone =
            PdnErrorKind::Unreadable { kind: io::ErrorKind::Other, reason: "the disk is gone".to_owned() };
        assert_eq!(lost, [None, None, Some(gone)]);
        assert_eq!(games[2].place, TextPlace { line: 3, column: 4 });
    }
}
