//! The position files of the older programs: eight lines of four numbers, then who is to move, then seconds per move.
//!
//! The numbers are those of the squares in order, 0 for an empty one, 1 and 3 for a man and a king of the first player,
//! who is Black, 2 and 4 for those of the second. The side to move is 1 or 2. The time may be missing.

use std::time::Duration;

use thiserror::Error;

use crate::board::{Color, Kind, Piece, Position, Setup, SetupError, Square};
use crate::notation::syntax::Quoted;

/// What such a file says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PositionFile {
    /// The position.
    pub position: Position,
    /// The time for each move, if it is told.
    pub time: Option<Duration>,
}

/// Why a text is not a position file.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum PositionFileError {
    /// A number is missing.
    #[error("the position file ends in line {line}: expected {expected}")]
    Short {
        /// Its last line, from 1.
        line: usize,
        /// What is missing.
        expected: &'static str,
    },
    /// A number is invalid.
    #[error("invalid {} in line {line} of the position file: expected {expected}", Quoted(text))]
    Number {
        /// The text.
        text: String,
        /// Its line, from 1.
        line: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// The position is not legal.
    #[error("illegal position in the position file: {0}")]
    Illegal(SetupError),
}

/// The longest time for a move that a file may ask for.
const MOST_SECONDS: f64 = 86_400.0;

/// Reads a position file.
///
/// # Errors
///
/// When a number is wrong or missing, there are too many, or the pieces make no position.
pub fn parse(text: &str) -> Result<PositionFile, PositionFileError> {
    let lines = text.lines().count().max(1);
    let mut words = (1..)
        .zip(text.lines())
        .flat_map(|(line, text)| text.split_whitespace().map(move |word| (line, word)));
    let error = |(line, text): (usize, &str), expected| match text {
        "" => PositionFileError::Short { line, expected },
        text => PositionFileError::Number { text: text.to_owned(), line, expected },
    };
    let mut setup = Setup::empty(Color::Black);
    for square in Square::all() {
        let expected = "a square: 0, or 1 or 3 for the first player's man or king, 2 or 4 for the second's";
        let word = words.next().unwrap_or((lines, ""));
        let (color, kind) = match word.1 {
            "0" => continue,
            "1" => (Color::Black, Kind::Man),
            "2" => (Color::White, Kind::Man),
            "3" => (Color::Black, Kind::King),
            "4" => (Color::White, Kind::King),
            _ => return Err(error(word, expected)),
        };
        setup.put(square, Piece { color, kind });
    }
    let word = words.next().unwrap_or((lines, ""));
    setup.side = match word.1 {
        "1" => Color::Black,
        "2" => Color::White,
        _ => return Err(error(word, "the side to move, 1 or 2")),
    };
    let time = match words.next() {
        None => None,
        Some(word) => {
            let seconds =
                word.1.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= MOST_SECONDS);
            let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            Some(time.ok_or_else(|| error(word, "seconds for a move, more than 0 and at most 86400"))?)
        }
    };
    if let Some(word) = words.next() {
        return Err(error(word, "nothing more"));
    }
    let position = Position::try_from(setup).map_err(PositionFileError::Illegal)?;
    Ok(PositionFile { position, time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    const START: &str = "1 1 1 1\n1 1 1 1\n1 1 1 1\n0 0 0 0\n0 0 0 0\n2 2 2 2\n2 2 2 2\n2 2 2 2\n1\n5\n";

    #[test]
    fn the_start_and_an_ending_are_read() {
        let start = parse(START).unwrap();
        assert_eq!(start, PositionFile { position: Position::start(), time: Some(Duration::from_secs(5)) });
        let ending = "0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 4 2";
        assert_eq!(
            parse(ending).unwrap(),
            PositionFile { position: fen::parse("W:WK32:BK2,25").unwrap(), time: None }
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, message) in [
            (
                String::new(),
                "the position file ends in line 1: expected a square: 0, or 1 or 3 for the first player's man or king, 2 or 4 for the second's",
            ),
            (
                START.replace("0 0 0 0\n2", "0 5 0 0\n2"),
                "invalid \"5\" in line 5 of the position file: expected a square: 0, or 1 or 3 for the first player's man or king, 2 or 4 for the second's",
            ),
            (
                START.replace("\n1\n5", "\n3\n5"),
                "invalid \"3\" in line 9 of the position file: expected the side to move, 1 or 2",
            ),
            (
                START.replace("\n5", "\n-1"),
                "invalid \"-1\" in line 10 of the position file: expected seconds for a move, more than 0 and at most 86400",
            ),
            (
                START.replace("\n5", "\nnan"),
                "invalid \"nan\" in line 10 of the position file: expected seconds for a move, more than 0 and at most 86400",
            ),
            (format!("{START}7"), "invalid \"7\" in line 11 of the position file: expected nothing more"),
            (
                START.replacen('1', "2", 1).replace("2\n1\n5", "0\n1\n5"),
                "illegal position in the position file: the white man on 1 must be a king (men are crowned on 1-4)",
            ),
        ] {
            assert_eq!(parse(&text).unwrap_err().to_string(), message, "{text}");
        }
    }
}
