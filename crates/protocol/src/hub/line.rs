//! The parts of a line: a command and arguments, `name=value`, `name="a value"` or a bare `name`, in any order.

use draughts::notation::syntax::Mismatch;

/// Splits a line into its command and its arguments.
pub(super) fn split(line: &str) -> (&str, Arguments<'_>) {
    let begin = line.len() - line.trim_start().len();
    let end = line[begin..].find(char::is_whitespace).map_or(line.len(), |length| begin + length);
    (&line[begin..end], Arguments { line, at: end })
}

/// Formats a value, in quotes if it needs them.
pub(super) fn quoted(value: &str) -> String {
    let plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
    if plain { value.to_owned() } else { in_quotes(value) }
}

/// Formats a value in quotes, which cannot hold quotes.
pub(super) fn in_quotes(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "'"))
}

/// An argument of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Argument<'a> {
    pub(super) name: &'a str,
    pub(super) value: Option<&'a str>,
    /// The place of the value in the line.
    pub(super) at: usize,
    /// The place where the argument is malformed. A client ignores that, since engines may print anything.
    pub(super) fault: Option<Mismatch>,
}

/// The arguments of a line.
#[derive(Clone, Debug)]
pub(super) struct Arguments<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Arguments<'a> {
    /// Takes the text up to the next character of a kind.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.line[self.at..];
        let text = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += text.len();
        text
    }

    /// Takes a character, if it is next.
    fn take(&mut self, character: char) -> bool {
        let found = self.line[self.at..].starts_with(character);
        self.at += if found { character.len_utf8() } else { 0 };
        found
    }
}

impl<'a> Iterator for Arguments<'a> {
    type Item = Argument<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.take_until(|c| !c.is_whitespace());
        if self.at == self.line.len() {
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
            let separated = self.line[self.at..].chars().next().is_none_or(char::is_whitespace);
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
        let (command, arguments) = split(" id name=\"A B\" version=1.0 flag author=\"x=y\"z open=\"z ");
        assert_eq!(command, "id");
        let found: Vec<_> = arguments
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
