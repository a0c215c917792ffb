//! Replays a transcript with an engine.
//!
//! Lines are sent as soon as the output expected before them has arrived. The timeout of an expected line
//! starts when the previous expected line arrived or the last line was sent. Skipped lines do not extend the
//! timeout, so that a flood is detected. After the last line, the engine's input is closed, and the engine
//! must exit.
//!
//! To update a transcript, the runner accepts unexpected output, and records a [`Difference`]. Only output is
//! updated: an engine that crashes, hangs or exits with another status still fails.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::item::{Directive, TranscriptItem};
use super::script::Transcript;
use super::sequence::Sequence;
use kelso_process::{CommandLine, Event, MAX_LINE, Process, SendError, SpawnError};
use kelso_runtime::stop::StopToken;
use thiserror::Error;

/// The configuration of a replay.
#[derive(Clone, Debug)]
pub struct ReplaySettings {
    /// The engine. Each transcript may add arguments.
    pub engine: CommandLine,
    /// The default timeout of an expected line.
    pub timeout: Duration,
    /// Whether to continue after unexpected output and record the difference.
    pub update: bool,
    /// Stops all runs when it is set.
    pub stop: StopToken,
}

/// The result of a transcript.
#[derive(Debug)]
pub struct CaseRun {
    /// Duration of the run.
    pub elapsed: Duration,
    pub failure: Option<CaseFailure>,
    /// The differences. Recorded only for an update.
    pub differences: Vec<Difference>,
}

impl CaseRun {
    /// Returns whether an update can change the transcript.
    pub const fn is_changed(&self) -> bool {
        self.failure.is_none() && !self.differences.is_empty()
    }
}

/// The failure of a transcript.
#[derive(Debug)]
pub struct CaseFailure {
    /// Line number in the file.
    pub line: usize,
    pub reason: FailureReason,
    /// The last lines sent and received, marked `>` and `<`.
    pub log: Vec<String>,
    /// The last part of the engine's stderr.
    pub stderr: String,
}

#[derive(Error, Debug)]
pub enum FailureReason {
    /// An unexpected line.
    #[error("unexpected line{}", if expected.is_none() { " at the end" } else { "" })]
    Unexpected {
        line: String,
        /// The expected line, or `None` at the end.
        expected: Option<String>,
    },
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The engine did not read its input in time.
    #[error("the engine did not read its input within {} s", .0.as_secs_f64())]
    NotReading(Duration),
    /// No line matched an expected one in time.
    #[error("no line matching \"{expected}\" within {} s", timeout.as_secs_f64())]
    NoLine { expected: String, timeout: Duration },
    /// The engine did not exit in time.
    #[error("the engine did not exit within {} s", .0.as_secs_f64())]
    NoExit(Duration),
    /// The engine exited or closed its output too early.
    #[error("{} before \"{before}\"", describe_end(*status))]
    Ended {
        status: Option<ExitStatus>,
        /// The line sent or expected next.
        before: String,
    },
    /// The engine exited with an unexpected status. `None` stands for any exit status.
    #[error("{}, expected {}", describe(*status), expected.map_or_else(|| "any exit status".to_owned(), |code| code.to_string()))]
    Status { status: ExitStatus, expected: Option<i32> },
    /// The engine printed a line that is too long.
    #[error("the engine printed a line of more than {MAX_LINE} bytes")]
    LongLine,
    /// The engine printed more than a run may keep.
    #[error("the engine wrote too much output")]
    Flood,
    /// The engine's pipes or process failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn describe_end(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("the engine ended with {}", describe(status)),
        None => "the engine closed its output".to_owned(),
    }
}

/// Output that differs from the expected output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Index of the last step before the difference.
    pub after: Option<usize>,
    /// Indices of the expectations that the difference concerns.
    pub expected: Vec<usize>,
    /// Indices of earlier repeated expectations that may still match.
    pub open: Vec<usize>,
    pub lines: Vec<String>,
}

/// Number of lines in the log.
const CONTEXT_LINES: usize = 10;
/// Maximum number of bytes of output stored for an update.
const MAX_KEPT_BYTES: usize = 1 << 24;
/// Silence after which output counts as complete if a line like the last expected one has arrived.
const SHORT_SILENCE: Duration = Duration::from_millis(100);
/// Silence after which output counts as complete if as many lines as expected have arrived.
const LONG_SILENCE: Duration = Duration::from_secs(1);
/// Time to wait for the exit status after the end of the output.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Replays a transcript with a new process of the engine. Returns an error if the engine cannot be started;
/// any other failure is part of the result.
pub fn run(transcript: &Transcript, settings: &ReplaySettings) -> Result<CaseRun, SpawnError> {
    let start_time = Instant::now();
    let line = settings.engine.clone().with_arguments(transcript.arguments());
    let process = Process::spawn(&line)?;
    let _kill = settings.stop.on_stop(process.killer());
    let mut replay = Replay {
        transcript,
        settings,
        timeout: settings.timeout,
        log: Vec::new(),
        open: Vec::new(),
        last: None,
        differences: Vec::new(),
        kept: 0,
        process: &process,
    };
    let failure = replay.run().err();
    let Replay { log, differences, last, .. } = replay;
    let failure = failure.map(|(index, reason)| {
        // stderr is complete once the engine has exited.
        process.kill();
        let reason = if settings.stop.is_stopped() { FailureReason::Interrupted } else { reason };
        let line = index.or(last).and_then(|index| transcript.lines.get(index)).map_or(0, |line| line.number);
        CaseFailure { line, reason, log, stderr: process.stderr_end() }
    });
    Ok(CaseRun { elapsed: start_time.elapsed(), failure, differences })
}

/// The reason for a failure, and the index of the line that failed, or `None` for the last step.
type Failed = (Option<usize>, FailureReason);

struct Replay<'a> {
    transcript: &'a Transcript,
    settings: &'a ReplaySettings,
    process: &'a Process,
    timeout: Duration,
    log: Vec<String>,
    /// Indices of repeated expectations before the next step, which may still match.
    open: Vec<usize>,
    last: Option<usize>,
    differences: Vec<Difference>,
    kept: usize,
}

impl Replay<'_> {
    fn run(&mut self) -> Result<(), Failed> {
        let lines = &self.transcript.lines;
        let steps: Vec<usize> = (0..lines.len()).filter(|&index| lines[index].item.is_step()).collect();
        let mut talking = false;
        for block in steps.chunk_by(|&a, &b| {
            self.transcript.expectation(a).is_some() && self.transcript.expectation(b).is_some()
        }) {
            let is_setting = self.perform(block)?;
            // New output goes after the line that caused it, not after the settings below that line.
            talking |= !is_setting;
            if !talking || !is_setting {
                self.last = block.last().copied();
            }
        }
        self.process.close_stdin();
        self.read(&[], true)?;
        self.exit()
    }

    /// Performs a step or a block of expectations. Returns whether the step only changes settings.
    fn perform(&mut self, block: &[usize]) -> Result<bool, Failed> {
        let item = &self.transcript.lines[block[0]].item;
        if let Some(text) = item.sent() {
            self.send(block[0], &text)?;
        }
        match item {
            TranscriptItem::Expect(_) => self.read(block, false)?,
            TranscriptItem::Directive(Directive::Eof) => self.read(&[], true)?,
            TranscriptItem::Directive(Directive::Wait(time)) => drop(self.settings.stop.wait_timeout(*time)),
            TranscriptItem::Directive(Directive::Close) => self.process.close_stdin(),
            TranscriptItem::Directive(Directive::Timeout(timeout)) => self.timeout = *timeout,
            _ => {}
        }
        let settings =
            |d: &Directive| matches!(d, Directive::Args(_) | Directive::Timeout(_) | Directive::Exit(_));
        Ok(matches!(item, TranscriptItem::Directive(directive) if settings(directive)))
    }

    fn send(&mut self, index: usize, text: &str) -> Result<(), Failed> {
        let sent = self.process.send(text, Instant::now() + self.timeout);
        let reason = match sent {
            Ok(()) => {
                self.note(format!("> {text}"));
                return Ok(());
            }
            Err(SendError::Closed) => {
                // Log the last lines that the engine prints before it exits.
                let deadline = Instant::now() + EXIT_TIMEOUT;
                while let Ok((_, arrived)) = self.next(deadline)
                    && arrived < deadline
                {}
                self.ended(&format!("> {text}"))
            }
            Err(SendError::NotReading) => FailureReason::NotReading(self.timeout),
            Err(SendError::Io(error)) => error.into(),
        };
        Err((Some(index), reason))
    }

    /// Reads the output for a block of expectations. At the end of the transcript, reads the rest of the
    /// output, which only repeated expectations may still match.
    fn read(&mut self, block: &[usize], to_end: bool) -> Result<(), Failed> {
        let lines: Vec<usize> = self.open.iter().chain(block).copied().collect();
        let mut sequence =
            Sequence::new(lines.iter().filter_map(|&index| self.transcript.expectation(index)).collect());
        let mut seen = Vec::new();
        let mut differs = false;
        let mut deadline = Instant::now() + self.timeout;
        while to_end || !sequence.is_complete() {
            // After the whole sequence, no further line is expected.
            let awaited = lines.get(sequence.progress()).copied();
            match self.next(deadline) {
                Ok((line, arrived)) => {
                    let before = sequence.progress();
                    let accepted = sequence.accept(&line);
                    if !accepted && depends_on_time(&line) {
                        continue;
                    }
                    self.keep(&mut seen, &line, awaited)?;
                    if !accepted {
                        differs = true;
                        let expected = awaited.map(|index| self.text(index));
                        self.differ(awaited, FailureReason::Unexpected { line, expected })?;
                        if !to_end {
                            return self.read_unexpected(block, seen);
                        }
                    }
                    if sequence.progress() > before {
                        deadline = Instant::now() + self.timeout;
                    } else if arrived > deadline {
                        return Err((awaited, self.late(awaited)));
                    }
                }
                Err(Event::Eof) if to_end => break,
                Err(event) => {
                    self.interrupted_by(&event, awaited)?;
                    differs = true;
                    break;
                }
            }
        }
        if differs {
            self.record_difference(block, seen);
        } else {
            self.open = self.still_open(block);
        }
        Ok(())
    }

    /// Fails because of an event other than a line, unless this is an update that can continue without the
    /// awaited line.
    fn interrupted_by(&self, event: &Event, awaited: Option<usize>) -> Result<(), Failed> {
        let reason = match (event, awaited) {
            (Event::Timeout, _) => self.late(awaited),
            (Event::Eof, Some(index)) => self.ended(&self.text(index)),
            _ => return Err((awaited, FailureReason::of_event(event))),
        };
        if awaited.is_some() { self.differ(awaited, reason) } else { Err((awaited, reason)) }
    }

    /// Reads the rest of unexpected output that seems to belong to a block.
    fn read_unexpected(&mut self, block: &[usize], mut seen: Vec<String>) -> Result<(), Failed> {
        // The last line of output usually has a characteristic first word, such as `bestmove` or `readyok`.
        let singles =
            block.iter().filter_map(|&index| self.transcript.expectation(index)).filter(|e| !e.repeated);
        let words: Vec<_> = singles.map(|expectation| first_word(&expectation.pattern.to_string())).collect();
        let last = words.last().cloned().flatten();
        let expected = words.iter().filter(|word| **word == last).count();
        let at = block.last().copied();
        let mut matching = seen.iter().filter(|line| first_word(line) == last).count();
        let limit = Instant::now() + self.timeout * 10;
        loop {
            let timeout = if matching >= expected {
                SHORT_SILENCE.min(self.timeout)
            } else if seen.len() >= words.len() {
                LONG_SILENCE.min(self.timeout)
            } else {
                self.timeout
            };
            match self.next((Instant::now() + timeout).min(limit)) {
                Ok((line, arrived)) if arrived < limit => {
                    matching += usize::from(first_word(&line) == last);
                    self.keep(&mut seen, &line, at)?;
                }
                Ok(_) => return Err((at, FailureReason::of_event(&Event::Flood))),
                Err(Event::Timeout | Event::Eof) => {
                    self.record_difference(block, seen);
                    return Ok(());
                }
                Err(event) => return Err((at, FailureReason::of_event(&event))),
            }
        }
    }

    fn exit(&self) -> Result<(), Failed> {
        let (expected, index) = self.transcript.exit();
        let index = index.or(self.last);
        let status = match self.process.wait_until(Instant::now() + self.timeout.max(EXIT_TIMEOUT)) {
            Ok(Some(status)) => status,
            Ok(None) => return Err((index, self.late(None))),
            Err(error) => return Err((index, error.into())),
        };
        // A killed process has no exit code.
        let agrees = expected.map_or(status.code().is_some(), |expected| status.code() == Some(expected));
        if agrees {
            return Ok(());
        }
        Err((index, FailureReason::Status { status, expected }))
    }

    /// Returns the next line and its time of arrival, or another event.
    fn next(&mut self, deadline: Instant) -> Result<(String, Instant), Event> {
        match self.process.recv_until(deadline) {
            Event::Line(line, arrived) => {
                self.note(format!("< {line}"));
                Ok((line, arrived))
            }
            event => Err(event),
        }
    }

    fn ended(&self, before: &str) -> FailureReason {
        let status = self.process.wait_until(Instant::now() + EXIT_TIMEOUT).ok().flatten();
        FailureReason::Ended { status, before: before.to_owned() }
    }

    /// Stores a line for an update.
    fn keep(&mut self, seen: &mut Vec<String>, line: &str, index: Option<usize>) -> Result<(), Failed> {
        if self.settings.update {
            self.kept += line.len() + size_of::<String>();
            if self.kept > MAX_KEPT_BYTES {
                return Err((index, FailureReason::of_event(&Event::Flood)));
            }
            seen.push(line.to_owned());
        }
        Ok(())
    }

    /// Fails because of unexpected output, unless this is an update.
    fn differ(&self, index: Option<usize>, reason: FailureReason) -> Result<(), Failed> {
        if self.settings.update { Ok(()) } else { Err((index, reason)) }
    }

    fn record_difference(&mut self, block: &[usize], lines: Vec<String>) {
        let still_open = self.still_open(block);
        let open = std::mem::replace(&mut self.open, still_open);
        self.differences.push(Difference { after: self.last, expected: block.to_vec(), open, lines });
    }

    /// Returns the repeated expectations at the end of a block.
    fn still_open(&self, block: &[usize]) -> Vec<usize> {
        let lines: Vec<usize> = self.open.iter().chain(block).copied().collect();
        let expectations = lines.iter().rev().map(|&index| self.transcript.expectation(index));
        let count = expectations.take_while(|expectation| expectation.is_some_and(|e| e.repeated)).count();
        lines[lines.len() - count..].to_vec()
    }

    /// Returns the text of an awaited line.
    #[expect(clippy::expect_used, reason = "only expectations are awaited")]
    fn text(&self, index: usize) -> String {
        self.transcript.expectation(index).expect("an awaited line is an expectation").to_string()
    }

    /// Adds a line to the log, dropping the oldest line if the log is full.
    fn note(&mut self, line: String) {
        if self.log.len() >= CONTEXT_LINES {
            self.log.remove(0);
        }
        self.log.push(line);
    }

    /// Returns the reason for a timeout while waiting for a line or for the end of the output.
    fn late(&self, awaited: Option<usize>) -> FailureReason {
        match awaited {
            Some(index) => FailureReason::NoLine { expected: self.text(index), timeout: self.timeout },
            None => FailureReason::NoExit(self.timeout),
        }
    }
}

impl FailureReason {
    /// Returns the reason for an event other than a line.
    fn of_event(event: &Event) -> Self {
        match event {
            Event::Overlong => Self::LongLine,
            _ => Self::Flood,
        }
    }
}

/// Describes an exit status in the same way on all systems.
fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"))
}

/// Returns whether a line names the move being searched, as some engines report after a second. Such lines
/// are neither recorded nor, unless a transcript lists them, expected.
pub fn depends_on_time(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("info") && words.any(|word| word == "currmove")
}

fn first_word(line: &str) -> Option<String> {
    line.split_whitespace().next().map(str::to_owned)
}
