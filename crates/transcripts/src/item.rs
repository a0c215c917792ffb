//! The lines of a transcript.

use std::fmt;
use std::time::Duration;

use super::pattern::{Part, Pattern};
use players::process::quoted;

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
    /// Whether any number of such lines, or none, is expected instead of one.
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
    #[must_use]
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
    #[must_use]
    pub const fn once(pattern: Pattern) -> Self {
        Self { pattern, repeated: false }
    }

    /// Expects any number of lines.
    #[must_use]
    pub const fn repeated(pattern: Pattern) -> Self {
        Self { pattern, repeated: true }
    }

    /// Expects any number of any lines.
    #[must_use]
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

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Args(words) => {
                f.write_str("! args")?;
                words.iter().try_for_each(|word| write!(f, " {}", quoted(word)))
            }
            Self::Timeout(time) => write!(f, "! timeout {}", time.as_secs_f64()),
            Self::Option { name, value } => {
                let mark = if name.contains('"') { '\'' } else { '"' };
                if name.contains(|c: char| c.is_whitespace() || c == '"' || c == '\'') {
                    write!(f, "! option {mark}{name}{mark}")?;
                } else {
                    write!(f, "! option {name}")?;
                }
                value.iter().try_for_each(|value| write!(f, " {value}"))
            }
            Self::Wait(time) => write!(f, "! wait {}", time.as_millis()),
            Self::Close => f.write_str("! close"),
            Self::Eof => f.write_str("! eof"),
            Self::Exit(Some(status)) => write!(f, "! exit {status}"),
            Self::Exit(None) => f.write_str("! exit any"),
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => Ok(()),
            Self::Comment => f.write_str("#"),
            Self::Send(text) if text.is_empty() => f.write_str(">"),
            Self::Send(text) => write!(f, "> {text}"),
            Self::Expect(expectation) => expectation.fmt(f),
            Self::Directive(directive) => directive.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::grammar;
    use super::*;

    fn expectation() -> impl Strategy<Value = Expectation> {
        ("[a-c\\[\\].n *<é]{0,8}", any::<bool>())
            .prop_map(|(text, repeated)| Expectation { pattern: Pattern::parse(&text), repeated })
    }

    fn directive() -> impl Strategy<Value = Directive> {
        let text = "[a-z][a-z' ]{0,5}[a-z]";
        prop_oneof![
            prop::collection::vec("[a '\"]{0,4}", 0..3).prop_map(Directive::Args),
            (1u64..86_400_000).prop_map(|ms| Directive::Timeout(Duration::from_millis(ms))),
            (0u64..3_600_000).prop_map(|ms| Directive::Wait(Duration::from_millis(ms))),
            (text, prop::option::of(text)).prop_map(|(name, value)| Directive::Option { name, value }),
            Just(Directive::Close),
            Just(Directive::Eof),
            any::<Option<i32>>().prop_map(Directive::Exit),
        ]
    }

    proptest! {
        #[test]
        fn items_are_read_back(item in prop_oneof![
            Just(Item::Blank),
            Just(Item::Comment),
            "[ -~]{0,12}".prop_map(Item::Send),
            expectation().prop_map(Item::Expect),
            directive().prop_map(Item::Directive),
        ]) {
            prop_assert_eq!(grammar::item(&item.to_string()), Ok(item));
        }
    }
}
