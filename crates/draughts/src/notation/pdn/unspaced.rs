//! Parses moves without clear separators: `11-1523-19`, `1115`, `11 15 23 19`, `11-152.8-11`.
//!
//! All divisions of the text are tried; usually at most one is a line of legal moves. The number of positions is limited, so
//! that no text takes long.

use super::grammar::{is_blank, is_dot, is_separator};
use crate::board::{Color, Move, Position, Square};

/// The maximum number of positions for one text.
const MAX_NODES: usize = 4_000;

/// A reachable place in the text.
struct Node<'a> {
    rest: &'a str,
    position: Position,
    /// The number of the next move.
    number: usize,
    moves: Vec<Move>,
}

/// Returns the lines of legal moves that a text may be, at most two, in a position; `plies` counts the plies before as if
/// Black had begun. A line is empty if the text is the number of the next move.
pub(super) fn parse(text: &str, start: &Position, plies: usize) -> Vec<Vec<Move>> {
    let mut open = vec![Node { rest: text, position: *start, number: plies / 2 + 1, moves: Vec::new() }];
    let mut found: Vec<Vec<Move>> = Vec::new();
    let mut nodes = 1;
    while let Some(Node { rest, position, number, moves }) = open.pop() {
        let rest = rest.trim_start_matches(is_gap);
        if rest.is_empty() {
            if !found.contains(&moves) {
                found.push(moves);
            }
            if found.len() > 1 {
                break;
            }
            continue;
        }
        if nodes > MAX_NODES {
            return Vec::new();
        }
        let before = open.len();
        if let Some(rest) = after_number(rest, number) {
            open.push(Node { rest, position, number, moves: moves.clone() });
        }
        for mv in position.moves() {
            for rest in after_move(rest, &position, mv) {
                let number = number + usize::from(position.side() == Color::White);
                let moves = moves.iter().copied().chain([mv]).collect();
                open.push(Node { rest, position: position.after(mv), number, moves });
            }
        }
        nodes += open.len() - before;
    }
    found
}

/// Returns whether a character may separate moves: spaces and stray dots.
fn is_gap(c: char) -> bool {
    is_blank(c) || is_dot(c)
}

/// Returns the text after a move's number: any number with a dot, or the expected number.
fn after_number(text: &str, due: usize) -> Option<&str> {
    let length = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    let dotted = rest.trim_start_matches(is_blank).starts_with(is_dot);
    let due = (rest.is_empty() || rest.starts_with(is_blank)) && digits.parse() == Ok(due);
    ((1..=3).contains(&length) && (dotted || due)).then_some(rest)
}

/// Returns the rest after a move in any form that the text begins with.
fn after_move<'a>(text: &'a str, position: &Position, mv: Move) -> Vec<&'a str> {
    let Some(rest) = after_square(text, mv.from()) else { return Vec::new() };
    let squares_then = |squares: &[Square]| {
        squares.iter().try_fold(rest, |rest, &square| after_square(after_separator(rest), square))
    };
    let mut ends: Vec<&str> = squares_then(&[mv.to()]).into_iter().collect();
    if mv.captured().len() > 1 {
        ends.extend(position.paths(mv).iter().filter_map(|path| squares_then(path)));
    }
    ends.sort_by_key(|rest| rest.len());
    ends.dedup_by_key(|rest| rest.len());
    ends
}

fn after_square(text: &str, square: Square) -> Option<&str> {
    let number = square.number();
    let padded = format!("{number:02}");
    text.strip_prefix(padded.as_str()).or_else(|| text.strip_prefix(padded.trim_start_matches('0')))
}

fn after_separator(text: &str) -> &str {
    let rest = text.trim_start_matches(is_blank);
    let mark = |c: char| is_separator(c) || c == '*';
    rest.strip_prefix(mark).unwrap_or(rest).trim_start_matches(is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, movetext};

    fn parsed(text: &str, position: &Position) -> Option<String> {
        let lines = parse(text, position, 0);
        let mut lines: Vec<_> = lines.iter().map(|line| movetext::format_line(position, line)).collect();
        lines.sort_unstable();
        (!lines.is_empty()).then(|| lines.join(" or "))
    }

    #[test]
    fn unambiguous_texts_are_parsed() {
        for (text, line) in [
            ("11-1523-19", "11-15 23-19"),
            ("11-152.23-19", "11-15 23-19"),
            ("11-1523-192.8-1122-17", "11-15 23-19 8-11 22-17"),
            ("1115", "11-15"),
            ("1115 2319 2 811", "11-15 23-19 8-11"),
            ("11 15 23 19", "11-15 23-19"),
            ("1 11 15 22 18 2 15 22", "11-15 22-18 15x22"),
            ("914 22 18 0509", "9-14 22-18 5-9"),
            ("11-15.", "11-15"),
            ("11x15 22x1815x22", "11-15 22-18 15x22"),
        ] {
            assert_eq!(parsed(text, &Position::start()).as_deref(), Some(line), "{text}");
        }
    }

    #[test]
    fn other_texts_are_illegal_or_ambiguous() {
        for text in ["1", "."] {
            assert_eq!(parsed(text, &Position::start()).as_deref(), Some(""), "{text}");
        }
        for text in ["11-1", "11-1522", "12", "15 18", "11-15-", "11-15x", "11-1523-19!"] {
            assert_eq!(parsed(text, &Position::start()), None, "{text}");
        }
        let position = fen::parse("B:W9,10,17,18,32:B6").unwrap();
        assert_eq!(parsed("6x2232-28", &position).as_deref(), Some("6x13x22 32-28 or 6x15x22 32-28"));
    }

    #[test]
    fn no_text_takes_long() {
        let position = fen::parse("B:WK32:BK1,K2,K3").unwrap();
        for text in ["1".repeat(10_000), "1 5 5 1 ".repeat(2_000), "1-5-1-".repeat(2_000), "2 ".repeat(5_000)]
        {
            assert_eq!(parsed(&text, &position), None);
        }
    }
}
