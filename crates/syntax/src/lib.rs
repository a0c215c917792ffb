//! Syntax errors, with a position and what was expected, and quoting of text in error messages.
//!
//! The module [`grammar`] has rules of grammars, and the macro [`named!`] defines enums whose values have names.

pub mod grammar;
mod names;

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Write};

/// The position of a syntax error and what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxFault {
    /// Byte offset in the text.
    pub at: usize,
    /// The expected text, for the message.
    pub expected: &'static str,
}

/// The error for text that does not follow its grammar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The kind of text: `FEN`, `move`.
    pub what: &'static str,
    /// The whole text.
    pub text: String,
    /// The position of the error.
    pub fault: SyntaxFault,
}

/// The error for a word that has none of the expected forms.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordError {
    /// The word is a name, which is unknown; other words are invalid.
    pub is_name: bool,
    /// The kind of word: `slice`, `protocol`.
    pub what: &'static str,
    pub text: String,
    /// The expected forms or names.
    pub expected: Cow<'static, str>,
}

impl Error for SyntaxError {}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, text, fault } = self;
        let column = column(text, fault.at);
        write!(f, "invalid {what} {} at character {column}: expected {}", Quoted(text), fault.expected)
    }
}

impl Error for WordError {}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_name, what, text, expected } = self;
        let fault = if *is_name { "unknown" } else { "invalid" };
        write!(f, "{fault} {what} {}: expected {expected}", Quoted(text))
    }
}

impl WordError {
    /// Returns the error for a word that is not a valid `what`.
    pub fn invalid(what: &'static str, text: &str, expected: impl Into<Cow<'static, str>>) -> Self {
        Self { is_name: false, what, text: text.to_owned(), expected: expected.into() }
    }

    /// Returns the error for a word that is not the name of a known `what`.
    pub fn unknown(what: &'static str, text: &str, expected: impl Into<Cow<'static, str>>) -> Self {
        Self { is_name: true, ..Self::invalid(what, text, expected) }
    }
}

impl SyntaxFault {
    /// Returns the error for text that is not a valid `what`.
    #[must_use]
    pub fn error(self, what: &'static str, text: &str) -> SyntaxError {
        SyntaxError { what, text: text.to_owned(), fault: self }
    }
}

/// Converts a byte offset to a column, counted in characters from 1.
fn column(text: &str, at: usize) -> usize {
    text.char_indices().take_while(|&(i, _)| i < at).count() + 1
}

/// Formats text for an error message: in quotes, on one line, shortened if necessary.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

/// Returns whether a character is invisible but not a space: a byte order mark within a file, a joiner, a
/// directional mark.
pub const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        f.write_str("\"")?;
        let mut chars = self.0.chars();
        for c in chars.by_ref().take(SHOWN) {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() || is_invisible(c) => write!(f, "{}", c.escape_default())?,
                // Unusual spaces look like ordinary ones.
                c if c.is_whitespace() && c != ' ' => write!(f, "{}", c.escape_unicode())?,
                c => f.write_char(c)?,
            }
        }
        f.write_str("\"")?;
        match chars.as_str().len() {
            0 => Ok(()),
            more => write!(f, " and {more} more bytes"),
        }
    }
}
