//! A running engine, and the questions that every step puts to it.

use std::time::{Duration, Instant};

use super::Exam;
use crate::limits::Limits;
use crate::process::{Event, Process};
use crate::protocol::{Identity, Info, Reply, Task};
use crate::spec::Protocol;
use crate::state::GameState;
use draughts::board::Move;

/// Lines that may come before an answer.
const MOST_LINES: usize = 10_000;

/// How long an engine that searches may take to stop.
const STOPPING: Duration = Duration::from_millis(500);

/// An engine under examination.
pub(super) struct Examinee {
    pub(super) process: Process,
    pub(super) protocol: Protocol,
    pub(super) patience: Duration,
    pub(super) margin: Duration,
    pub(super) identity: Identity,
    /// What it printed before it was ready.
    pub(super) introduction: Vec<String>,
}

/// How a search went.
pub(super) struct Search {
    /// The move, if it gave one.
    pub(super) mv: Option<Move>,
    /// The reply that it expects.
    pub(super) ponder: Option<Move>,
    /// All that it said of itself on the way.
    pub(super) info: Info,
    /// From the question to the answer.
    pub(super) time: Duration,
}

impl Examinee {
    /// Starts it, without a word.
    pub(super) fn start(exam: &Exam) -> Result<Self, String> {
        let process = Process::spawn(&exam.command).map_err(|error| error.to_string())?;
        Ok(Self {
            process,
            protocol: exam.protocol,
            patience: exam.patience,
            margin: exam.margin,
            identity: Identity::default(),
            introduction: Vec::new(),
        })
    }

    /// Greets it and waits until it is ready.
    pub(super) fn introduce(&mut self) -> Result<(), String> {
        let protocol = self.protocol;
        self.send(protocol.greeting())?;
        let deadline = Instant::now() + self.patience;
        let mut identity = Identity::default();
        loop {
            let Some((line, _)) = self.line(deadline)? else {
                return Err(format!("\"{}\" was not answered to the end", protocol.greeting()));
            };
            let last = protocol.introduce(&line, &mut identity);
            if self.introduction.len() >= MOST_LINES {
                return Err("it printed without end".to_owned());
            }
            self.introduction.push(line);
            if last {
                break;
            }
        }
        self.identity = identity;
        self.send(protocol.initialise())?;
        self.until_ready(protocol.initialise()).map(drop)
    }

    pub(super) fn send(&self, line: &str) -> Result<(), String> {
        let sent = self.process.send(line, Instant::now() + self.patience);
        sent.map_err(|error| format!("\"{line}\" cannot be sent: {error}"))
    }

    /// The next line and when it came; none if it does not come in time.
    pub(super) fn line(&self, deadline: Instant) -> Result<Option<(String, Instant)>, String> {
        match self.process.recv_until(deadline) {
            Event::Line(line, arrived) => Ok(Some((line, arrived))),
            Event::Timeout => Ok(None),
            Event::Overlong => Err("it printed a line without end".to_owned()),
            Event::Flood => Err("it printed without end".to_owned()),
            Event::Eof => {
                // What a program says last, it says while it ends.
                self.process.kill();
                let stderr = self.process.stderr_end();
                let stderr = stderr.trim();
                let said = if stderr.is_empty() { String::new() } else { format!("; its stderr: {stderr}") };
                Err(format!("it ended, or closed its output{said}"))
            }
        }
    }

    /// Waits for the answer to a ping that was sent; what came before it.
    fn until_ready(&self, asked: &str) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + self.patience;
        let mut lines = Vec::new();
        loop {
            let Some((line, _)) = self.line(deadline)? else {
                return Err(format!("\"{asked}\" was not answered within {} s", self.patience.as_secs_f64()));
            };
            if self.protocol.understand(&line) == Reply::Ready {
                return Ok(lines);
            }
            if lines.len() >= MOST_LINES {
                return Err("it printed without end".to_owned());
            }
            lines.push(line);
        }
    }

    /// Sends a ping and waits for the answer; what came before it.
    pub(super) fn sync(&self) -> Result<Vec<String>, String> {
        self.send(self.protocol.ping())?;
        self.until_ready(self.protocol.ping())
    }

    /// As [`Examinee::sync`], and no move was among it.
    pub(super) fn sync_without_move(&self, after: &str) -> Result<(), String> {
        let lines = self.sync()?;
        match lines.iter().find(|line| self.is_best(line)) {
            Some(line) => Err(format!("\"{line}\" after {after}, expected no move")),
            None => Ok(()),
        }
    }

    fn is_best(&self, line: &str) -> bool {
        matches!(self.protocol.understand(line), Reply::Best { .. })
    }

    /// Asks for a move and waits for it.
    pub(super) fn search(&self, course: &GameState, task: &Task<'_>) -> Result<Search, String> {
        let allowed = task.time().map_or(self.patience, |time| time.saturating_add(self.margin));
        let lines = self.protocol.ask(course, task);
        let began = Instant::now();
        self.send(&lines)?;
        self.answer(course, &lines.replace('\n', "\" \""), began, allowed)
    }

    /// A search to a small depth.
    pub(super) fn glance(&self, course: &GameState) -> Result<Search, String> {
        let limits = Limits { depth: Some(1), ..Limits::NONE };
        self.search(course, &Task { limits: &limits, clocks: [None; 2], side: course.position().side() })
    }

    /// Waits for the answer to what was asked, and looks at it closely.
    pub(super) fn answer(
        &self,
        course: &GameState,
        asked: &str,
        began: Instant,
        allowed: Duration,
    ) -> Result<Search, String> {
        // Longer than allowed, to tell an engine that is late from one that never answers.
        let deadline = began + allowed + self.patience;
        let mut info = Info::default();
        loop {
            let Some((line, arrived)) = self.line(deadline)? else {
                return Err(format!("\"{asked}\" was never answered"));
            };
            match self.protocol.understand(&line) {
                Reply::Info(news) => {
                    self.examine_info(&line)?;
                    info.update(news);
                }
                // Where there is no move, an engine may say so before it gives none.
                Reply::Error(_) if !course.position().can_move() => {}
                Reply::Error(text) => return Err(format!("\"{asked}\" was answered by \"{text}\"")),
                Reply::Best { mv, ponder } => {
                    let time = arrived.saturating_duration_since(began);
                    if time > allowed {
                        let (time, allowed) = (time.as_secs_f64(), allowed.as_secs_f64());
                        return Err(format!("\"{asked}\" took {time:.3} s, expected {allowed:.3} s at most"));
                    }
                    let read = |position, text| {
                        self.protocol
                            .read_move(position, text)
                            .map_err(|error| format!("\"{line}\": {error}"))
                    };
                    let mv = mv.map(|text| read(course.position(), text)).transpose()?;
                    let ponder = match (mv, ponder) {
                        (Some(mv), Some(text)) => Some(read(&course.position().after(mv), text)?),
                        _ => None,
                    };
                    return Ok(Search { mv, ponder, info, time });
                }
                Reply::Ready | Reply::Other => {}
            }
        }
    }

    /// Whether it was searching all the time, found out by telling it to stop; what that means.
    pub(super) fn still_searches(&self) -> Option<String> {
        self.send("stop").ok()?;
        let deadline = Instant::now() + self.margin.max(STOPPING);
        loop {
            let (line, _) = self.line(deadline).ok()??;
            if self.is_best(&line) {
                return Some(format!(
                    "it was still searching, and gave \"{line}\" when it was told to stop: it may have begun a search without a limit"
                ));
            }
        }
    }

    /// Numbers must be numbers, or clients can't read them.
    fn examine_info(&self, line: &str) -> Result<(), String> {
        if self.protocol != Protocol::Native {
            return Ok(());
        }
        let mut words = line.split_ascii_whitespace().skip(1);
        while let Some(word) = words.next() {
            match word {
                "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time" => {
                    let value = words.next().unwrap_or_default();
                    if value.parse::<u64>().is_err() {
                        return Err(format!("\"{line}\": {word} is \"{value}\", expected a whole number"));
                    }
                }
                "score" => {
                    let (kind, value) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                    let known = matches!(kind, "cp" | "win" | "loss");
                    if !known || value.parse::<i64>().is_err() {
                        return Err(format!(
                            "\"{line}\": the score is \"{kind} {value}\", expected cp, win or loss and a whole number"
                        ));
                    }
                }
                "pv" | "string" => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// Nothing but what it has to say of a search for so long.
    pub(super) fn silent_for(&self, time: Duration, asked: &str) -> Result<(), String> {
        let deadline = Instant::now() + time;
        while let Some((line, _)) = self.line(deadline)? {
            if self.is_best(&line) {
                return Err(format!("\"{asked}\" was answered by \"{line}\" at once, expected no move yet"));
            }
        }
        Ok(())
    }
}
