//! Resolves written moves against the board.

use super::comment::add_comment;
use super::error::{PdnErrorKind, PlacedError};
use super::grammar::{is_blank, is_dot, is_separator};
use super::nest::{RawLine, RawPly};
use crate::board::{Color, Move, Position, Square};
use crate::notation::movetext::Matches;
use crate::notation::{MoveError, MoveText, movetext};
use crate::record::{Ply, Variation};

/// The maximum number of consecutive ambiguous captures that are tried together.
const MAX_FORKS: usize = 4;

/// A resolved line of moves.
pub(super) struct Played {
    pub(super) plies: Vec<Ply>,
    /// The position after the moves.
    pub(super) end: Position,
    /// The first error in the line itself, ignoring errors in variations.
    pub(super) error: Option<PlacedError>,
}

/// Resolves a line with its variations, up to the first error.
pub(super) fn line(raw: RawLine<'_>, start: Position, errors: &mut Vec<PlacedError>) -> Played {
    let mut texts = raw.plies;
    let mut played = Played { plies: Vec::with_capacity(texts.len()), end: start, error: None };
    let mut reading = ParseState { position: start, plies: 0, next: 0 };
    let mut taken = 0;
    while reading.next < texts.len() {
        let moves = match reading.advance(&texts) {
            Ok(moves) => moves,
            Err(error) => {
                played.error = Some(error);
                break;
            }
        };
        for (number, &mv) in (1..).zip(&moves) {
            let mut ply = Ply::new(mv);
            // Remarks are attached to the last move of a text, or to the last text of a move.
            if number == moves.len() {
                for text in texts.iter_mut().take(reading.next).skip(taken) {
                    take_remarks(&mut ply, std::mem::take(text), played.end, errors);
                }
                taken = reading.next;
            }
            if ply.comment.contains('=') {
                ply.extract_data();
            }
            played.end = played.end.after(mv);
            played.plies.push(ply);
        }
    }
    played
}

/// Adds the remarks after a text to its ply. Variations begin in the position before the ply.
fn take_remarks(ply: &mut Ply, text: RawPly<'_>, position: Position, errors: &mut Vec<PlacedError>) {
    ply.glyphs.extend(text.glyphs);
    add_comment(&mut ply.comment, &text.comment);
    for mut variation in text.variations {
        let comment = std::mem::take(&mut variation.comment);
        let Played { plies, error, .. } = line(variation, position, errors);
        errors.extend(error);
        if !(plies.is_empty() && comment.is_empty()) {
            ply.variations.push(Variation { comment, plies });
        }
    }
}

/// One interpretation of the texts so far.
#[derive(Clone, Copy)]
struct ParseState {
    position: Position,
    plies: usize,
    /// The text to read next.
    next: usize,
}

/// The interpretation of the next text.
enum Next {
    /// Moves, and the number of texts that they were read from.
    Moves(Vec<Move>, usize),
    /// One of several captures, and the capture to choose if the rest of the line fits more than one.
    Fork(Vec<Move>, Option<Move>),
}

/// Maximum number of captures to choose from.
const MAX_CHOICES: usize = 16;

/// The text at which an interpretation fails, with the error; or, without an error, the text up to which it
/// is known to succeed.
type Reach = (usize, Option<MoveError>);

const fn rank(reach: &Reach) -> (usize, bool) {
    (reach.0, reach.1.is_none())
}

impl ParseState {
    fn after(mut self, moves: &[Move], texts: usize) -> Self {
        self.position = moves.iter().fold(self.position, |position, &mv| position.after(mv));
        self.plies += moves.len();
        self.next += texts;
        self
    }

    /// Reads and returns the next moves.
    fn advance(&mut self, texts: &[RawPly<'_>]) -> Result<Vec<Move>, PlacedError> {
        let next = self.interpret(texts).map_err(|error| (self.next, error));
        let decided = next.and_then(|next| match next {
            Next::Moves(moves, count) => Ok((moves, count)),
            Next::Fork(choices, preferred) => Ok((vec![self.decide(texts, &choices, preferred)?], 1)),
        });
        let (moves, count) = decided.map_err(|(text, error): (usize, MoveError)| {
            (texts.get(text).map_or(0, |text| text.at), PdnErrorKind::Move(error))
        })?;
        *self = self.after(&moves, count);
        Ok(moves)
    }

    /// Resolves an ambiguous capture by the moves after it, if only one choice makes them legal.
    fn decide(
        &self,
        texts: &[RawPly<'_>],
        choices: &[Move],
        preferred: Option<Move>,
    ) -> Result<Move, (usize, MoveError)> {
        let mut reached: Vec<_> =
            choices.iter().map(|&mv| (self.after(&[mv], 1).reach(texts, MAX_FORKS), mv)).collect();
        reached.sort_by_key(|(reach, _)| rank(reach));
        match (reached.pop(), reached.pop(), preferred) {
            (Some((furthest, mv)), Some((second, _)), _) if rank(&second) < rank(&furthest) => Ok(mv),
            // If all choices fail at the same text, that text is wrong.
            (Some(((next, Some(error)), _)), ..) => Err((next, error)),
            (.., Some(mv)) => Ok(mv),
            _ => {
                let text = texts.get(self.next).map_or("", |text| text.text);
                Err((self.next, MoveError::ambiguous(text, &self.position, choices)))
            }
        }
    }

    fn reach(mut self, texts: &[RawPly<'_>], forks: usize) -> Reach {
        while self.next < texts.len() {
            match self.interpret(texts) {
                Ok(Next::Moves(moves, count)) => self = self.after(&moves, count),
                Ok(Next::Fork(choices, _)) if forks > 0 => {
                    let reached = choices.iter().map(|&mv| self.after(&[mv], 1).reach(texts, forks - 1));
                    return reached.max_by_key(rank).unwrap_or((self.next, None));
                }
                Ok(Next::Fork(..)) => break,
                Err(error) => return (self.next, Some(error)),
            }
        }
        (self.next, None)
    }

    fn interpret(&self, texts: &[RawPly<'_>]) -> Result<Next, MoveError> {
        let position = &self.position;
        let Some((text, later)) = texts.get(self.next..).and_then(<[_]>::split_first) else {
            return Err(MoveError::illegal("", position));
        };
        let Matches { moves, exact } = Matches::of(&text.squares, position);
        match moves[..] {
            [mv] => return Ok(Next::Moves(vec![mv], 1)),
            [] => {}
            _ => return Ok(Next::Fork(moves.into_iter().take(MAX_CHOICES).collect(), exact)),
        }
        // Join a capture that is written jump by jump.
        let mut squares = text.squares.clone();
        for (count, later) in (2..).zip(later) {
            match later.squares.split_first() {
                Some((first, rest))
                    if squares.last() == Some(first)
                        && !rest.is_empty()
                        && squares.try_extend_from_slice(rest).is_ok() => {}
                _ => break,
            }
            if let [mv] = Matches::of(&squares, position).moves[..] {
                return Ok(Next::Moves(vec![mv], count));
            }
        }
        self.unspaced(text)
    }

    /// Interprets the next text as moves without clear separators.
    fn unspaced(&self, text: &RawPly<'_>) -> Result<Next, MoveError> {
        let position = &self.position;
        let plies = self.plies + usize::from(self.plies % 2 == usize::from(position.side() == Color::Black));
        let mut lines = unspaced(text.text, position, plies);
        if lines.len() > 1 {
            let mut choices: Vec<_> =
                lines.iter().map(|line| movetext::format_line(position, line)).collect();
            choices.sort_unstable();
            return Err(MoveError::Ambiguous { text: text.text.to_owned(), choices });
        }
        lines.pop().map(|line| Next::Moves(line, 1)).ok_or_else(|| match MoveText::parse(text.text) {
            // Squares with spaces between them are well-formed moves.
            Err(error) if !text.text.contains(char::is_whitespace) && text.squares.is_empty() => error,
            _ => MoveError::illegal(text.text, position),
        })
    }
}

/// The maximum number of positions examined for one text, to bound the time it takes.
const MAX_NODES: usize = 4_000;

/// A partial parse: an offset in the text and the position reached there.
struct PartialParse<'a> {
    rest: &'a str,
    position: Position,
    /// The number of the next move.
    number: usize,
    moves: Vec<Move>,
}

/// Parses moves without clear separators: `11-1523-19`, `1115`, `11 15 23 19`, `11-152.8-11`. Every way to
/// divide the text is tried; usually at most one gives legal moves.
///
/// Returns at most two lines of legal moves that match the text. `plies` is the number of earlier plies,
/// counted as if Black had begun. A line is empty if the text is the number of the next move.
fn unspaced(text: &str, start: &Position, plies: usize) -> Vec<Vec<Move>> {
    let mut open =
        vec![PartialParse { rest: text, position: *start, number: plies / 2 + 1, moves: Vec::new() }];
    let mut lines: Vec<Vec<Move>> = Vec::new();
    let mut nodes = 1;
    while let Some(PartialParse { rest, position, number, moves }) = open.pop() {
        let rest = rest.trim_start_matches(is_gap);
        if rest.is_empty() {
            if !lines.contains(&moves) {
                lines.push(moves);
            }
            if lines.len() > 1 {
                break;
            }
            continue;
        }
        if nodes > MAX_NODES {
            return Vec::new();
        }
        let before = open.len();
        if let Some(rest) = after_number(rest, number) {
            open.push(PartialParse { rest, position, number, moves: moves.clone() });
        }
        for mv in position.moves() {
            for rest in after_move(rest, &position, mv) {
                let number = number + usize::from(position.side() == Color::White);
                let moves = moves.iter().copied().chain([mv]).collect();
                open.push(PartialParse { rest, position: position.after(mv), number, moves });
            }
        }
        nodes += open.len() - before;
    }
    lines
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

/// Returns the rest of the text after a move, for each notation of the move that the text begins with.
fn after_move<'a>(text: &'a str, position: &Position, mv: Move) -> Vec<&'a str> {
    let Some(rest) = after_square(text, mv.from()) else { return Vec::new() };
    let mut ends: Vec<&str> = after_squares(rest, &[mv.to()]).into_iter().collect();
    if mv.captured().len() > 1 {
        ends.extend(position.paths(mv).iter().filter_map(|path| after_squares(rest, path)));
    }
    ends.sort_by_key(|rest| rest.len());
    ends.dedup_by_key(|rest| rest.len());
    ends
}

fn after_squares<'a>(text: &'a str, squares: &[Square]) -> Option<&'a str> {
    squares.iter().try_fold(text, |rest, &square| after_square(after_separator(rest), square))
}

fn after_square(text: &str, square: Square) -> Option<&str> {
    let number = square.number();
    let padded = format!("{number:02}");
    text.strip_prefix(padded.as_str()).or_else(|| text.strip_prefix(padded.trim_start_matches('0')))
}

fn after_separator(text: &str) -> &str {
    let rest = text.trim_start_matches(is_blank);
    rest.strip_prefix(|c| is_separator(c) || c == '*').unwrap_or(rest).trim_start_matches(is_blank)
}

#[cfg(test)]
mod tests {
    use super::super::nest::RawGame;
    use super::*;
    use crate::notation::fen;
    use crate::record::positions;

    fn parsed(text: &str, position: &Position) -> Option<String> {
        let lines = unspaced(text, position, 0);
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
    fn ambiguous_texts_are_resolved_quickly() {
        let position = fen::parse("B:WK32:BK1,K2,K3").unwrap();
        for text in ["1".repeat(10_000), "1 5 5 1 ".repeat(2_000), "1-5-1-".repeat(2_000), "2 ".repeat(5_000)]
        {
            assert_eq!(parsed(&text, &position), None);
        }
    }

    #[test]
    fn a_number_is_due_after_whites_move() {
        let position = fen::parse("W:W32:B1").unwrap();
        let lines = |text| unspaced(text, &position, 1).len();
        assert_eq!(
            [lines("3228 2 15"), lines("1 3228 15 2 2824"), lines("3228 1 15"), lines("2 3228")],
            [1, 1, 0, 0]
        );
    }

    #[test]
    fn at_most_two_readings_are_returned() {
        let position = fen::parse("B:W7,8,14,15,16,22,23:B3").unwrap();
        assert_eq!(position.moves().len(), 3);
        assert_eq!(unspaced("326", &position, 0).len(), 2);
    }

    #[test]
    fn paths_are_parsed_without_separators() {
        let position = fen::parse("B:W9,17:B6").unwrap();
        for text in ["622", "61322", "6x1322", "06 13 22"] {
            assert_eq!(parsed(text, &position).as_deref(), Some("6x22"), "{text}");
        }
        assert_eq!(parsed("613", &position), None);
    }

    /// Reads a line, and returns its moves with all squares, or the text at which it fails.
    fn read(start: &str, text: &str) -> Result<String, (usize, String)> {
        let start = fen::parse(start).unwrap();
        let raw = RawGame::parse(text);
        assert!(raw.errors.is_empty(), "{text}");
        let played = line(raw.line, start, &mut Vec::new());
        let moves: Vec<String> = positions(start, &played.plies)
            .map(|(position, ply)| movetext::full(&position, ply.mv))
            .collect();
        assert_eq!(played.plies.iter().fold(start, |position, ply| position.after(ply.mv)), played.end);
        played.error.map_or(Ok(moves.join(" ")), |(at, kind)| Err((at, kind.to_string())))
    }

    #[test]
    fn captures_are_joined_if_they_are_written_jump_by_jump() {
        let position = "B:W9,17,32:B6,12";
        for text in ["6x22 32-28", "6x13 13x22 32-28", "6x13x22 32-28", "6-13 13-22 3228"] {
            assert_eq!(read(position, text).as_deref(), Ok("6x13x22 32-28"), "{text}");
        }
        for text in ["6x13 32-28", "6x13 12x22", "6x13"] {
            let error = (0, "illegal move \"6x13\": the only legal move is 6x22".to_owned());
            assert_eq!(read(position, text), Err(error), "{text}");
        }
    }

    #[test]
    fn later_moves_decide_between_captures() {
        let position = "B:W9,10,17,18,32:B6,1";
        for (text, moves) in [
            ("6x22 18-15", "6x13x22 18-15"),
            ("6x22 17-14", "6x15x22 17-14"),
            ("6x22 32-28 22-26 9-6", "6x15x22 32-28 22-26 9-6"),
        ] {
            assert_eq!(read(position, text).as_deref(), Ok(moves), "{text}");
        }
        let ambiguous = "ambiguous move \"6x22\": expected one of 6x13x22 6x15x22".to_owned();
        assert_eq!(read(position, "6x22 32-28"), Err((0, ambiguous)));
        // If no choice makes a later move legal, that move is wrong.
        let (at, message) = read(position, "6x22 32-28 9-5").unwrap_err();
        assert_eq!((at, message.starts_with("illegal move \"9-5\"")), (11, true), "{message}");
        // The square after a king's only jump also ends a round trip with that jump. A move whose whole path
        // is written takes priority if both fit.
        let position = "B:W6,7,14,15,22,32:BK18";
        assert_eq!(read(position, "18x25 32-28").as_deref(), Ok("18x25 32-28"));
        assert_eq!(read(position, "18x25 7-2").as_deref(), Ok("18x25 7-2"));
    }
}
