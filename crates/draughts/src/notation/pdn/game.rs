//! The parts of a game in a file.

use thiserror::Error;

use crate::board::{Move, Position};
use crate::result::GameResult;

/// The maximum nesting of variations.
pub const MAX_NESTING: usize = 32;

/// A game with its tags, moves and result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnGame {
    /// All tags except for those in other fields.
    pub tags: Tags,
    /// The start position.
    pub start: Position,
    /// A comment before the first move.
    pub comment: String,
    /// The moves, each legal in the position before it.
    pub plies: Vec<Ply>,
    /// The result, unless the game is unfinished or the result unknown.
    pub result: Option<GameResult>,
}

impl PdnGame {
    /// Creates a game without moves.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { tags: Tags::default(), start, comment: String::new(), plies: Vec::new(), result: None }
    }

    /// Returns the moves.
    #[must_use]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Returns the result as written in files.
    #[must_use]
    pub fn result_text(&self) -> &'static str {
        self.result.map_or("*", GameResult::word)
    }
}

/// A move with its remarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs, such as `$1` for a good move; marks such as `!` are converted to their numbers.
    pub glyphs: Vec<u8>,
    /// A comment after the move.
    pub comment: String,
    /// Alternatives to the move.
    pub variations: Vec<Variation>,
}

impl Ply {
    /// Creates a move without remarks.
    #[must_use]
    pub const fn new(mv: Move) -> Self {
        Self { mv, glyphs: Vec::new(), comment: String::new(), variations: Vec::new() }
    }
}

/// An alternative line from the position before a ply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// A comment before the first move.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// The tags of a game, in the order they were set or read.
///
/// ```
/// use draughts::notation::pdn::Tags;
/// let mut tags = Tags::default();
/// tags.set("Event", "Glasgow");
/// tags.set("Event", "Edinburgh");
/// assert_eq!(tags.get("Event"), Some("Edinburgh"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Returns the value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag.
    ///
    /// Characters that are invalid in a name are dropped, and control characters in the value become spaces.
    pub fn set(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|&c| is_name(c)).collect();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value_of(value),
            None if name.is_empty() => {}
            None => self.push(&name, value.to_owned()),
        }
    }

    /// Adds a tag with a new name, without searching for it.
    pub(super) fn push(&mut self, name: &str, value: String) {
        let value = if value.contains(char::is_control) { value_of(&value) } else { value };
        self.0.push((name.to_owned(), value));
    }

    /// Returns the names and values in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn value_of(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns whether a tag's name may contain a character.
pub(super) fn is_name(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '[' | ']' | '"')
}

/// The error for text that is not a result.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("expected 1-0, 0-1, 1/2-1/2 or *")]
pub struct ResultError;

/// Parses a result, including the special characters of word processors; `None` is an unfinished game (`*`). If a win
/// is written as two points (`2-0`), as in international draughts and in the files of pydraughts, White's points come
/// first.
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
            let plain = text.replace('½', "1/2").replace(is_dash, "-");
            if plain.is_ascii() { parse_result(&plain) } else { Err(ResultError) }
        }
    }
}

/// Returns whether a character is a dash, which word processors substitute for hyphens.
pub(super) const fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Appends text to a comment, with single spaces between words.
pub(super) fn add_comment(comment: &mut String, text: &str) {
    let text = tidy(text);
    if !comment.is_empty() && !text.is_empty() {
        comment.push(' ');
    }
    comment.push_str(&text);
}

/// Joins the words of a comment with single spaces.
pub(super) fn tidy(comment: &str) -> String {
    let words = comment.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
