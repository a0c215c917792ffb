//! The engine under test, and what most steps do with it.

use std::time::{Duration, Instant};

use super::Config;
use crate::process::{Event, Process};
use draughts::board::{Game, Move};
use protocol::{Client, Command, Dialect, Go, Identity, Info, Reply};

/// Lines that an engine may print before an answer.
const MAX_LINES: usize = 10_000;

/// The time that an engine has to stop a search.
pub(super) const STOP_TIME: Duration = Duration::from_millis(500);

/// An engine under test.
pub(super) struct TestedEngine {
    pub(super) process: Process,
    pub(super) dialect: Dialect,
    pub(super) client: &'static dyn Client,
    pub(super) timeout: Duration,
    pub(super) margin: Duration,
    pub(super) identity: Identity,
    /// The lines of its introduction.
    pub(super) introduction: Vec<String>,
}

/// The result of a search.
pub(super) struct Search {
    pub(super) mv: Option<Move>,
    pub(super) ponder: Option<Move>,
    pub(super) info: Info,
    pub(super) time: Duration,
}

impl TestedEngine {
    /// Starts an engine and waits until it is ready.
    pub(super) fn start(config: &Config) -> Result<Self, String> {
        let mut engine = Self {
            process: Process::spawn(&config.command).map_err(|error| error.to_string())?,
            dialect: config.protocol,
            client: config.protocol.client(),
            timeout: config.timeout,
            margin: config.margin,
            identity: Identity::default(),
            introduction: Vec::new(),
        };
        engine.handshake()?;
        Ok(engine)
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.process.wait_until(Instant::now()), Ok(None))
    }

    /// Performs the handshake and waits until the engine is ready.
    fn handshake(&mut self) -> Result<(), String> {
        let request = self.client.verb(&Command::Identify);
        self.send(request)?;
        let deadline = Instant::now() + self.timeout;
        let mut is_last = false;
        while !is_last {
            let Some((line, _)) = self.line(deadline)? else {
                return Err(format!("the answer to \"{request}\" is incomplete"));
            };
            is_last = self.client.parse_identity(&line, &mut self.identity);
            if self.introduction.len() >= MAX_LINES {
                return Err("it flooded its output".to_owned());
            }
            self.introduction.push(line);
        }
        self.request(&Command::Ready).map(drop)
    }

    pub(super) fn send(&self, line: &str) -> Result<(), String> {
        let sent = self.process.send(line, Instant::now() + self.timeout);
        sent.map_err(|error| format!("cannot send \"{line}\": {error}"))
    }

    /// Returns the next line and its time of arrival, or none at the deadline.
    pub(super) fn line(&self, deadline: Instant) -> Result<Option<(String, Instant)>, String> {
        match self.process.recv_until(deadline) {
            Event::Line(line, arrived) => Ok(Some((line, arrived))),
            Event::Timeout => Ok(None),
            Event::Overlong => Err("it printed a line that is too long".to_owned()),
            Event::Flood => Err("it flooded its output".to_owned()),
            Event::Eof => {
                // Its stderr is complete once it has ended.
                self.process.kill();
                let stderr = self.process.stderr_end();
                let stderr = stderr.trim();
                let suffix =
                    if stderr.is_empty() { String::new() } else { format!("; its stderr: {stderr}") };
                Err(format!("it ended or closed its output{suffix}"))
            }
        }
    }

    /// Sends a command that is answered by [`Reply::Ready`], and returns the lines before the answer.
    fn request(&self, command: &Command) -> Result<Vec<String>, String> {
        let request = self.client.verb(command);
        self.send(request)?;
        let deadline = Instant::now() + self.timeout;
        let mut lines = Vec::new();
        loop {
            let Some((line, _)) = self.line(deadline)? else {
                return Err(format!("no answer to \"{request}\" within {} s", self.timeout.as_secs_f64()));
            };
            if self.client.parse_reply(&line) == Reply::Ready {
                return Ok(lines);
            }
            if lines.len() >= MAX_LINES {
                return Err("it flooded its output".to_owned());
            }
            lines.push(line);
        }
    }

    /// Sends a ping, waits for the answer, and returns the lines before it.
    pub(super) fn ping(&self) -> Result<Vec<String>, String> {
        self.request(&Command::Ping)
    }

    /// Sends a ping, and fails if a move comes before the answer.
    pub(super) fn ping_without_move(&self, after: &str) -> Result<(), String> {
        let lines = self.ping()?;
        match lines.iter().find(|line| self.is_best_move(line)) {
            Some(line) => Err(format!("unexpected \"{line}\" after {after}")),
            None => Ok(()),
        }
    }

    pub(super) fn is_best_move(&self, line: &str) -> bool {
        matches!(self.client.parse_reply(line), Reply::BestMove { .. })
    }

    /// Starts a search.
    pub(super) fn start_search(&self, state: &Game, go: &Go) -> Result<String, String> {
        let lines = self.client.search(state, go);
        self.send(&lines)?;
        Ok(lines.replace('\n', "\" \""))
    }

    /// Searches and waits for the move.
    pub(super) fn search(&self, state: &Game, go: &Go) -> Result<Search, String> {
        let time = go.time(state.position().side());
        let allowed = time.map_or(self.timeout, |time| time.saturating_add(self.margin));
        let start = Instant::now();
        let request = self.start_search(state, go)?;
        self.answer(state, &request, start, allowed)
    }

    /// Searches to depth 1.
    pub(super) fn quick_search(&self, state: &Game) -> Result<Search, String> {
        self.search(state, &Go { depth: Some(1), ..Go::default() })
    }

    /// Waits for the end of a search and checks every line.
    pub(super) fn answer(
        &self,
        state: &Game,
        request: &str,
        start: Instant,
        allowed: Duration,
    ) -> Result<Search, String> {
        // Longer than allowed, so that a late answer is distinguished from a missing one.
        let deadline = start + allowed + self.timeout;
        let mut info = Info::default();
        loop {
            let Some((line, arrived)) = self.line(deadline)? else {
                return Err(format!("no answer to \"{request}\""));
            };
            match self.client.parse_reply(&line) {
                Reply::Info(later, _) => {
                    self.client.check_info(&line)?;
                    info.update(later);
                }
                // Without a legal move, an engine may report an error first.
                Reply::Error(_) if !state.position().can_move() => {}
                Reply::Error(text) => return Err(format!("\"{request}\" was refused: \"{text}\"")),
                Reply::BestMove { mv, ponder } => {
                    let time = arrived.saturating_duration_since(start);
                    if time > allowed {
                        let (time, allowed) = (time.as_secs_f64(), allowed.as_secs_f64());
                        return Err(format!(
                            "\"{request}\" took {time:.3} s, at most {allowed:.3} s are allowed"
                        ));
                    }
                    let parse = |position, text| {
                        self.client.parse_move(position, text).map_err(|error| format!("\"{line}\": {error}"))
                    };
                    let mv = mv.map(|text| parse(state.position(), text)).transpose()?;
                    let ponder = match (mv, ponder) {
                        (Some(mv), Some(text)) => Some(parse(&state.position().after(mv), text)?),
                        _ => None,
                    };
                    return Ok(Search { mv, ponder, info, time });
                }
                Reply::Ready | Reply::Other => {}
            }
        }
    }

    /// Stops the engine, and returns an explanation if it was still searching.
    pub(super) fn still_searching(&self) -> Option<String> {
        self.send("stop").ok()?;
        let deadline = Instant::now() + self.margin.max(STOP_TIME);
        loop {
            let (line, _) = self.line(deadline).ok()??;
            if self.is_best_move(&line) {
                return Some(format!(
                    "it was still searching and answered \"stop\" with \"{line}\": it may have started a search without a limit"
                ));
            }
        }
    }

    /// Fails if a move comes within a time.
    pub(super) fn expect_no_move_for(&self, time: Duration, request: &str) -> Result<(), String> {
        let deadline = Instant::now() + time;
        while let Some((line, _)) = self.line(deadline)? {
            if self.is_best_move(&line) {
                return Err(format!("\"{request}\" was answered at once by \"{line}\""));
            }
        }
        Ok(())
    }
}
