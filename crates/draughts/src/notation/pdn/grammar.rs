//! The grammar of a game's text, as a flat list of tokens. Nesting is resolved later, so that no input makes
//! the parser recurse.
//!
//! A move in any usual form is one token. Any other run of digits, separators and dots is a
//! [`Token::Unspaced`]: moves and numbers without clear separators, which are resolved against the board.

use arrayvec::ArrayVec;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while, take_while1};
use nom::character::complete::{char, digit1, none_of, one_of, satisfy, space0};
use nom::combinator::{cut, eof, fail, map, map_res, not, opt, peek, recognize, value};
use nom::error::context;
use nom::multi::{fold_many0, many0_count, many1_count};
use nom::sequence::{delimited, preceded, terminated};

use super::result::{is_dash, parse_result};
use crate::board::Square;
use crate::record::is_name;
use crate::result::GameResult;
use kelso_syntax::grammar::Parsed;
use kelso_syntax::{SyntaxFault, is_invisible};

pub(super) type SquareList = ArrayVec<Square, 13>;

/// A piece of a game's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Tag {
        name: &'a str,
        value: String,
    },
    Comment(&'a str),
    /// A move number. It is often wrong; the position determines the side to move.
    Number(u32),
    /// A move and the marks attached to it.
    Move {
        text: &'a str,
        squares: SquareList,
        marks: &'a str,
    },
    /// Moves and numbers without clear separators, or squares separated by spaces.
    Unspaced(&'a str),
    Glyph(u8),
    /// Marks that are separate from their move.
    Marks(&'a str),
    /// `(`
    Open,
    /// `)`
    Close,
    Result(Option<GameResult>),
}

/// The tokens of a game, each with the offset of its first byte. After an error, tokenizing resumes after the
/// next space or bracket.
pub(super) struct Tokens<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let rest = preceded(opt(escape), gap).parse(text).map_or(text, |(rest, ())| rest);
        Self { text, rest }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Result<Token<'a>, SyntaxFault>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let offset = self.text.len() - self.rest.len();
        let (rest, token) = match terminated(token, gap).parse(self.rest) {
            Ok((rest, token)) => (rest, Ok(token)),
            Err(nom::Err::Error(error) | nom::Err::Failure(error)) => {
                let fault = error.fault(self.text);
                (skip(self.rest, fault.at.saturating_sub(offset)), Err(fault))
            }
            Err(nom::Err::Incomplete(_)) => ("", Err(SyntaxFault { at: offset, expected: "more text" })),
        };
        self.rest = rest;
        Some((offset, token))
    }
}

/// Skips an invalid tag, comment or word.
fn skip(text: &str, from: usize) -> &str {
    let mut chars = text.char_indices().skip(1).skip_while(|&(at, _)| at < from);
    let end = match text.chars().next() {
        Some('{') => None,
        Some('[') => chars.find(|&(_, c)| c == '\n'),
        _ => chars.find(|&(_, c)| ends_word(c)),
    };
    let rest = end.and_then(|(at, _)| text.get(at..)).unwrap_or_default();
    gap(rest).map_or(rest, |(rest, ())| rest)
}

fn token(input: &str) -> Parsed<'_, Token<'_>> {
    // Dispatches on the first character for speed, since files are mostly moves.
    match input.as_bytes().first() {
        Some(b'0'..=b'9') => word(input),
        Some(b'{' | b';') => map(comment, Token::Comment).parse(input),
        Some(b'[') => game_tag(input),
        Some(b'$') => map(glyph, Token::Glyph).parse(input),
        Some(b'(') => {
            alt((map(delimited(char('('), marks, char(')')), Token::Marks), value(Token::Open, char('('))))
                .parse(input)
        }
        Some(b')') => value(Token::Close, char(')')).parse(input),
        Some(b'!' | b'?') => map(marks, Token::Marks).parse(input),
        Some(b'.') => value(Token::Number(0), take_while1(is_dot)).parse(input),
        _ => {
            context(EXPECTED, alt((map(result, Token::Result), value(Token::Number(0), take_while1(is_dot)))))
                .parse(input)
        }
    }
}

const EXPECTED: &str = "a move, a comment, a variation or a result";

pub(super) const fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{2026}')
}

/// Parses separators: white space, invisible characters, commas, and lines that begin with `%`.
fn gap(input: &str) -> Parsed<'_, ()> {
    // Almost every gap is one space.
    if let Some(rest) = input.strip_prefix(' ')
        && rest.as_bytes().first().is_some_and(u8::is_ascii_digit)
    {
        return Ok((rest, ()));
    }
    let spaces = value((), take_while1(|c: char| is_blank(c) && c != '\n' || c == ','));
    let line = value((), (char('\n'), opt(escape)));
    value((), many0_count(alt((spaces, line)))).parse(input)
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\x1a' || is_invisible(c)
}

fn escape(input: &str) -> Parsed<'_, ()> {
    value((), (char('%'), take_till(|c| c == '\n'))).parse(input)
}

/// Parses a tag, `[Event "Glasgow"]`; the space may be missing, and quotes in the value may be unescaped.
fn game_tag(input: &str) -> Parsed<'_, Token<'_>> {
    let name = context("the name of a tag", take_while1(is_name));
    let quote = context("a value in quotes", char('"'));
    let close = context("\"]\"", char(']'));
    let body = (name, space0, quote, tag_value, space0, close);
    let body = map(body, |(name, _, _, value, ..)| Token::Tag { name, value });
    preceded((char('['), space0), cut(body)).parse(input)
}

fn tag_value(input: &str) -> Parsed<'_, String> {
    let end = context("a closing quote", char('"'));
    // Most values have no quotes or backslashes.
    let plain = terminated(
        take_till(|c| matches!(c, '"' | '\\' | '\r' | '\n')),
        (char('"'), space0, peek(char(']'))),
    );
    let escaped = preceded(char('\\'), one_of("\"\\"));
    let bare_quote = terminated(char('"'), not(peek((space0, char(']')))));
    let character = alt((escaped, bare_quote, none_of("\"\r\n")));
    let characters = fold_many0(character, String::new, |mut text, c| {
        text.push(c);
        text
    });
    alt((map(plain, str::to_owned), terminated(characters, end))).parse(input)
}

/// Parses a comment: `{to the brace}`, or from `;` to the end of the line.
fn comment(input: &str) -> Parsed<'_, &str> {
    let line = preceded(char(';'), take_till(|c| c == '\n'));
    // An unclosed comment is reported at its beginning.
    let unclosed = context("\"}\" at the end of the comment", cut(fail()));
    let braces = delimited(char('{'), take_till(|c| c == '}'), char('}'));
    alt((line, braces, preceded(peek(char('{')), unclosed))).parse(input)
}

/// Parses a result, with or without spaces around its dash.
fn result(input: &str) -> Parsed<'_, Option<GameResult>> {
    let dash = satisfy(|c| c == '-' || is_dash(c));
    let text = alt((tag("*"), recognize((points, opt((spaces, dash, spaces, points))))));
    let end = peek(alt((value((), eof), value((), satisfy(ends_word)))));
    terminated(map_res(text, |text: &str| parse_result(&text.replace(is_blank, ""))), end).parse(input)
}

/// Parses the points of one side.
fn points(input: &str) -> Parsed<'_, &str> {
    alt((tag("1/2"), tag("\u{bd}"), tag("0"), tag("1"), tag("2"))).parse(input)
}

fn spaces(input: &str) -> Parsed<'_, &str> {
    take_while(is_blank).parse(input)
}

fn ends_word(c: char) -> bool {
    is_blank(c) || matches!(c, '{' | '}' | ';' | '(' | ')' | '[' | ',')
}

/// Parses a word that begins with a digit: a result, a number with its dots, a move, or several of these
/// together.
fn word(input: &str) -> Parsed<'_, Token<'_>> {
    if matches!(input.as_bytes(), [b'0'..=b'2', b'-' | b'/' | b' ' | b'\t'..=b'\r' | 0x80.., ..])
        && let Ok((rest, result)) = result(input)
    {
        return Ok((rest, Token::Result(result)));
    }
    let (rest, first) = number(input)?;
    if let Ok((rest, ())) = dots(rest) {
        return Ok((rest, Token::Number(first)));
    }
    let mut end = rest;
    let mut squares = SquareList::new();
    let mut usual = push(&mut squares, first);
    while let Ok((rest, next)) = preceded(separator, number).parse(end) {
        usual &= push(&mut squares, next);
        end = rest;
    }
    let glued = end.starts_with(is_glue);
    if usual && squares.len() > 1 && !glued {
        let (rest, marks) = take_while(is_mark).parse(end)?;
        let text = input.split_at(input.len() - end.len()).0;
        return Ok((rest, Token::Move { text, squares, marks }));
    }
    unspaced(input)
}

fn push(squares: &mut SquareList, number: u32) -> bool {
    let square = u8::try_from(number).ok().and_then(Square::from_number);
    square.is_some_and(|square| squares.try_push(square).is_ok())
}

/// Parses a whole number, saturating at `u32::MAX`.
fn number(input: &str) -> Parsed<'_, u32> {
    map(digit1, |digits: &str| digits.parse().unwrap_or(u32::MAX)).parse(input)
}

/// Parses the dots after a move number: `.`, ` .`, `...` or `. ...`.
fn dots(input: &str) -> Parsed<'_, ()> {
    if !input.starts_with(|c: char| is_dot(c) || is_blank(c)) {
        return context(EXPECTED, fail()).parse(input);
    }
    value((), many1_count((take_while(is_blank), take_while1(is_dot)))).parse(input)
}

/// Parses a separator between the squares of a move, with spaces around it.
fn separator(input: &str) -> Parsed<'_, ()> {
    let mut chars = input.chars();
    match chars.next() {
        // Most separators have no spaces around them.
        Some(c) if is_separator(c) && chars.as_str().starts_with(|c: char| c.is_ascii_digit()) => {
            Ok((chars.as_str(), ()))
        }
        Some('*') => value((), (char('*'), peek(satisfy(|c| c.is_ascii_digit())))).parse(input),
        _ => value((), (spaces, satisfy(is_separator), spaces)).parse(input),
    }
}

/// Returns whether a character separates the squares of a move.
pub(super) const fn is_separator(c: char) -> bool {
    matches!(c, '-' | 'x' | 'X' | ':' | '×') || is_dash(c)
}

/// Returns whether a character joins a move to the text after it.
const fn is_glue(c: char) -> bool {
    c.is_ascii_digit() || is_separator(c) || is_dot(c)
}

/// Parses digits, separators and dots, and also numbers after spaces unless they belong to a move or a
/// result.
fn unspaced(input: &str) -> Parsed<'_, Token<'_>> {
    let (mut end, first) = take_while1(|c| is_glue(c) || c == '*').parse(input)?;
    if first.bytes().all(|byte| byte.is_ascii_digit()) {
        // Squares separated by spaces: `11 15 23 19`.
        let bare =
            |input| preceded(take_while1(is_blank), terminated(digit1, not(after_number))).parse(input);
        while let Ok((rest, _)) = bare(end) as Parsed<'_, &str> {
            end = rest;
        }
    }
    let text = input.split_at(input.len() - end.len()).0;
    let before_move = preceded(gap, (not(result), digit1, separator)).parse(end).is_ok();
    match text.parse() {
        // A move number without its dot. If it had more digits, it could be a move without its hyphen.
        Ok(number) if before_move && text.len() <= 2 => Ok((end, Token::Number(number))),
        _ => Ok((end, Token::Unspaced(text))),
    }
}

/// Parses text that may follow a number in a move, a result or a move number, but not a bare square.
fn after_number(input: &str) -> Parsed<'_, ()> {
    let glue = satisfy(|c| is_glue(c) || matches!(c, '/' | '*'));
    value((), alt((value((), glue), value((), (take_while1(is_blank), take_while1(is_dot))), separator)))
        .parse(input)
}

fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '*')
}

fn marks(input: &str) -> Parsed<'_, &str> {
    recognize((one_of("!?"), take_while(is_mark))).parse(input)
}

fn glyph(input: &str) -> Parsed<'_, u8> {
    let number = context("a glyph number up to 255", cut(map_res(digit1, str::parse)));
    preceded(tag("$"), number).parse(input)
}

/// Returns the glyphs of marks; `*` marks the only move.
pub(super) fn marked(marks: &str) -> impl Iterator<Item = u8> {
    let plain: String = marks.chars().filter(|&c| c != '*').take(2).collect();
    let mut glyphs = (1..).zip(["!", "?", "!!", "??", "!?", "?!"]);
    let glyph = glyphs.find_map(|(glyph, known)| (known == plain).then_some(glyph));
    glyph.into_iter().chain(marks.contains('*').then_some(7))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        Tokens::new(text).map(|(_, token)| token.unwrap()).collect()
    }

    fn mv<'a>(text: &'a str, squares: &[u8]) -> Token<'a> {
        let squares = squares.iter().filter_map(|&number| Square::from_number(number)).collect();
        Token::Move { text, squares, marks: "" }
    }

    #[test]
    fn move_numbers_are_not_moves() {
        for number in ["1.", "1. ", "1 . ", "1...", "1. . .", "1\n.\n", "1\u{2026} ", "1 "] {
            let text = format!("{number}11-15");
            assert_eq!(kinds(&text), [Token::Number(1), mv("11-15", &[11, 15])], "{text:?}");
        }
        assert_eq!(kinds("... 22-18"), [Token::Number(0), mv("22-18", &[22, 18])]);
        assert_eq!(kinds("1-01 0-1"), [mv("1-01", &[1, 1]), Token::Result(Some(GameResult::WhiteWins))]);
    }

    #[test]
    fn moves_have_any_separator() {
        for separator in ["-", "x", "X", ":", " - ", "- ", " -", "\u{2013}", "\u{d7}", "*", "-\r\n"] {
            let text = format!("22{separator}15");
            assert_eq!(kinds(&text), [mv(&text, &[22, 15])], "{text:?}");
        }
        assert_eq!(kinds("22x15x8, 4x11"), [mv("22x15x8", &[22, 15, 8]), mv("4x11", &[4, 11])]);
    }

    #[test]
    fn results_are_not_moves() {
        for (result, texts) in [
            (Some(GameResult::BlackWins), &["1-0", "1 - 0", "0-2"][..]),
            (Some(GameResult::WhiteWins), &["2-0", "0\u{2013}1"]),
            (Some(GameResult::Draw), &["1-1", "1/2-1/2", "1/2 - 1/2", "\u{bd}-\u{bd}"]),
            (None, &["*"]),
        ] {
            for text in texts {
                assert_eq!(kinds(text), [Token::Result(result)], "{text}");
                let after_move = format!("1-5 {text} {{so}}");
                assert_eq!(kinds(&after_move).get(1), Some(&Token::Result(result)), "{text}");
            }
        }
    }

    #[test]
    fn unspaced_moves_are_one_token() {
        for text in ["11-1523-19", "11-152.8-11", "1115 2319", "11 15 23 19", "11-15.", "12", "1115"] {
            assert_eq!(kinds(text), [Token::Unspaced(text)], "{text}");
        }
        for text in ["1115", "12"] {
            assert_eq!(
                kinds(&format!("{text} 1-0")),
                [Token::Unspaced(text), Token::Result(Some(GameResult::BlackWins))]
            );
        }
        assert_eq!(kinds("1115 23-19"), [Token::Unspaced("1115"), mv("23-19", &[23, 19])]);
        assert_eq!(kinds("11 15 23-19"), [Token::Unspaced("11 15"), mv("23-19", &[23, 19])]);
        assert_eq!(
            kinds("1.11 15 2. 9 14"),
            [Token::Number(1), Token::Unspaced("11 15"), Token::Number(2), Token::Unspaced("9 14")]
        );
    }

    #[test]
    fn quotes_in_values_are_bare_or_escaped() {
        for (text, value) in [
            (r#"[A"b"]"#, "b"),
            (r#"[ A "b" ]"#, "b"),
            (r#"[A ""]"#, ""),
            (r#"[A "the "b" of c"]"#, r#"the "b" of c"#),
            (r#"[A "\"b\\\"] \ c"]"#, r#""b\"] \ c"#),
        ] {
            assert_eq!(kinds(text), [Token::Tag { name: "A", value: value.into() }], "{text}");
        }
    }

    #[test]
    fn move_marks_are_glyphs() {
        for (text, glyphs) in [("!", &[1][..]), ("?!", &[6]), ("!!!", &[3]), ("*", &[7]), ("?*", &[2, 7])] {
            assert_eq!(marked(text).collect::<Vec<u8>>(), glyphs, "{text}");
        }
        let Token::Move { text, squares, .. } = mv("9x18", &[9, 18]) else { unreachable!() };
        assert_eq!(kinds("9x18!?* (?!)"), [Token::Move { text, squares, marks: "!?*" }, Token::Marks("?!")]);
    }

    #[test]
    fn lines_for_programs_are_skipped() {
        assert_eq!(kinds("%11-15\n%\n\n%x\n 11-16"), [mv("11-16", &[11, 16])]);
        assert_eq!(kinds("{a\n%b}"), [Token::Comment("a\n%b")]);
        assert!(Tokens::new(" % 11-15").any(|(_, token)| token.is_err()));
    }

    #[test]
    fn tokens_continue_after_errors() {
        for (text, good, bad) in [
            ("11-15 resigns 23-19", 2, 1),
            ("11-15a 23-19", 2, 1),
            ("[Event \"never closed]\n11-15", 1, 1),
            ("[]\n11-15", 1, 1),
            ("11-15 {never closed 23-19", 1, 1),
            ("11-15 $256 $1 \u{201c}so\u{201d}", 2, 2),
            ("\"", 0, 1),
        ] {
            let tokens: Vec<_> = Tokens::new(text).map(|(_, token)| token.is_ok()).collect();
            let count = tokens.iter().filter(|&&ok| ok).count();
            assert_eq!((count, tokens.len() - count), (good, bad), "{text}");
        }
    }
}
