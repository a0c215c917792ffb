//! What a game in a file is made of.

use std::fmt;

use crate::board::{Color, Move, Outcome, Position};

/// How deep variations may be nested.
pub const MAX_NESTING: usize = 32;

/// A game: who played, from where, what, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnGame {
    /// All tags but those that the other fields stand for.
    pub tags: Tags,
    /// The position that it starts with.
    pub start: Position,
    /// A comment before the first move.
    pub comment: String,
    /// What was played: each ply legal after those before it.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub result: PdnResult,
}

impl PdnGame {
    /// A game that hasn't begun.
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

    /// The moves that were played.
    #[must_use]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }
}

/// A move with what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs, as `$1` for a good move; `!` and the like are read as their numbers.
    pub glyphs: Vec<u8>,
    /// A comment after it.
    pub comment: String,
    /// What could have been played instead of it.
    pub variations: Vec<Variation>,
}

impl Ply {
    /// A move without remarks.
    #[must_use]
    pub const fn new(mv: Move) -> Self {
        Self { mv, glyphs: Vec::new(), comment: String::new(), variations: Vec::new() }
    }
}

/// Moves that could have been played from the position before a ply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// A comment before the first move.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// Names and values, in the order in which they were set or read.
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
    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value, in place of the one that it has.
    ///
    /// Characters that a name can't have are left out of it, and control characters in a value become spaces.
    pub fn set(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|&c| is_name(c)).collect();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value_of(value),
            None if name.is_empty() => {}
            None => self.push(&name, value.to_owned()),
        }
    }

    /// Adds a tag with a name that no other has, which looking for it would take too long to find out.
    pub(super) fn push(&mut self, name: &str, value: String) {
        let value = if value.contains(char::is_control) { value_of(&value) } else { value };
        self.0.push((name.to_owned(), value));
    }

    /// Takes a tag out, and says what its value was.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(index).1)
    }

    /// Names and values in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn value_of(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Whether a tag's name may have a character.
pub(super) fn is_name(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '[' | ']' | '"')
}

/// How a game ended, as far as a file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PdnResult {
    /// `1-0`: the first player won.
    BlackWins,
    /// `0-1`
    WhiteWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: it isn't over, or nobody knows.
    Unknown,
}

impl PdnResult {
    /// Reads a result, also with the characters of word processors. Where a game counts two points (`2-0`), as in
    /// international draughts and in the files of pydraughts, White's come first.
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

/// The dashes that word processors make of a hyphen.
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

/// A comment as games keep it: words with one space between them.
pub(super) fn tidy(comment: &str) -> String {
    let words = comment.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
