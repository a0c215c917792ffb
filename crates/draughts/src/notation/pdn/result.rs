//! Results as text.

use std::error::Error;
use std::fmt;

use crate::result::GameResult;

/// The error for text that is not a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultError;

impl Error for ResultError {}

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 1-0, 0-1, 1/2-1/2 or *")
    }
}

/// Parses a result, including the special characters of word processors; `None` is an unfinished game (`*`).
/// If a win is written as two points (`2-0`), as in international draughts and in the files of pydraughts,
/// White's points come first.
///
/// # Errors
///
/// If the text is not a result.
pub fn parse_result(text: &str) -> Result<Option<GameResult>, ResultError> {
    match text {
        "1-0" | "0-2" => Ok(Some(GameResult::BlackWins)),
        "0-1" | "2-0" => Ok(Some(GameResult::WhiteWins)),
        "1/2-1/2" | "1-1" | "1/2" => Ok(Some(GameResult::Draw)),
        "*" | "0-0" => Ok(None),
        _ if text.is_ascii() => Err(ResultError),
        _ => {
            let normalized = text.replace('½', "1/2").replace(is_dash, "-");
            if normalized.is_ascii() { parse_result(&normalized) } else { Err(ResultError) }
        }
    }
}

/// Returns whether a character is a dash, which word processors substitute for hyphens.
pub(super) const fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}
