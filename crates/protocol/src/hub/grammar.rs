//! The grammar of lines: a command and arguments, `name=value`, `name="a value"` or a bare `name`, in any order.
//! Pure: a line in, what it says out.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_till1};
use nom::character::complete::{char, digit1, multispace0, multispace1};
use nom::combinator::{cut, map, map_opt, opt, verify};
use nom::error::context;
use nom::multi::many0;
use nom::number::complete::double;
use nom::sequence::{preceded, terminated};

use super::Mode;
use crate::{CommandError, Go};
use draughts::board::Position;
use draughts::notation::syntax::{Expected, Mismatch, Parsed, whole};
use draughts::notation::{HubMove, hubposition};

/// The first word of a line.
pub(super) fn command(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// A position, and the moves from there.
pub(super) fn position(line: &str) -> Result<(Position, Vec<HubMove>), CommandError> {
    let arguments = Arguments::of(line)?;
    let Some(text) = arguments.get("pos")?.and_then(|argument| argument.value) else {
        return Err(arguments.lacks("\"pos=\" and a position"));
    };
    let position = hubposition::parse(text).map_err(CommandError::HubPosition)?;
    let moves = arguments.get("moves")?.and_then(|argument| argument.value).unwrap_or_default();
    let read =
        |(index, word)| HubMove::parse(word).map_err(|error| CommandError::Move { number: index + 1, error });
    let moves = moves.split_whitespace().enumerate().map(read).collect::<Result<_, _>>()?;
    Ok((position, moves))
}

/// The limits of the searches to come.
pub(super) fn level(line: &str) -> Result<Go, CommandError> {
    let arguments = Arguments::of(line)?;
    let depth = arguments.read("depth", from_one)?;
    let nodes = arguments.read("nodes", from_one)?;
    let move_time = arguments.read("move-time", seconds)?;
    let moves = arguments.read("moves", from_one)?;
    let time = arguments.read("time", signed_seconds)?;
    let increment = arguments.read("inc", seconds)?;
    let infinite = arguments.get("infinite")?.is_some();
    if time.is_none() && (moves.is_some() || increment.is_some()) {
        return Err(arguments.lacks("\"time=\" and seconds"));
    }
    if !infinite && depth.is_none() && nodes.is_none() && move_time.is_none() && time.is_none() {
        return Err(arguments.lacks("one of depth, nodes, move-time, time, infinite"));
    }
    let clock = time.map(|time| duration(time + increment.unwrap_or_default().as_secs_f64()));
    Ok(Go {
        depth: depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)),
        nodes,
        move_time,
        infinite,
        clocks: [clock; 2],
        increments: [increment; 2],
        moves_to_go: moves.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        ..Go::default()
    })
}

/// What a `go` is for.
pub(super) fn mode(line: &str) -> Result<Mode, CommandError> {
    let arguments = Arguments::of(line)?;
    let modes = [("think", Mode::Think), ("ponder", Mode::Ponder), ("analyze", Mode::Analyze)];
    let mut named = Vec::new();
    for (name, mode) in modes {
        named.extend(arguments.get(name)?.map(|_| mode));
    }
    match named[..] {
        [mode] => Ok(mode),
        _ => Err(arguments.lacks("one of think, ponder, analyze")),
    }
}

/// A parameter's name, and what it shall be.
pub(super) fn assignment(line: &str) -> Result<(&str, Option<&str>), CommandError> {
    let arguments = Arguments::of(line)?;
    let Some(name) = arguments.get("name")?.and_then(|argument| argument.value) else {
        return Err(arguments.lacks("\"name=\" and a parameter's name"));
    };
    Ok((name, arguments.get("value")?.and_then(|argument| argument.value)))
}

#[derive(Clone, Copy, Debug)]
struct Argument<'a> {
    name: &'a str,
    value: Option<&'a str>,
    /// Where the value begins in the line, or would.
    at: usize,
}

struct Arguments<'a> {
    line: &'a str,
    list: Vec<Argument<'a>>,
}

impl<'a> Arguments<'a> {
    fn of(line: &'a str) -> Result<Self, CommandError> {
        let argument = preceded(multispace1, |input| argument(line.len(), input));
        let list = whole(preceded(word, terminated(many0(argument), multispace0)), line)
            .map_err(|mismatch| CommandError::Malformed { line: line.into(), mismatch })?;
        Ok(Self { line, list })
    }

    /// The argument with a name, which may stand once.
    fn get(&self, name: &str) -> Result<Option<Argument<'a>>, CommandError> {
        let mut named = self.list.iter().filter(|argument| argument.name == name);
        match (named.next(), named.next()) {
            (_, Some(_)) => Err(CommandError::Repeated { line: self.line.into(), word: name.into() }),
            (first, None) => Ok(first.copied()),
        }
    }

    /// The value of an argument, if it stands there.
    fn read<T>(
        &self,
        name: &str,
        rule: impl Fn(&'a str) -> Parsed<'a, T>,
    ) -> Result<Option<T>, CommandError> {
        let Some(Argument { value, at, .. }) = self.get(name)? else { return Ok(None) };
        match whole(rule, value.unwrap_or_default()) {
            Ok(value) => Ok(Some(value)),
            Err(Mismatch { at: further, expected }) => Err(CommandError::Malformed {
                line: self.line.into(),
                mismatch: Mismatch { at: at + further, expected },
            }),
        }
    }

    /// The error of a line that ends without something.
    fn lacks(&self, expected: &'static str) -> CommandError {
        let mismatch = Mismatch { at: self.line.len(), expected };
        CommandError::Malformed { line: self.line.into(), mismatch }
    }
}

fn word(input: &str) -> Parsed<'_, &str> {
    take_till1(char::is_whitespace).parse(input)
}

fn argument(length: usize, input: &str) -> Parsed<'_, Argument<'_>> {
    let (after, name) = take_till(|c: char| c.is_whitespace() || c == '=').parse(input)?;
    // An empty name is one that nobody knows, but there must be something.
    let (after, equals) =
        if name.is_empty() { map(char('='), Some).parse(after) } else { opt(char('=')).parse(after) }?;
    if equals.is_none() {
        return Ok((after, Argument { name, value: None, at: length - after.len() }));
    }
    let quoted =
        preceded(char('"'), terminated(take_till(|c| c == '"'), context("a closing quote", cut(char('"')))));
    let bare = take_till(char::is_whitespace);
    let at = length - after.len() + usize::from(after.starts_with('"'));
    map(alt((quoted, bare)), move |value| Argument { name, value: Some(value), at }).parse(after)
}

fn from_one(input: &str) -> Parsed<'_, u64> {
    let number = map_opt(digit1, |digits: &str| digits.parse().ok());
    context("a whole number from 1", verify(number, |&number| number > 0)).parse(input)
}

/// Seconds, which a clock may be short of.
fn signed_seconds(input: &str) -> Parsed<'_, f64> {
    context("seconds", verify(double::<_, Expected<'_>>, |seconds: &f64| seconds.is_finite())).parse(input)
}

fn seconds(input: &str) -> Parsed<'_, Duration> {
    context("seconds from 0", map(verify(signed_seconds, |&seconds| seconds >= 0.0), duration)).parse(input)
}

/// So many seconds: at least none, and no more than anyone can wait.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9)).unwrap_or_default()
}
