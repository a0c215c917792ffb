//! The parts of a line: a command and arguments, `name=value`, `name="a value"` or a bare `name`, in any order.

use crate::CommandError;
use draughts::notation::syntax::{Mismatch, Parsed, Quoted, whole};

/// Formats a value, in quotes if it needs them.
pub(super) fn quoted(value: &str) -> String {
    let plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
    if plain { value.to_owned() } else { in_quotes(value) }
}

/// Formats a value in quotes, which cannot hold quotes.
pub(super) fn in_quotes(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "'"))
}

/// A line in parts.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    text: &'a str,
    pub(super) command: &'a str,
    arguments: Vec<Argument<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Argument<'a> {
    name: &'a str,
    value: Option<&'a str>,
    /// The place of the value in the line.
    at: usize,
    /// The place where the argument is malformed.
    fault: Option<Mismatch>,
}

impl<'a> Line<'a> {
    pub(super) fn split(text: &'a str) -> Self {
        let mut cursor = Cursor { text, at: 0 };
        cursor.take_until(|c| !c.is_whitespace());
        let command = cursor.take_until(char::is_whitespace);
        Self { text, command, arguments: std::iter::from_fn(|| cursor.argument()).collect() }
    }

    /// Returns the last value with a name; a flag has an empty one. For a client, to which engines may print anything.
    pub(super) fn last(&self, name: &str) -> Option<&'a str> {
        let argument = self.arguments.iter().rfind(|argument| argument.name == name)?;
        Some(argument.value.unwrap_or_default())
    }

    /// Refuses a line with a malformed argument.
    pub(super) fn checked(self) -> Result<Self, CommandError> {
        match self.arguments.iter().find_map(|argument| argument.fault) {
            Some(mismatch) => Err(self.malformed(mismatch)),
            None => Ok(self),
        }
    }

    /// Returns the argument with a name, which may be given once.
    fn get(&self, name: &str) -> Result<Option<Argument<'a>>, CommandError> {
        let mut named = self.arguments.iter().filter(|argument| argument.name == name);
        match (named.next(), named.next()) {
            (_, Some(_)) => {
                Err(CommandError::Failed(format!("\"{name}\" is given twice in {}", Quoted(self.text))))
            }
            (first, None) => Ok(first.copied()),
        }
    }

    pub(super) fn has(&self, name: &str) -> Result<bool, CommandError> {
        Ok(self.get(name)?.is_some())
    }

    pub(super) fn value(&self, name: &str) -> Result<Option<&'a str>, CommandError> {
        Ok(self.get(name)?.and_then(|argument| argument.value))
    }

    /// Returns the value of an argument, if it is given, as a rule parses it.
    pub(super) fn parsed<T>(
        &self,
        name: &str,
        rule: impl Fn(&'a str) -> Parsed<'a, T>,
    ) -> Result<Option<T>, CommandError> {
        let Some(Argument { value, at, .. }) = self.get(name)? else { return Ok(None) };
        whole(rule, value.unwrap_or_default()).map(Some).map_err(|Mismatch { at: further, expected }| {
            self.malformed(Mismatch { at: at + further, expected })
        })
    }

    pub(super) fn lacks(&self, expected: &'static str) -> CommandError {
        self.malformed(Mismatch { at: self.text.len(), expected })
    }

    fn malformed(&self, mismatch: Mismatch) -> CommandError {
        mismatch.of("command", self.text).into()
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Takes the text up to the next character of a kind.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let text = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += text.len();
        text
    }

    /// Takes a character, if it is next.
    fn take(&mut self, character: char) -> bool {
        let found = self.text[self.at..].starts_with(character);
        self.at += if found { character.len_utf8() } else { 0 };
        found
    }

    fn argument(&mut self) -> Option<Argument<'a>> {
        self.take_until(|c| !c.is_whitespace());
        if self.at == self.text.len() {
            return None;
        }
        let name = self.take_until(|c| c.is_whitespace() || c == '=');
        if !self.take('=') {
            return Some(Argument { name, value: None, at: self.at, fault: None });
        }
        let in_quotes = self.take('"');
        let at = self.at;
        let value = Some(self.take_until(|c| if in_quotes { c == '"' } else { c.is_whitespace() }));
        let expected = if in_quotes && !self.take('"') {
            Some("a closing quote")
        } else {
            let separated = self.text[self.at..].chars().next().is_none_or(char::is_whitespace);
            (!separated).then_some("a space")
        };
        let fault = expected.map(|expected| Mismatch { at: self.at, expected });
        Some(Argument { name, value, at, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_outside_quotes() {
        let line = Line::split(" id name=\"A B\" version=1.0 flag author=\"x=y\"z open=\"z ");
        assert_eq!(line.command, "id");
        let found: Vec<_> = line
            .arguments
            .iter()
            .map(|argument| (argument.name, argument.value, argument.fault.map(|fault| fault.expected)))
            .collect();
        let expected = [
            ("name", Some("A B"), None),
            ("version", Some("1.0"), None),
            ("flag", None, None),
            ("author", Some("x=y"), Some("a space")),
            ("z", None, None),
            ("open", Some("z "), Some("a closing quote")),
        ];
        assert_eq!(found, expected);
    }
}
