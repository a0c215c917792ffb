//! Lists of `KEY=VALUE` words, with errors that name the word and what was expected of it.
//!
//! A list is split once, and then each key that is known takes its value; what nobody has taken is an error at the end.
//!
//! ```
//! use common::keyvalue::{KeyValueError, KeyValues};
//!
//! fn size(text: &str) -> Result<(u32, bool), KeyValueError> {
//!     let expected = "width=N or border=on|off, joined by commas";
//!     let mut pairs = KeyValues::split(text, expected)?;
//!     let width = pairs.take_parsed("width", "a number of pixels")?.unwrap_or(100);
//!     let border = pairs.take_switch("border")?.unwrap_or(false);
//!     pairs.finish(expected)?;
//!     Ok((width, border))
//! }
//!
//! assert_eq!(size("border=on,width=40"), Ok((40, true)));
//! assert_eq!(size("width=wide").unwrap_err().to_string(), "\"width=wide\", expected a number of pixels");
//! assert_eq!(
//!     size("height=9").unwrap_err().to_string(),
//!     "\"height=9\", expected width=N or border=on|off, joined by commas"
//! );
//! ```

use std::fmt;
use std::str::FromStr;

use draughts::notation::syntax::Quoted;

/// A word that is wrong, and what was expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyValueError {
    /// The word.
    pub word: String,
    /// What would have been right.
    pub expected: String,
}

impl fmt::Display for KeyValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, expected {}", Quoted(&self.word), self.expected)
    }
}

impl std::error::Error for KeyValueError {}

/// A word `KEY=VALUE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyValue<'a> {
    /// The whole word.
    pub word: &'a str,
    /// What is before its first `=`.
    pub key: &'a str,
    /// What is after it.
    pub value: &'a str,
}

impl<'a> KeyValue<'a> {
    /// Splits a word.
    ///
    /// # Errors
    ///
    /// When there is no `=` in it, or nothing before it.
    pub fn split(word: &'a str, expected: impl fmt::Display) -> Result<Self, KeyValueError> {
        match word.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok(Self { word, key, value }),
            _ => Err(KeyValueError { word: word.to_owned(), expected: expected.to_string() }),
        }
    }

    /// The error that something else was expected.
    #[must_use]
    pub fn wrong(&self, expected: impl fmt::Display) -> KeyValueError {
        KeyValueError { word: self.word.to_owned(), expected: expected.to_string() }
    }

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// When `read` makes nothing of it.
    pub fn read<T>(
        &self,
        expected: impl fmt::Display,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, KeyValueError> {
        read(self.value).ok_or_else(|| self.wrong(expected))
    }

    /// Reads a value that says itself how it is read.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn parsed<T: FromStr>(&self, expected: impl fmt::Display) -> Result<T, KeyValueError> {
        self.read(expected, |value| value.parse().ok())
    }

    /// Reads `on` or `off`.
    ///
    /// # Errors
    ///
    /// When it is neither.
    pub fn switch(&self) -> Result<bool, KeyValueError> {
        self.read("on or off", |value| match value {
            "on" | "true" | "yes" => Some(true),
            "off" | "false" | "no" => Some(false),
            _ => None,
        })
    }
}

/// The words of a list, to be taken one by one.
#[derive(Clone, Debug)]
pub struct KeyValues<'a>(Vec<KeyValue<'a>>);

impl<'a> KeyValues<'a> {
    /// Splits a list of words between commas or white space.
    ///
    /// # Errors
    ///
    /// When a word is no pair, or its key has been there before.
    pub fn split(text: &'a str, expected: impl fmt::Display) -> Result<Self, KeyValueError> {
        let mut pairs: Vec<KeyValue<'a>> = Vec::new();
        for word in text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()) {
            let pair = KeyValue::split(word, &expected)?;
            if pairs.iter().any(|known| known.key == pair.key) {
                return Err(pair.wrong(format_args!("{} only once", pair.key)));
            }
            pairs.push(pair);
        }
        Ok(Self(pairs))
    }

    /// Whether there is nothing (more) in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes a key's word out of the list, if it is there.
    pub fn take(&mut self, key: &str) -> Option<KeyValue<'a>> {
        let index = self.0.iter().position(|pair| pair.key == key)?;
        Some(self.0.remove(index))
    }

    /// Takes and reads a key's value.
    ///
    /// # Errors
    ///
    /// When `read` makes nothing of it.
    pub fn take_read<T>(
        &mut self,
        key: &str,
        expected: impl fmt::Display,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, KeyValueError> {
        self.take(key).map(|pair| pair.read(expected, read)).transpose()
    }

    /// Takes and reads a value that says itself how it is read.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn take_parsed<T: FromStr>(
        &mut self,
        key: &str,
        expected: impl fmt::Display,
    ) -> Result<Option<T>, KeyValueError> {
        self.take(key).map(|pair| pair.parsed(expected)).transpose()
    }

    /// Takes and reads `on` or `off`.
    ///
    /// # Errors
    ///
    /// When it is neither.
    pub fn take_switch(&mut self, key: &str) -> Result<Option<bool>, KeyValueError> {
        self.take(key).map(|pair| pair.switch()).transpose()
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// When there is a word that nobody has taken.
    pub fn finish(self, expected: impl fmt::Display) -> Result<(), KeyValueError> {
        self.0.first().map_or(Ok(()), |pair| Err(pair.wrong(expected)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_by_their_keys() {
        let mut pairs = KeyValues::split(" a=1,b=x=y  c=on\t", "?").unwrap();
        assert_eq!(pairs.take_parsed::<u8>("a", "?"), Ok(Some(1)));
        assert_eq!(pairs.take("b").unwrap().value, "x=y");
        assert_eq!(pairs.take("b"), None);
        assert!(!pairs.is_empty());
        assert_eq!(pairs.take_switch("c"), Ok(Some(true)));
        assert_eq!(pairs.finish("?"), Ok(()));
        assert!(KeyValues::split("", "?").unwrap().is_empty());
    }

    #[test]
    fn errors_name_the_word_and_what_was_expected() {
        let error = |text: &str| {
            let read = || {
                let mut pairs = KeyValues::split(text, "a=N")?;
                pairs.take_read("a", "a digit", |value| value.parse::<u8>().ok().filter(|&n| n < 10))?;
                pairs.take_switch("b")?;
                pairs.finish("a=N or b=on|off")
            };
            read().unwrap_err().to_string()
        };
        assert_eq!(error("a"), "\"a\", expected a=N");
        assert_eq!(error("=1"), "\"=1\", expected a=N");
        assert_eq!(error("a=10"), "\"a=10\", expected a digit");
        assert_eq!(error("a="), "\"a=\", expected a digit");
        assert_eq!(error("b=maybe"), "\"b=maybe\", expected on or off");
        assert_eq!(error("a=1,a=2"), "\"a=2\", expected a only once");
        assert_eq!(error("a=1,c=2"), "\"c=2\", expected a=N or b=on|off");
        assert!(error(&"x".repeat(1000)).len() < 150);
    }
}
