//! The grammar of a game's text, as a flat list of tokens: what is nested is put together later, so that no text,
//! however hostile, makes the parser go deep.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_a, tag, take_till, take_while, take_while1};
use nom::character::complete::{char, digit1, multispace0, multispace1, none_of, one_of, space0};
use nom::combinator::{cut, eof, fail, map, map_opt, map_res, not, opt, peek, recognize, value};
use nom::error::context;
use nom::multi::{fold_many0, many_till, many0_count, many1_count};
use nom::sequence::{delimited, preceded, terminated};

use super::game::{GameResult, is_name};
use crate::notation::syntax::{Mismatch, Parsed, whole};

/// A piece of a game's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Tag {
        name: &'a str,
        value: String,
    },
    Comment(&'a str),
    /// The number of a move, which is of no use: files get it wrong, and the position says who moves.
    Number,
    /// A move and the marks that cling to it.
    Move {
        text: &'a str,
        marks: &'a str,
    },
    Glyph(u8),
    /// Marks that stand apart from their move.
    Marks(&'a str),
    /// `(`
    Open,
    /// `)`
    Close,
    Result(GameResult),
}

/// The tokens of a game, each with the offset of its first byte.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, Mismatch> {
    let located = |input| {
        let (rest, token) = token(input)?;
        Ok((rest, (text.len() - input.len(), token)))
    };
    let start = (opt(escape), gap);
    whole(preceded(start, map(many_till(terminated(located, gap), eof), |(tokens, _)| tokens)), text)
}

fn token(input: &str) -> Parsed<'_, Token<'_>> {
    let move_token = map((move_text, take_while(is_mark)), |(text, marks)| Token::Move { text, marks });
    // What there is most of comes first.
    let any = alt((
        value(Token::Number, number),
        map(result, Token::Result),
        move_token,
        map(comment, Token::Comment),
        map(glyph, Token::Glyph),
        map(alt((delimited(char('('), marks, char(')')), marks)), Token::Marks),
        value(Token::Open, char('(')),
        value(Token::Close, char(')')),
        game_tag,
    ));
    context("a move, a comment, a variation or a result", any).parse(input)
}

/// White space, and lines that begin with `%`, which are for programs only.
fn gap(input: &str) -> Parsed<'_, ()> {
    let spaces = value((), take_while1(|c: char| c.is_whitespace() && c != '\n'));
    let line = value((), (char('\n'), opt(escape)));
    value((), many0_count(alt((spaces, line)))).parse(input)
}

fn escape(input: &str) -> Parsed<'_, ()> {
    value((), (char('%'), take_till(|c| c == '\n'))).parse(input)
}

/// `[Event "Glasgow"]`; the space may be missing, and quotes within the value may be bare.
fn game_tag(input: &str) -> Parsed<'_, Token<'_>> {
    let name = context("the name of a tag", take_while1(is_name));
    let quote = context("a value in quotes", char('"'));
    let close = context("\"]\"", char(']'));
    let body = (name, space0, quote, tag_value, space0, close);
    let body = map(body, |(name, _, _, value, ..)| Token::Tag { name, value });
    preceded((char('['), space0), cut(body)).parse(input)
}

fn tag_value(input: &str) -> Parsed<'_, String> {
    let escaped = preceded(char('\\'), one_of("\"\\"));
    let bare_quote = terminated(char('"'), not(peek((space0, char(']')))));
    let character = alt((escaped, bare_quote, none_of("\"\r\n")));
    let characters = fold_many0(character, String::new, |mut text, c| {
        text.push(c);
        text
    });
    terminated(characters, context("a quote that ends the value", char('"'))).parse(input)
}

/// `{to the brace}`, or from `;` to the end of the line.
fn comment(input: &str) -> Parsed<'_, &str> {
    let line = preceded(char(';'), take_till(|c| c == '\n'));
    // Where it isn't closed its beginning is the place to show, since the end could be missing anywhere after it.
    let unclosed = context("a comment that \"}\" ends", cut(fail()));
    let braces = delimited(char('{'), take_till(|c| c == '}'), char('}'));
    alt((line, braces, preceded(peek(char('{')), unclosed))).parse(input)
}

/// `1.`, `1 .`, `1...` or `1. ...`.
fn number(input: &str) -> Parsed<'_, ()> {
    value((), (digit1, many1_count((multispace0, is_a("."))))).parse(input)
}

fn result(input: &str) -> Parsed<'_, GameResult> {
    let word = take_while1(|c: char| c.is_ascii_digit() || matches!(c, '-' | '/' | '*'));
    let end = alt((value((), eof), value((), multispace1), value((), one_of("{};()["))));
    terminated(map_opt(word, GameResult::parse), peek(end)).parse(input)
}

fn move_text(input: &str) -> Parsed<'_, &str> {
    recognize((digit1, many1_count((one_of("-xX:"), digit1)))).parse(input)
}

fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '*')
}

fn marks(input: &str) -> Parsed<'_, &str> {
    recognize((one_of("!?"), take_while(is_mark))).parse(input)
}

fn glyph(input: &str) -> Parsed<'_, u8> {
    let number = context("the number of a glyph up to 255", cut(map_res(digit1, str::parse)));
    preceded(tag("$"), number).parse(input)
}

/// The glyphs that marks stand for; `*` after a move says that it is the only one.
pub(super) fn marked(marks: &str) -> impl Iterator<Item = u8> {
    let plain: String = marks.chars().filter(|&c| c != '*').take(2).collect();
    let glyph = match plain.as_str() {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    glyph.into_iter().chain(marks.contains('*').then_some(7))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokens(text).unwrap().into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn numbers_are_none_of_the_moves() {
        let mv = |text| Token::Move { text, marks: "" };
        for text in ["1.11-15", "1. 11-15", "1 . 11-15", "1...11-15", "1. . .11-15", "1\n.\n11-15"] {
            assert_eq!(kinds(text), [Token::Number, mv("11-15")], "{text:?}");
        }
        assert_eq!(kinds("1-0"), [Token::Result(GameResult::BlackWins)]);
        assert_eq!(kinds("1-01 0-1"), [mv("1-01"), Token::Result(GameResult::WhiteWins)]);
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
    fn marks_are_glyphs() {
        let glyphs = |text| marked(text).collect::<Vec<u8>>();
        assert_eq!(glyphs("!"), [1]);
        assert_eq!(glyphs("?!"), [6]);
        assert_eq!(glyphs("!!!"), [3]);
        assert_eq!(glyphs("*"), [7]);
        assert_eq!(glyphs("?*"), [2, 7]);
        assert_eq!(kinds("9x18!?* (?!)"), [Token::Move { text: "9x18", marks: "!?*" }, Token::Marks("?!")]);
    }

    #[test]
    fn lines_for_programs_are_skipped() {
        assert_eq!(kinds("%11-15\n%\n\n%x\n 11-16"), [Token::Move { text: "11-16", marks: "" }]);
        assert_eq!(kinds("{a\n%b}"), [Token::Comment("a\n%b")]);
        assert!(tokens(" % 11-15").is_err());
    }
}
