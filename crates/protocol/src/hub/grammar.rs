//! The grammar of commands.

use std::time::Duration;

use nom::Parser;
use nom::character::complete::digit1;
use nom::combinator::{map, map_opt, verify};
use nom::error::context;
use nom::number::complete::double;

use super::line::{self, Argument};
use crate::command::move_list;
use crate::{CommandError, Go};
use draughts::board::Position;
use draughts::notation::syntax::{Expected, Mismatch, Parsed, Quoted, whole};
use draughts::notation::{HubMove, hubposition};

/// Parses a position and the moves played since.
pub(super) fn position(line: &str) -> Result<(Position, Vec<HubMove>), CommandError> {
    let arguments = Arguments::parse(line)?;
    let text = arguments.value("pos")?.ok_or_else(|| arguments.lacks("\"pos=\" and a position"))?;
    let position = hubposition::parse(text)?;
    let moves = arguments.value("moves")?.unwrap_or_default();
    Ok((position, move_list(moves.split_whitespace(), HubMove::parse)?))
}

/// Parses the limits of the next searches.
pub(super) fn level(line: &str) -> Result<Go, CommandError> {
    let arguments = Arguments::parse(line)?;
    let depth = arguments.parsed("depth", from_one)?;
    let nodes = arguments.parsed("nodes", from_one)?;
    let move_time = arguments.parsed("move-time", seconds)?;
    let moves = arguments.parsed("moves", from_one)?;
    let time = arguments.parsed("time", signed_seconds)?;
    let increment = arguments.parsed("inc", seconds)?;
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

/// Parses the mode of a search within a level. An analysis has no clock.
pub(super) fn go(line: &str, level: Go) -> Result<Go, CommandError> {
    let arguments = Arguments::parse(line)?;
    let [think, ponder, analyze] =
        ["think", "ponder", "analyze"].map(|mode| arguments.get(mode).map(|mode| mode.is_some()));
    match (think?, ponder?, analyze?) {
        (true, false, false) => Ok(level),
        (false, true, false) => Ok(Go { ponder: true, ..level }),
        (false, false, true) => {
            Ok(Go { clocks: [None; 2], increments: [None; 2], moves_to_go: None, ..level })
        }
        _ => Err(arguments.lacks("one of think, ponder, analyze")),
    }
}

/// Parses the name of a parameter and its new value.
pub(super) fn assignment(line: &str) -> Result<(&str, Option<&str>), CommandError> {
    let arguments = Arguments::parse(line)?;
    let name = arguments.value("name")?.ok_or_else(|| arguments.lacks("\"name=\" and a parameter's name"))?;
    Ok((name, arguments.value("value")?))
}

/// The arguments of a well-formed line.
struct Arguments<'a> {
    line: &'a str,
    list: Vec<Argument<'a>>,
}

impl<'a> Arguments<'a> {
    fn parse(line: &'a str) -> Result<Self, CommandError> {
        let list: Vec<_> = line::split(line).1.collect();
        match list.iter().find_map(|argument| argument.fault) {
            Some(mismatch) => Err(CommandError::Malformed { line: line.into(), mismatch }),
            None => Ok(Self { line, list }),
        }
    }

    /// Returns the argument with a name, which may be given once.
    fn get(&self, name: &str) -> Result<Option<Argument<'a>>, CommandError> {
        let mut named = self.list.iter().filter(|argument| argument.name == name);
        match (named.next(), named.next()) {
            (_, Some(_)) => {
                Err(CommandError::Failed(format!("\"{name}\" is given twice in {}", Quoted(self.line))))
            }
            (first, None) => Ok(first.copied()),
        }
    }

    fn value(&self, name: &str) -> Result<Option<&'a str>, CommandError> {
        Ok(self.get(name)?.and_then(|argument| argument.value))
    }

    /// Returns the value of an argument, if it is given, as a rule parses it.
    fn parsed<T>(
        &self,
        name: &str,
        rule: impl Fn(&'a str) -> Parsed<'a, T>,
    ) -> Result<Option<T>, CommandError> {
        let Some(Argument { value, at, .. }) = self.get(name)? else { return Ok(None) };
        whole(rule, value.unwrap_or_default()).map(Some).map_err(|Mismatch { at: further, expected }| {
            let mismatch = Mismatch { at: at + further, expected };
            CommandError::Malformed { line: self.line.into(), mismatch }
        })
    }

    /// Returns the error for a line that lacks an argument.
    fn lacks(&self, expected: &'static str) -> CommandError {
        let mismatch = Mismatch { at: self.line.len(), expected };
        CommandError::Malformed { line: self.line.into(), mismatch }
    }
}

fn from_one(input: &str) -> Parsed<'_, u64> {
    let number = map_opt(digit1, |digits: &str| digits.parse().ok());
    context("a whole number from 1", verify(number, |&number| number > 0)).parse(input)
}

/// Parses seconds, which are negative for a clock that has run out.
fn signed_seconds(input: &str) -> Parsed<'_, f64> {
    context("seconds", verify(double::<_, Expected<'_>>, |seconds: &f64| seconds.is_finite())).parse(input)
}

fn seconds(input: &str) -> Parsed<'_, Duration> {
    context("seconds from 0", map(verify(signed_seconds, |&seconds| seconds >= 0.0), duration)).parse(input)
}

/// Converts seconds to a duration of at most thirty years.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9)).unwrap_or_default()
}
