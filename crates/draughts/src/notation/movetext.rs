//! Moves as text: `11-15`, `22x15`, or `22x15x8` with every landing square.
//!
//! Text is parsed as a [`MoveText`] and then resolved against a position, so that malformed, illegal and
//! ambiguous moves give different errors. A capture may be written with hyphens, as in old game collections.

use std::error::Error;
use std::fmt;

use arrayvec::ArrayVec;
use nom::Parser;
use nom::character::complete::one_of;
use nom::combinator::{map, verify};
use nom::error::context;
use nom::multi::many1;
use nom::sequence::preceded;

use super::square;
use crate::board::{Branch, Move, MoveList, Position, Square};
use kelso_syntax::grammar::{Expected, Parsed, whole};
use kelso_syntax::{Quoted, SyntaxError};

/// A move as written, not yet resolved: the start and the squares after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    text: String,
    squares: ArrayVec<Square, 13>,
    capture: bool,
}

/// The reason why text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveError {
    /// The text does not follow the grammar.
    Syntax(SyntaxError),
    /// The position has no such move.
    Illegal {
        text: String,
        /// The legal moves, as text.
        legal: Vec<String>,
    },
    /// The text matches several captures.
    Ambiguous {
        text: String,
        /// The matching captures, with all their landing squares.
        choices: Vec<String>,
    },
}

impl MoveError {
    /// Returns the error for text that is not a legal move in a position.
    pub(super) fn illegal(text: &str, position: &Position) -> Self {
        let legal = position.moves().iter().map(|&mv| format(position, mv)).collect();
        Self::Illegal { text: text.to_owned(), legal }
    }

    /// Returns the error for text that matches several captures.
    pub(super) fn ambiguous(text: &str, position: &Position, moves: &[Move]) -> Self {
        let choices = moves.iter().map(|&mv| full(position, mv)).collect();
        Self::Ambiguous { text: text.to_owned(), choices }
    }
}

impl Error for MoveError {}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Illegal { text, legal } => {
                write!(f, "illegal move {}: ", Quoted(text))?;
                match &legal[..] {
                    [] => f.write_str("the game is over"),
                    [only] => write!(f, "the only legal move is {only}"),
                    _ => write!(f, "expected one of {}", legal.join(" ")),
                }
            }
            Self::Ambiguous { text, choices } => {
                write!(f, "ambiguous move {}: expected one of {}", Quoted(text), choices.join(" "))
            }
        }
    }
}

impl From<SyntaxError> for MoveError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

impl MoveText {
    /// Parses a move without checking whether it is legal.
    ///
    /// # Errors
    ///
    /// If the text does not have the form of a move.
    pub fn parse(text: &str) -> Result<Self, MoveError> {
        let (squares, capture) = whole("move", move_text, text)?;
        Ok(Self { text: text.to_owned(), squares, capture })
    }

    /// Returns the first and the last square.
    pub fn ends(&self) -> (Square, Square) {
        (self.squares[0], self.squares[self.squares.len() - 1])
    }

    /// Returns the legal move in a position that this text denotes. Squares of a long capture may be missing,
    /// but a move whose whole path is written takes priority.
    ///
    /// # Errors
    ///
    /// If no move matches, or several do.
    pub fn resolve(&self, position: &Position) -> Result<Move, MoveError> {
        let Matches { mut moves, exact } = Matches::of(&self.squares, position);
        moves.retain(|mv| mv.is_capture() || !self.capture);
        match (exact.filter(|mv| moves.contains(mv)), &moves[..]) {
            (Some(mv), _) | (None, &[mv]) => Ok(mv),
            (None, []) => Err(MoveError::illegal(&self.text, position)),
            (None, choices) => Err(MoveError::ambiguous(&self.text, position, choices)),
        }
    }
}

/// The legal moves that match the squares of a text.
pub(super) struct Matches {
    pub(super) moves: MoveList,
    /// The move whose whole path is written. Not determined if two squares alone identify a single move.
    pub(super) exact: Option<Move>,
}

impl Matches {
    /// Finds the moves that start on the first square, end on the last, and pass through all squares between.
    pub(super) fn of(squares: &[Square], position: &Position) -> Self {
        let mut moves = MoveList::new();
        let Some((&from, path)) = squares.split_first() else { return Self { moves, exact: None } };
        position.list_moves(&mut moves);
        moves.retain(|mv| mv.from() == from && Some(&mv.to()) == path.last());
        let mut exact = None;
        if path.len() > 1 || moves.len() > 1 {
            exact =
                moves.iter().copied().find(|&mv| position.paths(mv).iter().any(|whole| path == &whole[..]));
        }
        if path.len() > 1 {
            moves.retain(|mv| match exact {
                Some(exact) => *mv == exact,
                None => position.paths(*mv).iter().any(|whole| is_part(path, whole)),
            });
        }
        Self { moves, exact }
    }
}

/// Returns whether a path contains the squares in this order.
fn is_part(squares: &[Square], path: &[Square]) -> bool {
    let mut path = path.iter();
    squares.iter().all(|square| path.any(|passed| passed == square))
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Parses a move that is legal in a position. Also reads four digits such as `1115`, as sites write a move.
///
/// ```
/// use kelso_draughts::board::Position;
/// use kelso_draughts::notation::movetext;
/// let start = Position::start();
/// let mv = movetext::parse(&start, "11-15").unwrap();
/// assert_eq!(movetext::format(&start, mv), "11-15");
/// let error = movetext::parse(&start, "11-17").unwrap_err();
/// assert!(error.to_string().starts_with("illegal move \"11-17\": expected one of 9-13 "));
/// ```
///
/// # Errors
///
/// If the text is malformed, illegal or ambiguous.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let parsed = match four_digits(text) {
        Some(squares) => MoveText { text: text.to_owned(), squares, capture: false },
        None => MoveText::parse(text)?,
    };
    parsed.resolve(position)
}

/// Formats a move by its start and end, with the squares between them if another capture has the same start
/// and end.
#[must_use]
pub fn format(position: &Position, mv: Move) -> String {
    let moves = position.moves();
    let same_ends = moves.iter().filter(|other| other.from() == mv.from() && other.to() == mv.to());
    if mv.is_capture() && same_ends.count() > 1 { full(position, mv) } else { spelled(mv, &[mv.to()]) }
}

/// The first invalid move of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovesError {
    /// The number of the move, from 1.
    pub number: usize,
    pub error: MoveError,
}

impl Error for MovesError {}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.number, self.error)
    }
}

/// Parses successive moves from a position.
///
/// # Errors
///
/// Returns the first text that is not a legal move.
pub fn parse_moves<T: AsRef<str>>(
    position: &Position,
    texts: impl IntoIterator<Item = T>,
) -> Result<Vec<Move>, MovesError> {
    let mut position = *position;
    let parsed = (1..).zip(texts).map(|(number, text)| {
        let mv = parse(&position, text.as_ref()).map_err(|error| MovesError { number, error })?;
        position = position.after(mv);
        Ok(mv)
    });
    parsed.collect()
}

/// Formats successive moves from a position, each in its shortest unambiguous form.
#[must_use]
pub fn format_moves(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::new();
    for &mv in moves {
        texts.push(format(&position, mv));
        position = position.after(mv);
    }
    texts
}

/// Formats successive moves from a position as one string.
#[must_use]
pub fn format_line(position: &Position, moves: &[Move]) -> String {
    format_moves(position, moves).join(" ")
}

/// Formats a move with every landing square.
#[must_use]
pub fn full(position: &Position, mv: Move) -> String {
    position.paths(mv).first().map_or_else(|| spelled(mv, &[mv.to()]), |path| spelled(mv, path))
}

fn spelled(mv: Move, path: &[Square]) -> String {
    let sign = if mv.is_capture() { "x" } else { "-" };
    path.iter().fold(mv.from().to_string(), |text, square| text + sign + &square.to_string())
}

/// Formats a branch of [`divide`](crate::board::divide), with every landing square.
#[must_use]
pub fn branch(branch: &Branch) -> String {
    spelled(branch.mv, &branch.path)
}

/// Returns the squares of a move such as `1115`.
fn four_digits(text: &str) -> Option<ArrayVec<Square, 13>> {
    let is_short = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let squares: u16 = is_short.then(|| text.parse().ok())??;
    let number = |squares: u16| u8::try_from(squares).ok().and_then(Square::from_number);
    Some([number(squares / 100)?, number(squares % 100)?].into_iter().collect())
}

/// Parses the squares of a move, and whether it is written as a capture.
fn move_text(input: &str) -> Parsed<'_, (ArrayVec<Square, 13>, bool)> {
    // A move with a single hyphen may also be a capture.
    let hyphens = map(jumps("-"), |squares| (squares.len() > 1, squares));
    let crosses = map(jumps("xX:"), |squares| (true, squares));
    let rest = context("\"-\" or \"x\" and a square", nom::branch::alt((hyphens, crosses)));
    map((square, rest), |(from, (capture, rest))| (std::iter::once(from).chain(rest).collect(), capture))
        .parse(input)
}

/// Parses up to 12 squares, each after a sign.
fn jumps<'a>(signs: &'static str) -> impl Parser<&'a str, Output = Vec<Square>, Error = Expected<'a>> {
    verify(many1(preceded(one_of(signs), square)), |jumps: &Vec<_>| jumps.len() <= 12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn malformed_moves_name_the_place() {
        let square = "a square from 1 to 32";
        for (text, place, expected) in [
            ("", 1, square),
            ("11", 3, "\"-\" or \"x\" and a square"),
            ("11-", 4, square),
            ("11-33", 4, square),
            ("11-15 ", 6, "end of input"),
            ("c3-d4", 1, square),
            ("1133", 1, square),
        ] {
            let message = format!("invalid move \"{text}\" at character {place}: expected {expected}");
            assert_eq!(MoveText::parse(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn ambiguous_captures_need_their_path() {
        // A capture from 6 to 22, on the left or the right.
        let position = fen::parse("B:W9,10,17,18,32:B6").unwrap();
        assert_eq!(position.moves().len(), 2);
        let error = parse(&position, "6x22").unwrap_err();
        assert_eq!(error.to_string(), "ambiguous move \"6x22\": expected one of 6x13x22 6x15x22");
        for mv in position.moves() {
            let text = format(&position, mv);
            assert_eq!(text.matches('x').count(), 2);
            assert_eq!(parse(&position, &text), Ok(mv));
        }
        assert_eq!(parse(&position, "6-13-22"), parse(&position, "6x13x22"));
        assert!(matches!(parse(&position, "6-13x22"), Err(MoveError::Syntax(_))));
        let error = parse(&position, "6-14-22").unwrap_err().to_string();
        assert_eq!(error, "illegal move \"6-14-22\": expected one of 6x13x22 6x15x22");
        assert!(matches!(parse(&position, "6-9"), Err(MoveError::Illegal { .. })));
    }

    #[test]
    fn four_digits_are_two_squares() {
        let start = Position::start();
        for (text, same) in [("1115", "11-15"), ("0914", "9-14")] {
            assert_eq!(parse(&start, text).unwrap(), parse(&start, same).unwrap());
        }
        let position = fen::parse("B:W18:B15").unwrap();
        assert!(parse(&position, "1522").unwrap().is_capture());
    }

    #[test]
    fn squares_of_a_long_capture_may_be_missing() {
        let position = fen::parse("W:W29:B25,18,11,10").unwrap();
        assert_eq!(position.moves().len(), 2);
        assert_eq!(parse(&position, "29x15x8"), parse(&position, "29x8"));
        assert!(matches!(parse(&position, "29x15x22x8"), Err(MoveError::Illegal { .. })));
    }

    #[test]
    fn circular_captures_are_read_in_both_directions() {
        let position = fen::parse("B:W9,10,17,18:BK6").unwrap();
        assert_eq!(position.moves().len(), 1);
        let mv = position.moves()[0];
        assert_eq!(format(&position, mv), "6x6");
        for text in ["6x6", "6x13x22x15x6", "6x15x22x13x6", "6-6"] {
            assert_eq!(parse(&position, text), Ok(mv), "{text}");
        }
    }
}
