//! Query strings of URLs.

use std::str::FromStr;

use kelso_draughts::board::Position;
use kelso_draughts::notation::movetext::{self, MovesError};
use kelso_draughts::notation::{PositionError, fen};
use kelso_draughts::record::GameRecord;
use kelso_syntax::Quoted;

/// Returns the decoded value of a parameter.
pub fn parameter(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))?;
    Some(decoded(value))
}

pub fn number<T: FromStr>(query: &str, name: &'static str) -> Result<Option<T>, QueryError> {
    let value = parameter(query, name);
    value.map(|value| value.parse().map_err(|_| QueryError::Number { name, value })).transpose()
}

/// The reason why a query cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error("missing parameter {0}")]
    Missing(&'static str),
    #[error("{name} must be a whole number, got {}", Quoted(value))]
    Number { name: &'static str, value: String },
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Move(#[from] MovesError),
    #[error("unknown engine \"{0}\"")]
    Engine(String),
}

/// Returns the game of the parameter `fen`, without which it begins at the start, and the one with its moves.
pub fn game(query: &str, moves: &str) -> Result<GameRecord, QueryError> {
    let [start, moves] = ["fen", moves].map(|name| parameter(query, name).unwrap_or_default());
    line(&start, &moves)
}

/// Returns the game with a start, given as a FEN or empty, and moves, separated by commas.
pub fn line(start: &str, moves: &str) -> Result<GameRecord, QueryError> {
    let start = if start.is_empty() { Position::start() } else { fen::parse(start)? };
    let words = moves.split(',').filter(|word| !word.is_empty());
    let moves = movetext::parse_moves(&start, words)?;
    Ok(GameRecord::of(start, moves))
}

fn decoded(text: &str) -> String {
    let text = text.replace('+', " ");
    let (first, rest) =
        text.split_once('%').map_or((text.as_str(), None), |(first, rest)| (first, Some(rest)));
    let mut bytes = first.as_bytes().to_vec();
    for part in rest.into_iter().flat_map(|rest| rest.split('%')) {
        let hex = part.split_at_checked(2);
        match hex.and_then(|(hex, rest)| Some((u8::from_str_radix(hex, 16).ok()?, rest))) {
            Some((byte, rest)) => bytes.extend([&[byte], rest.as_bytes()].concat()),
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_must_be_one() {
        assert_eq!(number("a=7&b=x", "a").unwrap(), Some(7));
        assert_eq!(number::<u64>("a=7&b=x", "c").unwrap(), None);
        let error = number::<u64>("a=7&b=x", "b").unwrap_err();
        assert_eq!(error.to_string(), "b must be a whole number, got \"x\"");
    }

    #[test]
    fn any_query_is_decoded() {
        assert_eq!(decoded("a+b%20c%C3%BC"), "a b cü");
        assert_eq!(decoded("%zz%4%"), "%zz%4%");
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }
}
