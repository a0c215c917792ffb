//! Endgame databases over HTTP, in the style of chess tablebase servers.
//!
//! `GET /egdb?fen=` looks up a position with all its moves, `GET /egdb/mainline?fen=` returns the shortest
//! win, and `POST /egdb` takes a JSON array of positions.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

use serde_json::{Value, json};

use super::limits::{MAX_CLIENTS, MAX_POSITIONS};
use crate::query::{QueryError, parameter};
use draughts::board::Position;
use draughts::notation::{fen, movetext};
use draughts::result::{KnownValue, Wdl};
use endgames::Databases;
use engine::Probe;
use runs::pool::lock;

/// A server's databases and the limits for its clients.
#[derive(Debug)]
pub struct Api {
    databases: Databases,
    /// Number of positions per second for each client.
    rate: f64,
    clients: Mutex<HashMap<IpAddr, Allowance>>,
    /// The origins whose pages may read the answers, as a header value.
    pub(super) origins: Option<String>,
}

/// The remaining allowance of a client, in positions.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    positions: f64,
    since: Instant,
}

impl Api {
    /// Creates the API with a rate limit per client, in positions per second, and the origins whose pages may read the
    /// answers.
    pub fn new(databases: Databases, rate: u32, origins: Option<String>) -> Self {
        Self { databases, rate: f64::from(rate), clients: Mutex::default(), origins }
    }

    pub(super) fn position(&self, query: &str) -> Result<Value, QueryError> {
        Ok(describe(&self.databases, &position(query)?))
    }

    /// Returns the shortest win from the position of a query, as far as distances are known.
    pub(super) fn mainline(&self, query: &str) -> Result<Value, QueryError> {
        let mut position = position(query)?;
        let (first, mut line) = (position, Vec::new());
        loop {
            let best = Probe::of(&self.databases, &position).best_first().first().copied();
            let Some((mv, Some(ending))) = best.filter(|(_, ending)| distance(*ending).is_some()) else {
                break;
            };
            line.push(
                json!({ "move": movetext::format(&position, mv), "dtw": distance(Some(after(ending))) }),
            );
            position = position.after(mv);
        }
        let ending = Probe::of(&self.databases, &first).ending;
        Ok(json!({ "category": category(ending), "dtw": distance(ending), "mainline": line }))
    }

    pub(super) fn batch(&self, positions: &[Position]) -> Value {
        positions.iter().map(|position| describe(&self.databases, position)).collect()
    }

    /// Counts the positions that a client requests. Returns `false` if the client has exceeded its rate.
    pub(super) fn admits(&self, client: IpAddr, positions: usize) -> bool {
        let now = Instant::now();
        let mut clients = lock(&self.clients);
        if clients.len() >= MAX_CLIENTS {
            // A second without requests restores the full allowance.
            clients.retain(|_, allowance| now.duration_since(allowance.since).as_secs() < 1);
        }
        let full = Allowance { positions: self.rate, since: now };
        let allowance = clients.entry(client).or_insert(full);
        let earned = now.duration_since(allowance.since).as_secs_f64() * self.rate;
        let available = (allowance.positions + earned).min(self.rate);
        #[expect(clippy::cast_precision_loss, reason = "a batch has few positions")]
        let left = available - positions as f64;
        *allowance = Allowance { positions: if left < 0.0 { available } else { left }, since: now };
        left >= 0.0
    }
}

pub(super) fn parse(body: &[u8]) -> Result<Vec<Position>, QueryError> {
    let texts: Vec<String> = serde_json::from_slice(body)?;
    if texts.len() > MAX_POSITIONS {
        return Err(QueryError::TooMany { count: texts.len(), most: MAX_POSITIONS });
    }
    texts.iter().map(|text| Ok(fen::parse(text)?)).collect()
}

fn position(query: &str) -> Result<Position, QueryError> {
    let text = parameter(query, "fen").ok_or(QueryError::Missing("fen"))?;
    Ok(fen::parse(&text)?)
}

/// Describes a position and its moves, best move first.
pub fn describe(databases: &Databases, position: &Position) -> Value {
    let probe = Probe::of(databases, position);
    let moves: Vec<Value> = probe
        .best_first()
        .into_iter()
        .map(|(mv, ending)| {
            let after = ending.map(after);
            json!({
                "move": movetext::format(position, mv),
                "category": category(after),
                "dtw": distance(after),
                "capture": mv.is_capture(),
                "crowning": mv.is_crowning(),
            })
        })
        .collect();
    json!({
        "fen": fen::format(position),
        "category": category(probe.ending),
        "dtw": distance(probe.ending),
        "pieces": position.piece_count(),
        "moves": moves,
    })
}

/// Returns the ending after a move, for the other side. A distance counts from the position before the move.
fn after(KnownValue { result, plies }: KnownValue) -> KnownValue {
    KnownValue { result: result.reversed(), plies: plies.map(|plies| plies - 1) }
}

fn category(ending: Option<KnownValue>) -> String {
    ending.map_or_else(|| "unknown".to_owned(), |ending| ending.result.to_string())
}

/// Returns the plies to the end of the game, negative if the side to move loses.
fn distance(ending: Option<KnownValue>) -> Option<i64> {
    let KnownValue { result, plies } = ending?;
    match result {
        Wdl::Win => plies.map(i64::from),
        Wdl::Loss => plies.map(|plies| -i64::from(plies)),
        Wdl::Draw => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(rate: u32) -> Api {
        Api::new(Databases::compiled_in(), rate, None)
    }

    #[test]
    fn moves_have_the_view_of_the_opponent() {
        let value = api(1).position("fen=B:W32:BK22,K23").unwrap();
        assert_eq!(
            (&value["category"], &value["dtw"], &value["pieces"]),
            (&json!("win"), &json!(5), &json!(3))
        );
        assert_eq!((&value["moves"][0]["category"], &value["moves"][0]["dtw"]), (&json!("loss"), &json!(-4)));
    }

    #[test]
    fn the_main_line_leads_to_the_end() {
        let value = api(1).mainline("fen=B%3AW32%3ABK22%2CK23").unwrap();
        let line = value["mainline"].as_array().unwrap();
        assert_eq!((line.len(), &line[4]["dtw"]), (5, &json!(0)));
        let mut position = fen::parse("B:W32:BK22,K23").unwrap();
        for entry in line {
            let mv = movetext::parse(&position, entry["move"].as_str().unwrap()).unwrap();
            position = position.after(mv);
        }
        assert!(!position.can_move());
    }

    #[test]
    fn every_small_position_is_as_probed() {
        let api = api(1);
        for text in ["W:WK1,K2:BK32", "B:W21-32:B1-12", "W:W5,6:B1,2", "B:WK10:BK14,15,3"] {
            let position = fen::parse(text).unwrap();
            let expected = match api.databases.probe(&position) {
                Some(Wdl::Win) => "win",
                Some(Wdl::Loss) => "loss",
                Some(Wdl::Draw) => "draw",
                None => "unknown",
            };
            let value = describe(&api.databases, &position);
            assert_eq!(value["category"], expected, "{text}");
            assert_eq!(value["moves"].as_array().unwrap().len(), position.moves().len(), "{text}");
        }
    }

    #[test]
    fn invalid_queries_and_batches_are_refused() {
        let api = api(1);
        for query in ["", "fen", "fen=", "fen=x", "xfen=W:WK1:BK32"] {
            assert!(api.position(query).is_err() && api.mainline(query).is_err(), "{query}");
        }
        for body in ["", "{}", "[1]", "[\"x\"]", "[\"W:WK1:BK32\", null]"] {
            assert!(parse(body.as_bytes()).is_err(), "{body}");
        }
        let many = format!("[{}]", vec!["\"W:WK1:BK32\""; MAX_POSITIONS + 1].join(","));
        assert!(parse(many.as_bytes()).unwrap_err().to_string().contains("1001"));
        assert_eq!(parse(b"[\"W:WK1:BK32\"]").unwrap().len(), 1);
    }

    #[test]
    fn clients_have_a_rate_each() {
        let (api, one, two) = (api(100), IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        assert!(api.admits(one, 60) && !api.admits(one, 60) && api.admits(two, 100));
        assert!(!api.admits(two, 101), "more than a second's worth");
    }
}
