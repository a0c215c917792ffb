//! Moves in the notation of the Hub protocol: `22-18` for a quiet move; for a capture, the first and last
//! squares and then every captured square, as in `22x15x18`. Each legal move of a position has a notation of
//! its own. Captured squares are accepted in any order, and written in ascending order. Hyphens in captures
//! are accepted, since pydraughts writes them for `CheckerBoard` engines.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::char;
use nom::combinator::map_opt;
use nom::error::context;
use nom::multi::{many0, many1};
use nom::sequence::preceded;

use kelso_draughts::board::{Bitboard, Move, Position, Square};
use kelso_draughts::notation::MoveError;
use kelso_syntax::grammar::{Parsed, number, whole};

/// The first and last squares of a move, and the set of captured squares.
type HubMove = (Square, (Square, Bitboard));

/// Parses a move that is legal in a position.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let parsed = whole("move", hub_move, text)?;
    let moves = position.moves();
    let meant = moves.iter().copied().find(|mv| (mv.from(), (mv.to(), mv.captured())) == parsed);
    meant.ok_or_else(|| MoveError::Illegal {
        text: text.to_owned(),
        legal: moves.iter().map(|&mv| format(mv)).collect(),
    })
}

pub fn format(mv: Move) -> String {
    let squares = [mv.from(), mv.to()].into_iter().chain(mv.captured());
    let squares: Vec<String> = squares.map(|square| square.to_string()).collect();
    squares.join(if mv.is_capture() { "x" } else { "-" })
}

/// Returns the set of some squares, unless one is given twice.
#[expect(clippy::needless_pass_by_value, reason = "called by a parser")]
fn distinct(squares: Vec<Square>) -> Option<Bitboard> {
    let set: Bitboard = squares.iter().copied().collect();
    (set.len() as usize == squares.len()).then_some(set)
}

fn square(input: &str) -> Parsed<'_, Square> {
    number("a square from 1 to 32", Square::from_number).parse(input)
}

fn hub_move(input: &str) -> Parsed<'_, HubMove> {
    let quiet = (preceded(char('-'), square), map_opt(many0(preceded(char('-'), square)), distinct));
    let captured = map_opt(many1(preceded(char('x'), square)), distinct);
    let captured = context("\"x\" and each captured square once", captured);
    let capture = (preceded(char('x'), square), captured);
    let rest = context("\"-\" or \"x\" and a square", alt((quiet, capture)));
    (square, rest).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn moves_are_read_as_they_are_written() {
        let mut position = Position::start();
        for step in 0..200 {
            let moves = position.moves();
            for &mv in &moves {
                assert_eq!(parse(&position, &format(mv)), Ok(mv));
            }
            match moves.get(step * 5 % moves.len().max(1)) {
                Some(&mv) => position = position.after(mv),
                None => position = Position::start(),
            }
        }
    }

    #[test]
    fn a_circular_capture_lists_its_captured_squares() {
        let position = fen::parse("B:W9,10,17,18:BK6").unwrap();
        assert_eq!(format(position.moves()[0]), "6x6x9x10x17x18");
        assert!(parse(&position, "6x6x18x9x17x10").is_ok());
        assert!(parse(&position, "6-6-18-9-17-10").is_ok());
        let position = fen::parse("B:W9,10,17,18,32:B6").unwrap();
        assert_eq!(parse(&position, "6x22x18x10").map(format), Ok("6x22x10x18".to_owned()));
    }

    #[test]
    fn errors_name_place_and_expectation() {
        let start = Position::start();
        let message = |text| parse(&start, text).unwrap_err().to_string();
        for (text, place, expected) in [
            ("", 1, "a square from 1 to 32"),
            ("11", 3, "\"-\" or \"x\" and a square"),
            ("11-33", 4, "a square from 1 to 32"),
            ("11-15x18", 6, "end of input"),
            ("11-15-18-18", 3, "\"-\" or \"x\" and a square"),
            ("22x15", 6, "\"x\" and each captured square once"),
            ("22x15x18x18", 6, "\"x\" and each captured square once"),
        ] {
            let invalid = format!("invalid move \"{text}\" at character {place}: expected {expected}");
            assert_eq!(message(text), invalid);
        }
        let legal = "expected one of 9-13 10-14 11-15 12-16 9-14 10-15 11-16";
        for text in ["11-15-18", "22x15x18"] {
            assert_eq!(message(text), format!("illegal move \"{text}\": {legal}"));
        }
    }
}
