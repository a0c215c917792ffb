//! Position files: a board as text, the side to move, and optionally the seconds for each move.
//!
//! The board has eight lines, in one of two forms:
//!
//! - four numbers per line, as older programs write them: 0 for an empty square, 1 and 3 for a black man and
//!   king, 2 and 4 for a white man and king;
//! - characters, as drawn by the module [`diagram`](kelso_reports::diagram): `b` and `w` men, `B` and `W` kings, `.`
//!   or `-` an empty square. Light squares are empty or omitted; a frame and square numbers are ignored.
//!
//! The side to move is 1 or B for Black, 2 or W for White, or the FEN of the position. The time may be
//! missing.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use kelso_draughts::board::{Color, Piece, Position, Setup, SetupError, Square};
use kelso_draughts::notation::fen;
use kelso_text::syntax::Quoted;

/// A parsed position file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PositionFile {
    /// The board and the side to move.
    pub(crate) position: Position,
    /// The time for each move.
    pub(crate) time: Option<Duration>,
}

/// The reason why a position file is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PositionFileError {
    /// A part is missing at the end.
    End {
        /// The last line, counted from 1.
        line: usize,
        expected: &'static str,
    },
    /// A part is invalid or superfluous.
    Part {
        /// The line, counted from 1.
        line: usize,
        text: String,
        expected: &'static str,
    },
    /// The pieces do not form a legal position.
    Illegal(SetupError),
}

impl Error for PositionFileError {}

impl fmt::Display for PositionFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End { line, expected } => {
                write!(f, "the position file ends in line {line}: expected {expected}")
            }
            Self::Part { line, text, expected } => {
                write!(f, "invalid {} in line {line} of the position file: expected {expected}", Quoted(text))
            }
            Self::Illegal(error) => write!(f, "illegal position in the position file: {error}"),
        }
    }
}

const MAX_SECONDS: f64 = 86_400.0;

const NUMBER: &str = "a square: 0, or 1 or 3 for the first player's man or king, 2 or 4 for the second's";
const ROW: &str = "a row of the board: four or eight of \".bBwW\"";
const SIDE: &str = "the side to move: 1, 2, B, W or the FEN of the position";
const TIME: &str = "seconds for a move, more than 0 and at most 86400";

/// Returns whether the text begins like a position file, even if it contains errors.
pub(crate) fn is_likely(text: &str) -> bool {
    board_lines(text).next().is_some_and(|(_, line)| row(line, 0).is_some())
        || text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | '-'))
            && text.split_whitespace().count() > 8
}

/// Parses a position file.
pub(crate) fn parse(text: &str) -> Result<PositionFile, PositionFileError> {
    let last = text.lines().count().max(1);
    let mut lines = board_lines(text).peekable();
    let mut pieces = Vec::with_capacity(Square::COUNT);
    if lines.peek().is_some_and(|(_, line)| row(line, 0).is_some()) {
        for number in 0..8 {
            let line = lines.next().unwrap_or((last, ""));
            pieces.extend(row(line.1, number).ok_or_else(|| error(line, ROW))?);
        }
    }
    let mut words = lines.flat_map(|(line, text)| text.split_whitespace().map(move |word| (line, word)));
    while pieces.len() < Square::COUNT {
        let word = words.next().unwrap_or((last, ""));
        pieces.push(match word.1 {
            "0" => None,
            "1" => Piece::from_letter('b'),
            "2" => Piece::from_letter('w'),
            "3" => Piece::from_letter('B'),
            "4" => Piece::from_letter('W'),
            _ => return Err(error(word, NUMBER)),
        });
    }
    let mut setup = Setup::empty(Color::Black);
    setup.squares.copy_from_slice(&pieces);
    let word = words.next().unwrap_or((last, ""));
    setup.side = match word.1 {
        "1" | "B" | "b" => Color::Black,
        "2" | "W" | "w" => Color::White,
        text => match fen::parse_setup(text) {
            Ok(same) if same.squares == setup.squares => same.side,
            _ => return Err(error(word, SIDE)),
        },
    };
    let time = match words.next() {
        None => None,
        Some(word) => Some(move_time(word.1).ok_or_else(|| error(word, TIME))?),
    };
    if let Some(word) = words.next() {
        return Err(error(word, "end of file"));
    }
    let position = Position::try_from(setup).map_err(PositionFileError::Illegal)?;
    Ok(PositionFile { position, time })
}

fn error((line, text): (usize, &str), expected: &'static str) -> PositionFileError {
    match text {
        "" => PositionFileError::End { line, expected },
        text => PositionFileError::Part { line, text: text.to_owned(), expected },
    }
}

fn move_time(text: &str) -> Option<Duration> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= MAX_SECONDS)?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Returns the lines that are neither blank nor part of a frame, with their line numbers.
fn board_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('+'))
}

/// Parses a line of a drawn board. Rows are numbered from the top.
fn row(line: &str, number: usize) -> Option<Vec<Option<Piece>>> {
    let board = line.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    let cells = board.chars().filter(|c| !c.is_whitespace() && !matches!(c, '|' | '[' | ']'));
    let cells = cells.map(|c| match c {
        '.' | '-' => Some(None),
        letter => Piece::from_letter(letter).map(Some),
    });
    let cells: Vec<Option<Piece>> = cells.collect::<Option<_>>()?;
    let [light, dark] = if number.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    match cells.len() {
        4 => Some(cells),
        8 if cells.iter().skip(light).step_by(2).all(Option::is_none) => {
            Some(cells.into_iter().skip(dark).step_by(2).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::diagram::lines;
    use kelso_reports::diagram::{self, Diagram, Ink};

    const START: &str = "1 1 1 1\n1 1 1 1\n1 1 1 1\n0 0 0 0\n0 0 0 0\n2 2 2 2\n2 2 2 2\n2 2 2 2\n1\n5\n";

    #[test]
    fn move_numbers_are_read() {
        let start = parse(START).unwrap();
        assert_eq!(start, PositionFile { position: Position::start(), time: Some(Duration::from_secs(5)) });
        let ending = "0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 4 2";
        assert_eq!(
            parse(ending).unwrap(),
            PositionFile { position: fen::parse("W:WK32:BK2,25").unwrap(), time: None }
        );
    }

    #[test]
    fn drawn_boards_are_read_as_they_are_printed() {
        for text in ["B:W21-32:B1-12", "W:WK29,30,K32:B1,K5,10,28", "B:WK4:B"] {
            let position = fen::parse(text).unwrap();
            let mut board = Diagram::new(position);
            board.marked = position.occupied();
            let plain = diagram::text(&board, Ink::Plain).join("\n");
            let side = position.side().letter();
            for file in [
                format!("{plain}\n{}\n", fen::format(&position)),
                format!("{}\n{side}\n", lines(&position, Color::White).join("\n")),
            ] {
                assert!(is_likely(&file), "{file}");
                assert_eq!(parse(&file).map(|file| file.position), Ok(position), "{file}");
            }
        }
        let rows = ".b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";
        let file = parse(&format!("{rows}\n1 2.5")).unwrap();
        assert_eq!((file.position, file.time), (Position::start(), Some(Duration::from_millis(2500))));
        assert!(!is_likely("[Event \"a\"]\n\n1. 11-15 *") && !is_likely("1. 11-15 23-19 *"));
    }

    #[test]
    fn files_are_recognised_by_their_board() {
        for (text, likely) in [
            (START, true),
            ("1 1 1 1 1 1 1 1 2.5", true),
            ("1 1 1 1 1 1 1 1 -1", true),
            ("1 1 1 1 1 1 1 1", false),
            ("1 1 1 1 1 1 1 1 x", false),
            ("+--+\n\n| . b . b |\nnonsense", true),
            ("", false),
        ] {
            assert_eq!(is_likely(text), likely, "{text}");
        }
    }

    #[test]
    fn times_have_limits() {
        let time = |seconds: &str| parse(&START.replace("\n5\n", &format!("\n{seconds}\n"))).ok()?.time;
        assert_eq!(time("0.001"), Some(Duration::from_millis(1)));
        assert_eq!(time("86400"), Some(Duration::from_secs(86_400)));
        for seconds in ["0", "-1", "86401", "nan", "x"] {
            assert_eq!(time(seconds), None, "{seconds}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        const SECONDS: &str = "seconds for a move, more than 0 and at most 86400";
        let rows = ".b.b.b.b\n".to_owned() + &"........\n".repeat(7);
        let error = |text: &str| parse(text).unwrap_err().to_string();
        for (text, line, expected) in [("", 1, NUMBER), (&rows, 8, SIDE)] {
            assert_eq!(error(text), format!("the position file ends in line {line}: expected {expected}"));
        }
        for (text, invalid, line, expected) in [
            (START.replace("0 0 0 0\n2", "0 5 0 0\n2"), "5", 5, NUMBER),
            (START.replace("\n1\n5", "\n3\n5"), "3", 9, SIDE),
            (rows.replacen("........", "b.......\n.", 1), ".", 3, ROW),
            (rows + "B:W32:B1", "B:W32:B1", 9, SIDE),
            (START.replace("\n5", "\n-1"), "-1", 10, SECONDS),
            (START.replace("\n5", "\nnan"), "nan", 10, SECONDS),
            (format!("{START}7"), "7", 11, "end of file"),
        ] {
            let message =
                format!("invalid \"{invalid}\" in line {line} of the position file: expected {expected}");
            assert_eq!(error(&text), message, "{text}");
        }
        let uncrowned = START.replacen('1', "2", 1).replace("2\n1\n5", "0\n1\n5");
        let reason = "the white man on 1 must be a king (men are crowned on 1-4)";
        assert_eq!(error(&uncrowned), format!("illegal position in the position file: {reason}"));
    }
}
