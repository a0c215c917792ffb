//! The parts of a game in a file.

use std::fmt;

use crate::board::{Color, Move, Outcome, Position};

/// The maximum nesting of variations.
pub const MAX_NESTING: usize = 32;

/// A game with its tags, moves and result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnGame {
    /// All tags but those that the other fields hold.
    pub tags: Tags,
    /// The start position.
    pub start: Position,
    /// A comment before the first move.
    pub comment: String,
    /// The moves; each is legal after those before it.
    pub plies: Vec<Ply>,
    /// The result.
    pub result: PdnResult,
}

impl PdnGame {
    /// Creates a game without moves.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self {
            tags: Tags::default(),
            start,
            comment: String::new(),
            plies: Vec::new(),
            result: PdnResult::Unknown,
        }
    }

    /// Returns the moves.
    #[must_use]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }
}

/// A move with its remarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs, as `$1` for a good move; `!` and the like are read as their numbers.
    pub glyphs: Vec<u8>,
    /// A comment after it.
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

/// The tags of a game, in the order in which they were set or read.
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
    /// Invalid characters of the name are dropped, and control characters in the value become spaces.
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

    /// Removes a tag. Returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(index).1)
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

/// The result of a game in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PdnResult {
    /// `1-0`: the first player won.
    BlackWins,
    /// `0-1`
    WhiteWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or unknown.
    Unknown,
}

impl PdnResult {
    /// Parses a result, also with the characters of word processors. If a win counts two points (`2-0`), as in international
    /// draughts and in the files of pydraughts, White's points come first.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" | "0-2" => Some(Self::BlackWins),
            "0-1" | "2-0" => Some(Self::WhiteWins),
            "1/2-1/2" | "1-1" | "1/2" => Some(Self::Draw),
            "*" | "0-0" => Some(Self::Unknown),
            _ if text.is_ascii() => None,
            _ => {
                let plain = text.replace('½', "1/2").replace(is_dash, "-");
                if plain.is_ascii() { Self::parse(&plain) } else { None }
            }
        }
    }
}

/// Returns whether a character is a dash that word processors make of a hyphen.
pub(super) const fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

impl fmt::Display for PdnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::BlackWins => "1-0",
            Self::WhiteWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

impl From<Outcome> for PdnResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Color::Black) => Self::BlackWins,
            Outcome::Win(Color::White) => Self::WhiteWins,
            Outcome::Repetition | Outcome::NoProgress => Self::Draw,
        }
    }
}

/// Joins the words of a comment with single spaces.
pub(super) fn tidy(comment: &str) -> String {
    let words = comment.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
