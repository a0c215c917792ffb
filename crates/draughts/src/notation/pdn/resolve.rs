//! Resolves the texts of moves against the board.

use arrayvec::ArrayVec;

use super::error::{Fault, PdnErrorKind};
use super::game::{Ply, Variation};
use super::grammar::{is_blank, is_dot, is_separator};
use super::nest::{RawLine, RawPly};
use crate::board::{Color, Move, MoveList, Position, Square};
use crate::notation::{MoveError, MoveText, movetext};

/// The maximum number of ambiguous captures that are tried together after another one.
const MAX_FORKS: usize = 4;

/// A resolved line of moves.
pub(super) struct Played {
    pub(super) plies: Vec<Ply>,
    /// The position after them.
    pub(super) end: Position,
    /// The first error of the line itself, without those in variations.
    pub(super) fault: Option<Fault>,
}

/// Resolves a line with its variations, up to the first error.
pub(super) fn line(raw: RawLine<'_>, start: Position, faults: &mut Vec<Fault>) -> Played {
    let (steps, fault) = follow(&raw.plies, start);
    let mut position = start;
    let mut plies = Vec::with_capacity(steps.len());
    let mut texts = raw.plies.into_iter();
    let mut taken = 0;
    for (number, step) in steps.iter().enumerate() {
        let mut ply = Ply::new(step.mv);
        // Remarks follow the last move of a text, and the last text of a move.
        let last = steps.get(number + 1).is_none_or(|next| next.text > step.text);
        if last {
            for text in texts.by_ref().take(step.text + 1 - taken) {
                take_remarks(&mut ply, text, position, faults);
            }
            taken = step.text + 1;
        }
        position = position.after(step.mv);
        plies.push(ply);
    }
    Played { plies, end: position, fault }
}

/// Adds the remarks after a text to its ply. Variations begin in the position before the ply.
fn take_remarks(ply: &mut Ply, text: RawPly<'_>, position: Position, faults: &mut Vec<Fault>) {
    ply.glyphs.extend(text.glyphs);
    if ply.comment.is_empty() {
        ply.comment = text.comment;
    } else if !text.comment.is_empty() {
        ply.comment = format!("{} {}", ply.comment, text.comment);
    }
    for mut variation in text.variations {
        let comment = std::mem::take(&mut variation.comment);
        let Played { plies, fault, .. } = line(variation, position, faults);
        faults.extend(fault);
        if !(plies.is_empty() && comment.is_empty()) {
            ply.variations.push(Variation { comment, plies });
        }
    }
}

/// A move, and the index of its last text.
#[derive(Clone, Copy)]
struct Step {
    mv: Move,
    text: usize,
}

/// One reading of the texts so far.
#[derive(Clone)]
struct Reading {
    position: Position,
    steps: Vec<Step>,
    /// The text to read next.
    next: usize,
}

impl Reading {
    fn play(&mut self, moves: &[Move], texts: usize) {
        self.next += texts;
        for &mv in moves {
            self.steps.push(Step { mv, text: self.next - 1 });
            self.position = self.position.after(mv);
        }
    }

    /// Returns the text at which the reading fails, with the error, or the one up to which it is known to succeed.
    fn reach(mut self, texts: &[RawPly<'_>], forks: usize) -> Reach {
        while self.next < texts.len() {
            match next(texts, &self) {
                Next::Move(mv, count) => self.play(&[mv], count),
                Next::Unspaced(moves) => self.play(&moves, 1),
                Next::Illegal(error) => return (self.next, Some(error)),
                Next::Fork(choices, _) if forks > 0 => {
                    let reached = choices.into_iter().map(|mv| self.choose(mv).reach(texts, forks - 1));
                    return reached.max_by_key(place).unwrap_or((self.next, None));
                }
                Next::Fork(..) => break,
            }
        }
        (self.next, None)
    }

    fn choose(&self, mv: Move) -> Self {
        let mut choice = self.clone();
        choice.play(&[mv], 1);
        choice
    }
}

type Reach = (usize, Option<MoveError>);

const fn place(reach: &Reach) -> (usize, bool) {
    (reach.0, reach.1.is_none())
}

/// The meaning of the next text.
enum Next {
    /// A move made of this many texts.
    Move(Move, usize),
    /// Several moves without separators.
    Unspaced(Vec<Move>),
    /// One of several captures, with the choice if the rest of the line does not decide.
    Fork(Vec<Move>, Option<Move>),
    /// No legal move.
    Illegal(MoveError),
}

fn follow(texts: &[RawPly<'_>], start: Position) -> (Vec<Step>, Option<Fault>) {
    let mut reading = Reading { position: start, steps: Vec::with_capacity(texts.len()), next: 0 };
    let fault = loop {
        let Some(text) = texts.get(reading.next) else { break None };
        match next(texts, &reading) {
            Next::Move(mv, count) => reading.play(&[mv], count),
            Next::Unspaced(moves) => reading.play(&moves, 1),
            Next::Fork(choices, preferred) => match decide(texts, &reading, &choices, preferred) {
                Ok(mv) => reading.play(&[mv], 1),
                Err(fault) => break Some(fault),
            },
            Next::Illegal(error) => break Some((text.at, PdnErrorKind::Move(error))),
        }
    };
    (reading.steps, fault)
}

/// Decides an ambiguous capture by the moves after it, if only one choice makes them legal.
fn decide(
    texts: &[RawPly<'_>],
    reading: &Reading,
    choices: &[Move],
    preferred: Option<Move>,
) -> Result<Move, Fault> {
    let fault = |text: usize, error| (texts.get(text).map_or(0, |text| text.at), PdnErrorKind::Move(error));
    let mut reached: Vec<(Move, Reach)> =
        choices.iter().map(|&mv| (mv, reading.choose(mv).reach(texts, MAX_FORKS))).collect();
    let furthest = reached.iter().map(|(_, reach)| place(reach)).max();
    reached.retain(|(_, reach)| Some(place(reach)) == furthest);
    match (reached.pop(), reached.is_empty(), preferred) {
        (Some((mv, _)), true, _) => Ok(mv),
        // If all choices fail at one text, that text is wrong.
        (Some((_, (next, Some(error)))), ..) => Err(fault(next, error)),
        (.., Some(mv)) => Ok(mv),
        _ => {
            let text = texts.get(reading.next).map_or("", |text| text.text);
            Err(fault(reading.next, MoveError::ambiguous(text, &reading.position, choices)))
        }
    }
}

/// Interprets the next text of a reading.
fn next(texts: &[RawPly<'_>], reading: &Reading) -> Next {
    let position = &reading.position;
    let mut moves = MoveList::new();
    position.list_moves(&mut moves);
    let Some((text, later)) = texts.get(reading.next..).and_then(<[_]>::split_first) else {
        return Next::Illegal(MoveError::illegal("", position));
    };
    match named(&text.squares, position, &moves)[..] {
        [mv] => return Next::Move(mv, 1),
        [] => {}
        ref several => {
            // A move whose whole path matches comes before those whose ends match.
            let whole =
                |mv: &&Move| position.paths(**mv).iter().any(|path| Some(&path[..]) == text.squares.get(1..));
            return Next::Fork(several.to_vec(), several.iter().find(whole).copied());
        }
    }
    // A capture written jump by jump.
    let mut squares = text.squares.clone();
    for (count, later) in (2..).zip(later) {
        match later.squares.split_first() {
            Some((first, rest)) if squares.last() == Some(first) && !rest.is_empty() => {
                if squares.try_extend_from_slice(rest).is_err() {
                    break;
                }
            }
            _ => break,
        }
        if let [mv] = named(&squares, position, &moves)[..] {
            return Next::Move(mv, count);
        }
    }
    let plies = reading.steps.len()
        + usize::from(reading.steps.len() % 2 == usize::from(position.side() == Color::Black));
    let mut lines = unspaced(text.text, position, plies);
    match (lines.pop(), lines.is_empty()) {
        (Some(line), true) => Next::Unspaced(line),
        (Some(line), false) => {
            let mut choices: Vec<_> =
                lines.iter().chain([&line]).map(|line| movetext::format_line(position, line)).collect();
            choices.sort_unstable();
            Next::Illegal(MoveError::Ambiguous { text: text.text.to_owned(), choices })
        }
        (None, _) => Next::Illegal(match MoveText::parse(text.text) {
            // Squares with spaces between them are well-formed moves.
            Err(error) if !text.text.contains(char::is_whitespace) && text.squares.is_empty() => error,
            _ => MoveError::illegal(text.text, position),
        }),
    }
}

/// Returns the moves with these ends, and if there are more squares, with this path.
fn named(squares: &[Square], position: &Position, moves: &[Move]) -> ArrayVec<Move, 16> {
    let (Some((&from, path)), Some(&to)) = (squares.split_first(), squares.last()) else {
        return ArrayVec::new();
    };
    let fitting = moves.iter().copied().filter(|mv| mv.from() == from && mv.to() == to);
    if path.len() == 1 {
        return fitting.take(16).collect();
    }
    let over = |exact: bool| {
        let fits = |mv: Move| {
            position
                .paths(mv)
                .iter()
                .any(|known| if exact { known[..] == *path } else { is_part(path, known) })
        };
        fitting.clone().filter(|&mv| fits(mv)).take(16).collect::<ArrayVec<Move, 16>>()
    };
    // Some squares of a long capture may be missing.
    let exact = over(true);
    if exact.is_empty() { over(false) } else { exact }
}

/// Returns whether squares occur in a path in their order.
fn is_part(squares: &[Square], path: &[Square]) -> bool {
    let mut path = path.iter();
    squares.iter().all(|square| path.any(|known| known == square))
}

/// The maximum number of positions for one text, so that no text takes long.
const MAX_NODES: usize = 4_000;

/// A reachable place in the text.
struct Node<'a> {
    rest: &'a str,
    position: Position,
    /// The number of the next move.
    number: usize,
    moves: Vec<Move>,
}

/// Parses moves without clear separators: `11-1523-19`, `1115`, `11 15 23 19`, `11-152.8-11`. All divisions of the text are
/// tried; usually at most one is a line of legal moves.
///
/// Returns the lines of legal moves that a text may be, at most two, in a position; `plies` counts the plies before as if
/// Black had begun. A line is empty if the text is the number of the next move.
fn unspaced(text: &str, start: &Position, plies: usize) -> Vec<Vec<Move>> {
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
    use crate::notation::fen;

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
    fn no_text_takes_long() {
        let position = fen::parse("B:WK32:BK1,K2,K3").unwrap();
        for text in ["1".repeat(10_000), "1 5 5 1 ".repeat(2_000), "1-5-1-".repeat(2_000), "2 ".repeat(5_000)]
        {
            assert_eq!(parsed(&text, &position), None);
        }
    }
}
