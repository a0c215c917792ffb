//! The declaration of an option.

use std::error::Error;
use std::fmt;

use super::{OPTIONS, Options, Setting};
use crate::search::{Margin, margin_words};
use kelso_syntax::{Quoted, WordError};

/// The declaration of an option.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: &'static str,
    /// Type and range.
    pub kind: OptionKind,
    /// What the value uses of the machine, if anything.
    pub uses: Option<Resource>,
    /// Help text, in one sentence.
    pub help: &'static str,
    pub(super) read: fn(&str, &OptionKind) -> Result<Setting, WordError>,
    pub(super) show: fn(&Options) -> String,
}

/// A resource that an option's value uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Memory in MiB.
    Memory,
    Threads,
    /// A file or a directory.
    File,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// A whole number from `min` to `max`.
    Spin { min: u64, max: u64 },
    /// One of several words.
    Combo { choices: &'static [&'static str] },
    /// A switch: `true` or `false`.
    Check,
    /// A path. An empty text, or `<empty>` as in UCI, means none.
    Path,
    /// `NAME=VALUE` words; omitted names have their defaults.
    Words {
        /// The names, with the ranges of their values.
        words: &'static [Margin],
    },
    /// A text in a form that `expected` describes.
    Text { expected: &'static str },
    /// An action without a value.
    Button,
}

/// A side effect of setting an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The transposition table is cleared.
    ClearTable,
    /// The endgame databases are reopened on the next use.
    ReopenDatabases,
}

impl Declaration {
    /// Parses a value of the option.
    ///
    /// # Errors
    ///
    /// If the value is invalid.
    pub fn setting(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let text = match (&self.kind, value) {
            (OptionKind::Button | OptionKind::Words { .. }, None)
            | (OptionKind::Path | OptionKind::Words { .. }, Some("<empty>")) => Some(""),
            (OptionKind::Button, Some(_)) => None,
            (_, value) => value,
        };
        let text = self.kind.check(value.unwrap_or(""), text);
        text.and_then(|text| (self.read)(text, &self.kind)).map_err(|error| OptionError::Value {
            option: self.name,
            value: value.map(Into::into),
            expected: error.expected.into_owned(),
        })
    }

    /// Returns the current value as text that can be parsed again.
    #[must_use]
    pub fn value(&self, options: &Options) -> String {
        (self.show)(options)
    }

    /// Returns the default as text.
    #[must_use]
    pub fn default(&self) -> String {
        match self.kind {
            OptionKind::Path | OptionKind::Words { .. } | OptionKind::Button => String::new(),
            OptionKind::Spin { .. }
            | OptionKind::Combo { .. }
            | OptionKind::Check
            | OptionKind::Text { .. } => self.value(&Options::default()),
        }
    }
}

impl OptionKind {
    /// Returns the value of a text, or an error if there is none.
    pub(super) fn check<T>(&self, text: &str, value: Option<T>) -> Result<T, WordError> {
        value.ok_or_else(|| WordError::invalid("value", text, self.to_string()))
    }
}

/// Formats the valid values.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spin { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Combo { choices } => write!(f, "one of {}", choices.join(", ")),
            Self::Check => write!(f, "one of true, false"),
            Self::Path => write!(f, "a path"),
            Self::Words { words } => f.write_str(&margin_words(words)),
            Self::Text { expected } => f.write_str(expected),
            Self::Button => write!(f, "no value"),
        }
    }
}

/// An invalid option name or value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OptionError {
    /// The option is unknown.
    Unknown { name: String },
    /// The value is invalid or missing.
    Value {
        option: &'static str,
        /// The invalid value, or `None` if it is missing.
        value: Option<String>,
        expected: String,
    },
}

impl Error for OptionError {}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
                write!(f, "unknown option {}: expected one of {}", Quoted(name), names.join(", "))
            }
            Self::Value { option, value: Some(value), expected } => {
                write!(f, "invalid value {} for option {option}: expected {expected}", Quoted(value))
            }
            Self::Value { option, value: None, expected } => {
                write!(f, "missing value for option {option}: expected {expected}")
            }
        }
    }
}
