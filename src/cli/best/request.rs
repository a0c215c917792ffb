//! Requests: a position with moves, and what to search.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use serde::Deserialize;
use serde_json::Value;

use kelso_draughts::board::{Game, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_engine::search::{Limits, MAX_DEPTH, TimeLimit};
use kelso_engine::{Level, MAX_LINES};
use kelso_transcripts::MAX_TIMEOUT;

/// What to search unless a request says otherwise.
#[derive(Clone, Debug)]
pub(super) struct Defaults {
    pub(super) limits: Limits,
    pub(super) lines: usize,
    pub(super) level: Option<Level>,
    /// Ends every search, whatever a request asks for.
    pub(super) max_time: Option<Duration>,
}

#[derive(Clone, Debug)]
pub(super) struct SearchRequest {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) lines: usize,
    pub(super) level: Option<Level>,
}

/// The members of a line of JSON.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct RequestLine {
    /// Returned with the answer.
    #[serde(rename = "id")]
    _id: Value,
    fen: Value,
    moves: Value,
    depth: Value,
    nodes: Value,
    /// Seconds.
    time: Value,
    lines: Value,
    level: Value,
    stop: Value,
}

/// What a line asks for.
#[derive(Debug)]
pub(super) enum BestCommand {
    Search(Box<SearchRequest>),
    /// To end the searches with the same `id`.
    Stop,
}

impl Defaults {
    pub(super) fn search(&self, game: Game) -> SearchRequest {
        let Self { ref limits, lines, level, max_time } = *self;
        SearchRequest { game, limits: at_most(limits.clone(), max_time), lines, level }
    }

    /// Reads a FEN, or `startpos`.
    pub(super) fn of_fen(&self, text: &str) -> anyhow::Result<SearchRequest> {
        Ok(self.search(Game::new(position(text)?)))
    }

    pub(super) fn of_json(&self, value: &Value) -> anyhow::Result<BestCommand> {
        let members = value.as_object().context("expected an object, such as {\"fen\": \"startpos\"}")?;
        // It would be taken for a member that is not there.
        if let Some((name, _)) = members.iter().find(|(name, value)| value.is_null() && *name != "id") {
            bail!("{name}: expected a value, not null");
        }
        let line = RequestLine::deserialize(value)?;
        if member("stop", &line.stop, "true or false")? == Some(true) {
            return Ok(BestCommand::Stop);
        }
        let start: Option<String> = member("fen", &line.fen, "a string")?;
        let moves: Option<Vec<String>> = member("moves", &line.moves, "a list of strings")?;
        let start = start.map_or_else(|| Ok(Position::start()), |text| position(&text))?;
        let mut request = self.search(played(start, &moves.unwrap_or_default())?);
        if let Some(limits) = line.limits()? {
            request.limits = at_most(limits, self.max_time);
        }
        if let Some(lines) = number("lines", &line.lines, 1..=MAX_LINES)? {
            request.lines = lines;
        }
        if let Some(level) = number("level", &line.level, 0..=Level::HIGHEST)? {
            request.level = Level::new(level);
        }
        Ok(BestCommand::Search(Box::new(request)))
    }
}

impl RequestLine {
    fn limits(&self) -> anyhow::Result<Option<Limits>> {
        let depth = number("depth", &self.depth, 1..=MAX_DEPTH)?;
        let nodes = number("nodes", &self.nodes, 1..=u64::MAX)?;
        let mut limits = Limits { depth, nodes, ..Limits::default() };
        if let Some(seconds) = member("time", &self.time, "a number of seconds")? {
            let time = Duration::try_from_secs_f64(seconds).ok();
            let time = time.filter(|time| !time.is_zero() && *time <= MAX_TIMEOUT);
            let time = time.with_context(|| {
                format!("time: expected a number of seconds, above 0 and at most {}", MAX_TIMEOUT.as_secs())
            })?;
            limits.time = Some(TimeLimit::Exact(time));
        }
        Ok(limits.is_set().then_some(limits))
    }
}

/// Adds the maximum time of a search to its limits.
fn at_most(limits: Limits, max_time: Option<Duration>) -> Limits {
    let time = limits.exact_time().into_iter().chain(max_time).min();
    Limits { time: time.map(TimeLimit::Exact), ..limits }
}

/// Reads a member, or returns `None` if it is missing.
fn member<'a, T: Deserialize<'a>>(name: &str, value: &'a Value, expected: &str) -> anyhow::Result<Option<T>> {
    Option::deserialize(value).map_err(|_| anyhow!("{name}: expected {expected}"))
}

fn position(text: &str) -> anyhow::Result<Position> {
    match text.trim() {
        "startpos" => Ok(Position::start()),
        text => Ok(fen::parse(text)?),
    }
}

fn played(start: Position, moves: &[String]) -> anyhow::Result<Game> {
    let moves = movetext::parse_moves(&start, moves)?;
    let mut game = Game::new(start);
    for mv in moves {
        game.play(mv);
    }
    Ok(game)
}

fn number<'a, T: Deserialize<'a> + PartialOrd + Display>(
    name: &str,
    value: &'a Value,
    range: RangeInclusive<T>,
) -> anyhow::Result<Option<T>> {
    let number = member(name, value, "a whole number")?;
    let (start, end) = (range.start(), range.end());
    ensure!(
        number.as_ref().is_none_or(|number| range.contains(number)),
        "{name}: expected a whole number from {start} to {end}"
    );
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(line: &Value) -> anyhow::Result<BestCommand> {
        Defaults { limits: Limits::nodes(100), lines: 1, level: None, max_time: None }.of_json(line)
    }

    #[test]
    fn a_request_keeps_the_defaults_that_it_does_not_name() {
        let BestCommand::Search(request) = read(&json!({ "id": [1] })).unwrap() else { panic!("a stop") };
        assert_eq!(request.limits, Limits::nodes(100));
        assert_eq!(request.lines, 1);
        assert_eq!(request.level, None);
        let line = json!({ "moves": ["11-15", "23-19"], "depth": 5, "lines": 3, "level": 2 });
        let BestCommand::Search(request) = read(&line).unwrap() else { panic!("a stop") };
        assert_eq!(request.limits, Limits::depth(5));
        assert_eq!(request.lines, 3);
        assert_eq!(request.level.map(Level::number), Some(2));
        assert_eq!(request.game.moves().len(), 2);
        assert!(matches!(read(&json!({ "id": 1, "stop": true })).unwrap(), BestCommand::Stop));
    }

    #[test]
    fn no_request_exceeds_the_maximum_time() {
        let defaults = Defaults {
            limits: Limits::nodes(100),
            lines: 1,
            level: None,
            max_time: Some(Duration::from_secs(2)),
        };
        for (line, seconds) in [
            (json!({}), 2),
            (json!({ "nodes": u64::MAX }), 2),
            (json!({ "time": 1000 }), 2),
            (json!({ "time": 1 }), 1),
        ] {
            let BestCommand::Search(request) = defaults.of_json(&line).unwrap() else { panic!("a stop") };
            assert_eq!(request.limits.time, Some(TimeLimit::Exact(Duration::from_secs(seconds))), "{line}");
        }
    }

    #[test]
    fn wrong_requests_are_named() {
        for (line, error) in [
            (json!(5), "expected an object"),
            (json!({ "fne": "startpos" }), "unknown field `fne`"),
            (json!({ "fen": "W:W99:B1" }), "99"),
            (json!({ "moves": ["11-15", "11-15"] }), "move 2: "),
            (json!({ "nodes": 0 }), "nodes: expected a whole number from 1"),
            (json!({ "nodes": -1 }), "nodes: expected a whole number"),
            (json!({ "fen": null }), "fen: expected a value, not null"),
            (json!({ "fen": 5 }), "fen: expected a string"),
            (json!({ "moves": "11-15" }), "moves: expected a list of strings"),
            (json!({ "time": -1 }), "time: expected a number of seconds"),
            (json!({ "time": 1e300 }), "time: expected a number of seconds"),
            (json!({ "depth": 128 }), "depth: expected a whole number from 1 to 127"),
            (json!({ "lines": 0 }), "lines: expected a whole number from 1 to 256"),
            (json!({ "level": 11 }), "level: expected a whole number from 0 to 10"),
        ] {
            let message = read(&line).unwrap_err().to_string();
            assert!(message.contains(error), "{message}");
        }
    }
}
