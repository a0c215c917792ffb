//! Texts from outside, as errors show them.

use std::fmt;

/// A text as errors show it: in quotes, on one line, and cut where it gets long.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        f.write_str("\"")?;
        let mut chars = self.0.chars();
        for c in chars.by_ref().take(SHOWN) {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "{}", c.escape_default())?,
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
