//! Texts from outside, as errors show them.

use std::fmt;

/// A text as errors show it: in quotes, on one line, and cut where it gets long.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

/// Whether nothing shows where a character stands, though it is no space: a byte order mark in the middle of a file, a
/// joiner, a mark for direction.
#[must_use]
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
                // A space that isn't the usual one looks like it.
                c if c.is_whitespace() && c != ' ' => write!(f, "{}", c.escape_unicode())?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")?;
        match chars.as_str().len() {
            0 => Ok(()),
            more => write!(f, " and {more} more bytes"),
        }
    }
}
