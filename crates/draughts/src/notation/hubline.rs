//! Lines of the Hub protocol as other programs write them: a command and arguments, `name=value`, `name="a value"` or a bare
//! `name`. Malformed lines are read as far as possible.

/// Quotes a value if it needs quotes.
#[must_use]
pub fn quoted(value: &str) -> String {
    let plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
    if plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "'")) }
}

/// Splits a line into its command and its arguments; a flag has an empty value.
#[must_use]
pub fn split(line: &str) -> (&str, Arguments<'_>) {
    let line = line.trim();
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (command, Arguments(rest))
}

/// The arguments of a line, as names and values.
#[derive(Clone, Debug)]
pub struct Arguments<'a>(&'a str);

impl<'a> Iterator for Arguments<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.0.trim_start();
        if text.is_empty() {
            return None;
        }
        let end = text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end)?;
        let Some(value) = rest.strip_prefix('=') else {
            self.0 = rest;
            return Some((name, ""));
        };
        let (value, rest) = match value.strip_prefix('"') {
            Some(open) => open.split_once('"').unwrap_or((open, "")),
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        self.0 = rest;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_outside_quotes() {
        let (command, arguments) = split("id name=\"A B\" version=1.0 flag author=\"x=y\" open=\"z");
        assert_eq!(command, "id");
        let expected = [("name", "A B"), ("version", "1.0"), ("flag", ""), ("author", "x=y"), ("open", "z")];
        assert_eq!(arguments.collect::<Vec<_>>(), expected);
    }
}
