//! The grammar of commands: a word and arguments, `name=value`, `name="a value"` or a bare `name`, in any
//! order.

use std::time::Duration;

use nom::Parser;
use nom::combinator::{map, verify};
use nom::error::context;
use nom::number::complete::double;

use super::hubposition;
use crate::{CommandError, GoParams};
use kelso_draughts::board::Position;
use kelso_syntax::grammar::{Expected, Parsed, whole, whole_number};
use kelso_syntax::{SyntaxError, SyntaxFault};

/// Formats a value, in quotes if it needs them.
pub(super) fn quoted(value: &str) -> String {
    let is_plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
    if is_plain { value.to_owned() } else { in_quotes(value) }
}

/// Formats a value in quotes. Hub has no escapes, so quotes within it become apostrophes, as do escaped
/// quotes.
pub(super) fn in_quotes(value: &str) -> String {
    format!("\"{}\"", value.replace("\\\"", "'").replace('"', "'"))
}

#[derive(Clone, Debug)]
pub(super) struct HubLine<'a> {
    text: &'a str,
    pub(super) command: &'a str,
    arguments: Vec<Argument<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Argument<'a> {
    name: &'a str,
    value: Option<&'a str>,
    /// The position of the value in the line.
    at: usize,
    /// The position where the argument is malformed.
    fault: Option<SyntaxFault>,
}

impl<'a> HubLine<'a> {
    pub(super) fn split(text: &'a str) -> Self {
        let (command, mut rest) = split_before(text.trim_start(), char::is_whitespace);
        let mut arguments = Vec::new();
        while let Some((argument, after)) = Argument::split(rest.trim_start(), text.len()) {
            arguments.push(argument);
            rest = after;
        }
        Self { text, command, arguments }
    }

    /// Returns the last value with a given name, which is empty for a flag. Used by clients, which must
    /// tolerate any output of an engine.
    pub(super) fn last(&self, name: &str) -> Option<&'a str> {
        let argument = self.arguments.iter().rfind(|argument| argument.name == name)?;
        Some(argument.text())
    }

    /// Rejects a line with a malformed argument.
    pub(super) fn checked(self) -> Result<Self, CommandError> {
        match self.arguments.iter().find_map(|argument| argument.fault) {
            Some(fault) => Err(self.malformed(fault)),
            None => Ok(self),
        }
    }

    /// Returns the argument with a given name. It may be given only once.
    fn get(&self, name: &str) -> Result<Option<Argument<'a>>, CommandError> {
        let mut named = self.arguments.iter().filter(|argument| argument.name == name);
        match (named.next(), named.next()) {
            (_, Some(_)) => Err(CommandError::Repeated { name: name.into(), line: self.text.into() }),
            (first, None) => Ok(first.copied()),
        }
    }

    fn has(&self, name: &str) -> Result<bool, CommandError> {
        Ok(self.get(name)?.is_some())
    }

    fn value(&self, name: &str) -> Result<Option<&'a str>, CommandError> {
        Ok(self.get(name)?.and_then(|argument| argument.value))
    }

    /// Parses the value of an argument, if present, with a grammar rule.
    fn parsed<T>(
        &self,
        name: &str,
        rule: impl Fn(&'a str) -> Parsed<'a, T>,
    ) -> Result<Option<T>, CommandError> {
        let Some(argument) = self.get(name)? else { return Ok(None) };
        whole("command", rule, argument.text()).map(Some).map_err(|SyntaxError { fault, .. }| {
            self.malformed(SyntaxFault { at: argument.at + fault.at, ..fault })
        })
    }

    fn lacks(&self, expected: &'static str) -> CommandError {
        self.malformed(SyntaxFault { at: self.text.len(), expected })
    }

    fn malformed(&self, fault: SyntaxFault) -> CommandError {
        fault.error("command", self.text).into()
    }
}

/// Splits text before the first character that `ends` accepts.
fn split_before(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

impl<'a> Argument<'a> {
    /// Returns the value, which is empty for a flag.
    fn text(&self) -> &'a str {
        self.value.unwrap_or_default()
    }

    /// Splits the first argument, if any, from the rest of a line. `length` is the length of the whole line.
    fn split(rest: &'a str, length: usize) -> Option<(Self, &'a str)> {
        let (name, after) = split_before(rest, |c| c.is_whitespace() || c == '=');
        let Some(start) = after.strip_prefix('=') else {
            let flag = Self { name, value: None, at: length - after.len(), fault: None };
            return (!name.is_empty()).then_some((flag, after));
        };
        let quoted = start.strip_prefix('"');
        let start = quoted.unwrap_or(start);
        let (value, after) =
            split_before(start, |c| if quoted.is_some() { c == '"' } else { c.is_whitespace() });
        let (after, expected) = match after.strip_prefix('"') {
            None if quoted.is_some() => (after, Some("a closing quote")),
            closed => {
                let after = closed.unwrap_or(after);
                let separated = after.is_empty() || after.starts_with(char::is_whitespace);
                (after, (!separated).then_some("a space"))
            }
        };
        let fault = expected.map(|expected| SyntaxFault { at: length - after.len(), expected });
        Some((Self { name, value: Some(value), at: length - start.len(), fault }, after))
    }
}

/// Returns the position, and the text of the moves that follow it.
pub(super) fn position<'a>(line: &HubLine<'a>) -> Result<(Position, &'a str), CommandError> {
    let text = line.value("pos")?.ok_or_else(|| line.lacks("\"pos=\" and a position"))?;
    let position = hubposition::parse(text)?;
    Ok((position, line.value("moves")?.unwrap_or_default()))
}

/// Parses the limits of the next searches.
pub(super) fn level(line: &HubLine<'_>) -> Result<GoParams, CommandError> {
    let depth = line.parsed("depth", from_one)?;
    let nodes = line.parsed("nodes", from_one)?;
    let move_time = line.parsed("move-time", seconds)?;
    let moves = line.parsed("moves", from_one)?;
    let time = line.parsed("time", signed_seconds)?;
    let increment = line.parsed("inc", seconds)?;
    let infinite = line.has("infinite")?;
    if time.is_none() && (moves.is_some() || increment.is_some()) {
        return Err(line.lacks("\"time=\" and seconds"));
    }
    if !infinite && depth.is_none() && nodes.is_none() && move_time.is_none() && time.is_none() {
        return Err(line.lacks("one of depth, nodes, move-time, time, infinite"));
    }
    let clock = time.map(|time| duration(time + increment.map_or(0.0, |increment| increment.as_secs_f64())));
    Ok(GoParams {
        depth: depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)),
        nodes,
        move_time,
        infinite,
        clocks: [clock; 2],
        increments: [increment; 2],
        moves_to_go: moves.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        ..GoParams::default()
    })
}

/// Parses the mode of a search, given the level. An analysis has no clock.
pub(super) fn go(line: &HubLine<'_>, level: GoParams) -> Result<GoParams, CommandError> {
    match (line.has("think")?, line.has("ponder")?, line.has("analyze")?) {
        (true, false, false) => Ok(level),
        (false, true, false) => Ok(level.pondering()),
        (false, false, true) => {
            Ok(GoParams { clocks: [None; 2], increments: [None; 2], moves_to_go: None, ..level })
        }
        _ => Err(line.lacks("one of think, ponder, analyze")),
    }
}

/// Parses the name of a parameter and its new value.
pub(super) fn assignment<'a>(line: &HubLine<'a>) -> Result<(&'a str, Option<&'a str>), CommandError> {
    let name = line.value("name")?.ok_or_else(|| line.lacks("\"name=\" and a parameter's name"))?;
    Ok((name, line.value("value")?))
}

fn from_one(input: &str) -> Parsed<'_, u64> {
    context("a whole number, at least 1", verify(whole_number, |&number| number > 0)).parse(input)
}

/// Parses seconds, which are negative for a clock that has run out.
fn signed_seconds(input: &str) -> Parsed<'_, f64> {
    context("seconds", verify(double::<_, Expected<'_>>, |seconds: &f64| seconds.is_finite())).parse(input)
}

fn seconds(input: &str) -> Parsed<'_, Duration> {
    context(
        "a number of seconds, at least 0",
        map(verify(signed_seconds, |&seconds| seconds >= 0.0), duration),
    )
    .parse(input)
}

/// Converts a finite number of seconds to a duration of at most thirty years.
fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_outside_quotes() {
        let line = HubLine::split(" id name=\"A B\" version=1.0 flag author=\"x=y\"z open=\"z ");
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

    #[test]
    fn values_are_quoted_only_if_they_need_it() {
        for (value, expected) in
            [("a", "a"), ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""), ("a\"b", "\"a'b\"")]
        {
            assert_eq!(quoted(value), expected);
        }
    }

    #[test]
    fn an_analysis_has_no_clock() {
        let second = Some(Duration::from_secs(1));
        let unclocked = GoParams { depth: Some(3), ..GoParams::default() };
        let (clocks, increments) = ([second; 2], [second; 2]);
        let level = GoParams { clocks, increments, moves_to_go: Some(5), ..unclocked.clone() };
        let parsed = |text| go(&HubLine::split(text), level.clone());
        assert_eq!(parsed("go think").unwrap(), level.clone());
        assert_eq!(parsed("go ponder").unwrap(), level.clone().pondering());
        assert_eq!(parsed("go analyze").unwrap(), unclocked);
        assert!(parsed("go").is_err() && parsed("go think ponder").is_err());
    }
}
