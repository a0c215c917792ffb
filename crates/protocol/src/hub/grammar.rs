//! The grammar of commands.

use std::time::Duration;

use nom::Parser;
use nom::character::complete::digit1;
use nom::combinator::{map, map_opt, verify};
use nom::error::context;
use nom::number::complete::double;

use super::line::Line;
use crate::command::move_list;
use crate::{CommandError, Go};
use draughts::board::Position;
use draughts::notation::syntax::{Expected, Parsed};
use draughts::notation::{HubMove, hubposition};

pub(super) fn position(line: &Line<'_>) -> Result<(Position, Vec<HubMove>), CommandError> {
    let text = line.value("pos")?.ok_or_else(|| line.lacks("\"pos=\" and a position"))?;
    let position = hubposition::parse(text).map_err(CommandError::failed)?;
    let moves = line.value("moves")?.unwrap_or_default();
    Ok((position, move_list(moves.split_whitespace(), HubMove::parse)?))
}

/// Parses the limits of the next searches.
pub(super) fn level(line: &Line<'_>) -> Result<Go, CommandError> {
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
pub(super) fn go(line: &Line<'_>, level: Go) -> Result<Go, CommandError> {
    match (line.has("think")?, line.has("ponder")?, line.has("analyze")?) {
        (true, false, false) => Ok(level),
        (false, true, false) => Ok(Go { ponder: true, ..level }),
        (false, false, true) => {
            Ok(Go { clocks: [None; 2], increments: [None; 2], moves_to_go: None, ..level })
        }
        _ => Err(line.lacks("one of think, ponder, analyze")),
    }
}

/// Parses the name of a parameter and its new value.
pub(super) fn assignment<'a>(line: &Line<'a>) -> Result<(&'a str, Option<&'a str>), CommandError> {
    let name = line.value("name")?.ok_or_else(|| line.lacks("\"name=\" and a parameter's name"))?;
    Ok((name, line.value("value")?))
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
