//! FEN for draughts: the side to move, then each side's squares, as in `B:W21,22,K30:B1,2,3`.
//!
//! The parser accepts: either colour first or missing, `K` before kings, ranges (`W21-32`), lower-case
//! letters, spaces around every part, quotes or a PDN tag around the FEN (`[FEN "..."]`), a full stop after
//! it, a byte order mark before it, and the counters that some sites append (`:H0:F1`), which are ignored.
//! The formatter writes a single form: the side to move, White's squares and Black's squares, in numerical
//! order.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{cut, eof, fail, map, not, opt, peek, value};
use nom::error::context;
use nom::multi::{many0, separated_list0};
use nom::sequence::{delimited, preceded, terminated};

use super::encoding::BYTE_ORDER_MARK;
use super::square;
use crate::board::{Color, Piece, PieceKind, Position, Setup, SetupError, Square};
use kelso_syntax::grammar::{Parsed, whole};
use kelso_syntax::{Quoted, SyntaxError};

/// The reason why text is not the FEN of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PositionError {
    /// The text does not follow the grammar.
    Syntax(SyntaxError),
    /// The FEN lists the pieces of a colour twice.
    ColorTwice { text: String, color: Color },
    /// The FEN lists a square twice.
    SquareTwice { text: String, square: Square },
    /// The pieces do not form a legal position.
    Placement { text: String, reason: SetupError },
}

impl Error for PositionError {}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::ColorTwice { text, color } => {
                write!(f, "invalid FEN {}: {color}'s pieces are listed twice", Quoted(text))
            }
            Self::SquareTwice { text, square } => {
                write!(f, "invalid FEN {}: square {square} is listed twice", Quoted(text))
            }
            Self::Placement { text, reason } => write!(f, "invalid FEN {}: {reason}", Quoted(text)),
        }
    }
}

impl From<SyntaxError> for PositionError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

/// Parses a position.
///
/// ```
/// use kelso_draughts::notation::fen;
/// let start = fen::parse("b:b1-12:w21-32.").unwrap();
/// assert_eq!(start, kelso_draughts::board::Position::start());
/// assert_eq!(fen::format(&start).split(':').next(), Some("B"));
/// ```
///
/// # Errors
///
/// If the FEN is malformed or the position is not legal.
pub fn parse(text: &str) -> Result<Position, PositionError> {
    parse_crowning(text, false)
}

/// Parses a position. With `crown`, men on their last row are kings; otherwise they are an error.
pub(super) fn parse_crowning(text: &str, crown: bool) -> Result<Position, PositionError> {
    let mut setup = parse_setup(text)?;
    if crown {
        setup.crown();
    }
    Position::try_from(setup).map_err(|reason| PositionError::Placement { text: text.to_owned(), reason })
}

/// Parses the pieces and the side to move, whether or not the position is legal.
///
/// # Errors
///
/// If the FEN is malformed or puts two pieces on one square.
pub fn parse_setup(text: &str) -> Result<Setup, PositionError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let (side, lists) = whole("FEN", fen, text)?;
    let mut setup = Setup::empty(side);
    let mut listed = Vec::new();
    for (color, groups) in lists {
        if listed.contains(&color) {
            return Err(PositionError::ColorTwice { text: text.to_owned(), color });
        }
        listed.push(color);
        for (kind, squares) in groups {
            for square in Square::all().filter(|square| squares.contains(square)) {
                if setup.put(square, Piece { color, kind }).is_some() {
                    return Err(PositionError::SquareTwice { text: text.to_owned(), square });
                }
            }
        }
    }
    Ok(setup)
}

/// Formats a position in the canonical form.
#[must_use]
pub fn format(position: &Position) -> String {
    let [white, black] = [Color::White, Color::Black].map(|color| format_pieces(position, color));
    format!("{}:W{white}:B{black}", position.side().letter())
}

fn format_pieces(position: &Position, color: Color) -> String {
    let kings = position.kings(color);
    let squares = position.pieces(color).iter();
    let pieces: Vec<String> = squares
        .map(|square| if kings.contains(square) { format!("K{square}") } else { square.to_string() })
        .collect();
    pieces.join(",")
}

/// Formats the position as a FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format(self))
    }
}

/// Parses a FEN.
impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        parse(text)
    }
}

/// A square or a range of squares, all with the same kind of piece.
type Group = (PieceKind, RangeInclusive<Square>);
type Lists = Vec<(Color, Vec<Group>)>;

fn fen(input: &str) -> Parsed<'_, (Color, Lists)> {
    let bracket = context("a closing bracket", cut(char(']')));
    let tag = delimited((char('['), blank, tag_no_case("FEN"), blank), quoted, (blank, bracket));
    let stop = (blank, opt(char('.')));
    let text = alt((tag, terminated(quoted, stop), unquoted));
    let end = context("\",\", a list of squares such as \":B1\", or the end of the FEN", peek(eof));
    delimited(blank, text, (blank, end)).parse(input)
}

fn quoted(input: &str) -> Parsed<'_, (Color, Lists)> {
    let quote = context("a closing quote", cut(char('"')));
    delimited((char('"'), blank), unquoted, quote).parse(input)
}

fn unquoted(input: &str) -> Parsed<'_, (Color, Lists)> {
    let body = (color, many0(list), many0(counter), blank, opt(char('.')), blank);
    map(body, |(side, lists, ..)| (side, lists)).parse(input)
}

fn blank(input: &str) -> Parsed<'_, ()> {
    value((), take_while(char::is_whitespace)).parse(input)
}

fn color(input: &str) -> Parsed<'_, Color> {
    let letter = alt((value(Color::Black, one_of("Bb")), value(Color::White, one_of("Ww"))));
    context("\"B\" or \"W\"", letter).parse(input)
}

fn list(input: &str) -> Parsed<'_, (Color, Vec<Group>)> {
    // After a comma, there must be a square.
    let comma = (blank, char(','), blank, peek(cut(group)));
    // A counter can also follow the colon.
    let start = (blank, char(':'), blank, not(one_of("HhFf")));
    (preceded(start, cut(color)), preceded(blank, separated_list0(comma, group))).parse(input)
}

fn group(input: &str) -> Parsed<'_, Group> {
    let (input, crown) = opt(one_of("Kk")).parse(input)?;
    let kind = if crown.is_some() { PieceKind::King } else { PieceKind::Man };
    // A number must follow a K. Without a K, the list may be empty.
    let (input, first) = if crown.is_some() { cut(square).parse(input)? } else { square(input)? };
    let dash = delimited(blank, char('-'), blank);
    let (rest, last) = opt(preceded(dash, cut(preceded(opt(one_of("Kk")), square)))).parse(input)?;
    match last {
        Some(last) if last < first => context("an ascending range", cut(fail())).parse(input),
        last => Ok((rest, (kind, first..=last.unwrap_or(first)))),
    }
}

fn counter(input: &str) -> Parsed<'_, ()> {
    value((), (tag(":"), one_of("HhFf"), digit1)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

    #[test]
    fn every_form_of_the_start_is_parsed() {
        for text in [
            START,
            "B:W21-32:B1-12",
            "B:B1-12:W21-32",
            "b:w21-32:b1-12.",
            "\"B:W21-32:B1-12.\"",
            "  B : W 21, 22, 23 , 24,25,26,27,28-32 : B 1-12 . ",
            "B:W21-32:B1-12:H0:F1",
            "\"B:W21-32:B1-12\"",
            "\"B:W21-32:B1-12\" . ",
            "[FEN \"B:W21-32:B1-12.\"]",
            " [ fen \" B:W21-32:B1-12 \" ] ",
            "\u{feff}B:W21-32:B1-12\r\n",
            "B:W21,\u{a0}22-32:B1-12",
        ] {
            assert_eq!(parse(text).as_ref(), Ok(&Position::start()), "{text}");
        }
        assert_eq!(format(&Position::start()), START);
    }

    #[test]
    fn kings_and_empty_lists_are_read() {
        for (text, canonical) in
            [("W:WK3,k10-11,21:B", "W:WK3,K10,K11,21:B"), ("w:bk29", "W:W:BK29"), ("W:W5,K1:B", "W:WK1,5:B")]
        {
            assert_eq!(parse(text).map(|p| format(&p)).as_deref(), Ok(canonical));
        }
    }

    #[test]
    fn men_on_the_last_row_are_kings_if_that_is_asked_for() {
        let crowned = |text: &str| parse_crowning(text, true).map(|position| format(&position)).ok();
        assert_eq!(crowned("B:W1,5:B29,4").as_deref(), Some("B:WK1,5:B4,K29"));
        assert_eq!(crowned("B:W1,1:B29"), None);
    }

    #[test]
    fn errors_name_text_place_and_expectation() {
        for (text, message) in [
            ("", " at character 1: expected \"B\" or \"W\""),
            ("X:W1", " at character 1: expected \"B\" or \"W\""),
            ("W:X", " at character 3: expected \"B\" or \"W\""),
            ("B:W33:B1", " at character 4: expected a square from 1 to 32"),
            ("W:W18,xx:B1", " at character 7: expected a square from 1 to 32"),
            ("B:W21-20:B1", " at character 6: expected an ascending range"),
            ("B:W21:BKx", " at character 9: expected a square from 1 to 32"),
            (
                "B:W21:B1 junk",
                " at character 10: expected \",\", a list of squares such as \":B1\", or the end of the FEN",
            ),
            (
                "B:W\u{200b}21:B1",
                " at character 4: expected \",\", a list of squares such as \":B1\", or the end of the FEN",
            ),
            ("[FEN \"B:W21:B1\"", " at character 16: expected a closing bracket"),
            ("[FEN \"B:W21:B1]", " at character 15: expected a closing quote"),
            ("[Event \"x\"]", " at character 1: expected \"B\" or \"W\""),
            ("B:W21:B21", ": square 21 is listed twice"),
            ("B:W21:B1:W22", ": white's pieces are listed twice"),
            ("B:W1:B5", ": the white man on 1 must be a king (men are crowned on 1-4)"),
            ("B", ": the board is empty"),
            ("B:W20-32:B1", ": too many white pieces: 13, at most 12 are allowed"),
        ] {
            let message = format!("invalid FEN \"{}\"{message}", text.escape_debug());
            assert_eq!(parse(text).unwrap_err().to_string(), message);
        }
    }
}
