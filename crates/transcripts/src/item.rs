//! The lines of a transcript.

use std::fmt;
use std::time::Duration;

use super::pattern::{Part, Pattern};

/// The maximum timeout.
pub const LONGEST_TIMEOUT: Duration = Duration::from_secs(86_400);
/// The maximum pause.
pub const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// A line of a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A blank line.
    Blank,
    /// `# text`
    Comment,
    /// `> text`: a line to send.
    Send(String),
    /// `< pattern`, `<* pattern` or `< ...`: output to expect.
    Expect(Expectation),
    /// `! directive`
    Directive(Directive),
}

/// Expected output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The pattern of a line.
    pub pattern: Pattern,
    /// Set if any number of such lines, or none, is expected instead of one.
    pub repeated: bool,
}

/// An instruction to the runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    /// `! args ...`: the arguments of the engine.
    Args(Vec<String>),
    /// `! timeout S`: the timeout of each expected line from here on, in seconds.
    Timeout(Duration),
    /// `! option NAME VALUE`: sends `setoption name NAME value VALUE`.
    Option {
        /// In quotes in the file if it has spaces.
        name: String,
        /// Missing for an option that is a button.
        value: Option<String>,
    },
    /// `! wait MS`: waits this many milliseconds.
    Wait(Duration),
    /// `! close`: closes the engine's input.
    Close,
    /// `! eof`: expects the end of the output, while the input is open unless it was closed before.
    Eof,
    /// `! exit N` or `! exit any`: the expected exit status, if it is not 0.
    Exit(Option<i32>),
}

impl Item {
    /// Returns the line that it sends, if any.
    pub fn sent(&self) -> Option<String> {
        match self {
            Self::Send(line) => Some(line.clone()),
            Self::Directive(Directive::Option { name, value: Some(value) }) => {
                Some(format!("setoption name {name} value {value}"))
            }
            Self::Directive(Directive::Option { name, value: None }) => {
                Some(format!("setoption name {name}"))
            }
            _ => None,
        }
    }

    /// Returns true unless it is blank or a comment.
    pub(super) fn is_step(&self) -> bool {
        !matches!(self, Self::Blank | Self::Comment)
    }
}

impl Expectation {
    /// Expects one line.
    pub const fn once(pattern: Pattern) -> Self {
        Self { pattern, repeated: false }
    }

    /// Expects any number of lines.
    pub const fn repeated(pattern: Pattern) -> Self {
        Self { pattern, repeated: true }
    }

    /// Expects any number of any lines.
    pub fn anything() -> Self {
        Self::repeated(Pattern::from_parts([Part::Any]))
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.pattern.to_string();
        let mark = if self.repeated { "<*" } else { "<" };
        if *self == Self::anything() {
            write!(f, "< {}", Part::ELISION)
        } else if text.is_empty() {
            write!(f, "{mark}")
        } else {
            write!(f, "{mark} {text}")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::grammar;
    use super::*;

    proptest! {
        #[test]
        fn expectations_are_read_back(text in "[a-c\\[\\].n *<é]{0,8}", repeated: bool) {
            let expectation = Expectation { pattern: Pattern::parse(&text), repeated };
            prop_assert_eq!(grammar::item(&expectation.to_string()), Ok(Item::Expect(expectation)));
        }
    }
}
