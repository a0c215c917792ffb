//! Lists of `KEY=VALUE` words. Errors name the word and what was expected.
//!
//! Split a list, take each known key, then call [`KeyValues::finish`], which rejects any remaining words.
//!
//! ```
//! use kelso_syntax::WordError;
//! use kelso_text::keyvalue::KeyValues;
//!
//! fn size(text: &str) -> Result<(u32, bool), WordError> {
//!     let expected = "width=N or border=on|off, joined by commas";
//!     let mut pairs = KeyValues::split(text, expected)?;
//!     let width = pairs.take_read("width", "a number of pixels", |text| text.parse().ok())?.unwrap_or(100);
//!     let border = pairs.take_switch("border")?.unwrap_or(false);
//!     pairs.finish(expected)?;
//!     Ok((width, border))
//! }
//!
//! assert_eq!(size("border=on,width=40"), Ok((40, true)));
//! assert_eq!(
//!     size("width=wide").unwrap_err().to_string(),
//!     "invalid setting \"width=wide\": expected a number of pixels"
//! );
//! assert_eq!(
//!     size("height=9").unwrap_err().to_string(),
//!     "invalid setting \"height=9\": expected width=N or border=on|off, joined by commas"
//! );
//! ```

use std::fmt;
use std::str::FromStr;

use kelso_syntax::WordError;

/// A word of the form `KEY=VALUE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyValue<'a> {
    /// The whole word.
    pub word: &'a str,
    /// The text before the first `=`.
    pub key: &'a str,
    /// The text after the first `=`.
    pub value: &'a str,
}

impl<'a> KeyValue<'a> {
    /// Splits a word.
    ///
    /// # Errors
    ///
    /// If there is no `=` or the key is empty.
    pub fn split(word: &'a str, expected: impl fmt::Display) -> Result<Self, WordError> {
        match word.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok(Self { word, key, value }),
            _ => Err(WordError::invalid("setting", word, expected.to_string())),
        }
    }

    /// Returns an error that says what was expected.
    pub fn wrong(&self, expected: impl fmt::Display) -> WordError {
        WordError::invalid("setting", self.word, expected.to_string())
    }

    /// Parses the value with a function.
    ///
    /// # Errors
    ///
    /// If `read` returns `None`.
    pub fn read<T>(
        &self,
        expected: impl fmt::Display,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, WordError> {
        read(self.value).ok_or_else(|| self.wrong(expected))
    }

    pub fn parsed<T: FromStr>(&self, expected: impl fmt::Display) -> Result<T, WordError> {
        self.read(expected, |value| value.parse().ok())
    }

    /// Parses `on` or `off`.
    ///
    /// # Errors
    ///
    /// If the value is neither.
    pub fn switch(&self) -> Result<bool, WordError> {
        self.read("on or off", |value| match value {
            "on" | "true" | "yes" => Some(true),
            "off" | "false" | "no" => Some(false),
            _ => None,
        })
    }
}

/// A list of words that are taken one by one.
#[derive(Clone, Debug)]
pub struct KeyValues<'a>(Vec<KeyValue<'a>>);

impl<'a> KeyValues<'a> {
    /// Splits a list of words at commas or white space.
    ///
    /// # Errors
    ///
    /// If a word is not `KEY=VALUE` or a key occurs twice.
    pub fn split(text: &'a str, expected: impl fmt::Display) -> Result<Self, WordError> {
        let mut pairs: Vec<KeyValue<'a>> = Vec::new();
        for word in text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()) {
            let pair = KeyValue::split(word, &expected)?;
            if pairs.iter().any(|other| other.key == pair.key) {
                return Err(pair.wrong(format_args!("only one {}", pair.key)));
            }
            pairs.push(pair);
        }
        Ok(Self(pairs))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes a key from the list and returns its word.
    pub fn take(&mut self, key: &str) -> Option<KeyValue<'a>> {
        let index = self.0.iter().position(|pair| pair.key == key)?;
        Some(self.0.remove(index))
    }

    /// Removes a key from the list and parses its value with a function.
    ///
    /// # Errors
    ///
    /// If `read` returns `None`.
    pub fn take_read<T>(
        &mut self,
        key: &str,
        expected: impl fmt::Display,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, WordError> {
        self.take(key).map(|pair| pair.read(expected, read)).transpose()
    }

    /// Removes a key from the list and parses its value, `on` or `off`.
    ///
    /// # Errors
    ///
    /// If the value is neither.
    pub fn take_switch(&mut self, key: &str) -> Result<Option<bool>, WordError> {
        self.take(key).map(|pair| pair.switch()).transpose()
    }

    /// Checks that no words are left.
    ///
    /// # Errors
    ///
    /// If any words are left.
    pub fn finish(self, expected: impl fmt::Display) -> Result<(), WordError> {
        self.0.first().map_or(Ok(()), |pair| Err(pair.wrong(expected)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_by_their_keys() {
        let mut pairs = KeyValues::split(" a=1,b=x=y  c=on\t", "?").unwrap();
        assert_eq!(pairs.take_read("a", "?", |text| text.parse::<u8>().ok()), Ok(Some(1)));
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
        assert_eq!(error("a"), "invalid setting \"a\": expected a=N");
        assert_eq!(error("=1"), "invalid setting \"=1\": expected a=N");
        assert_eq!(error("a=10"), "invalid setting \"a=10\": expected a digit");
        assert_eq!(error("a="), "invalid setting \"a=\": expected a digit");
        assert_eq!(error("b=maybe"), "invalid setting \"b=maybe\": expected on or off");
        assert_eq!(error("a=1,a=2"), "invalid setting \"a=2\": expected only one a");
        assert_eq!(error("a=1,c=2"), "invalid setting \"c=2\": expected a=N or b=on|off");
        assert!(error(&"x".repeat(1000)).len() < 150);
    }
}
