//! One transcript against one engine.
//!
//! Lines are sent as soon as the output expected before them has come. Each expected line has the timeout's time from
//! the moment when the one before it was met, or the last line was sent; lines that are passed over don't prolong it, so
//! that an engine which prints for ever is found out. After the last line the engine's input is closed, and it must end.
//!
//! To update a transcript, the runner goes on after output that was not expected, as if what came had been: it notes the
//! difference as a [`Gap`]. Only output is updated: an engine that crashes, hangs or ends with another status than was
//! expected has failed.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::failure::{CaseFailure, Reason};
use super::item::{Directive, Expectation, Item};
use super::script::Transcript;
use super::sequence::Sequence;
use common::stop::StopToken;
use players::process::{CommandLine, Event, Process, SendError, SpawnError};

/// How to run transcripts.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engine, to which each transcript adds its arguments.
    pub engine: CommandLine,
    /// How long each expected line is waited for where the transcript doesn't say.
    pub timeout: Duration,
    /// Go on after output that was not expected, and note the difference.
    pub update: bool,
    /// Ends all runs early.
    pub stop: StopToken,
}

/// What came of a transcript.
#[derive(Debug)]
pub struct Run {
    /// How long it took.
    pub elapsed: Duration,
    /// Why it failed, if it did.
    pub failure: Option<CaseFailure>,
    /// Where the output was not what was expected; only noted for an update.
    pub gaps: Vec<Gap>,
}

impl Run {
    /// Whether an update has something to change, and can.
    #[must_use]
    pub const fn is_changed(&self) -> bool {
        self.failure.is_none() && !self.gaps.is_empty()
    }
}

/// A place where other output came than was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The index of the last line before it that says anything.
    pub after: Option<usize>,
    /// What was expected here, by index.
    pub expected: Vec<usize>,
    /// Expectations from before that were allowed to go on here, by index.
    pub open: Vec<usize>,
    /// What came.
    pub lines: Vec<String>,
}

/// How much output is kept for an update, in bytes: more than anyone would want in a transcript.
const MOST_KEPT: usize = 1 << 24;
/// How long the output must be still before it counts as complete, once its last expected line seems to have come.
const STILL: Duration = Duration::from_millis(100);
/// The same, once as many lines as expected have come, but others.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the status of an engine is waited for whose output has ended.
const BURIAL: Duration = Duration::from_secs(1);

/// Runs a transcript against a fresh engine.
///
/// # Errors
///
/// When the engine can't be started. All else that goes wrong is the engine's failure.
pub fn run(transcript: &Transcript, settings: &Settings) -> Result<Run, SpawnError> {
    let begun = Instant::now();
    let line = settings.engine.clone().with_arguments(transcript.arguments());
    let process = Process::spawn(&line)?;
    let _kill = settings.stop.on_stop(process.killer());
    let mut conversation = Conversation {
        transcript,
        settings,
        timeout: settings.timeout,
        log: Vec::new(),
        open: Vec::new(),
        last: None,
        gaps: Vec::new(),
        kept: 0,
        process: &process,
    };
    let failed = conversation.whole().err();
    let Conversation { log, gaps, .. } = conversation;
    let failure = failed.map(|Failed { line, reason }| {
        // What an engine says last, it says while it ends.
        process.kill();
        let reason = if settings.stop.is_stopped() { Reason::Interrupted } else { reason };
        CaseFailure { line, reason, log, errors: process.stderr_end() }
    });
    Ok(Run { elapsed: begun.elapsed(), failure, gaps })
}

/// A failure and the number of its line in the file.
struct Failed {
    line: usize,
    reason: Reason,
}

struct Conversation<'a> {
    transcript: &'a Transcript,
    settings: &'a Settings,
    process: &'a Process,
    timeout: Duration,
    /// What was said, for the report.
    log: Vec<String>,
    /// Indices of repeated expectations that stand last before whatever is next: they may still go on.
    open: Vec<usize>,
    /// Index of the last line that was done.
    last: Option<usize>,
    gaps: Vec<Gap>,
    /// How much output has been kept for an update, in bytes.
    kept: usize,
}

impl<'a> Conversation<'a> {
    fn whole(&mut self) -> Result<(), Failed> {
        let lines = self.transcript.lines();
        let steps: Vec<usize> = (0..lines.len()).filter(|&index| lines[index].item.is_step()).collect();
        let is_expectation = |&index: &usize| matches!(lines[index].item, Item::Expect(_));
        let is_setting = |index: &usize| {
            let settings =
                |d: &Directive| matches!(d, Directive::Args(_) | Directive::Timeout(_) | Directive::Exit(_));
            matches!(&lines[*index].item, Item::Directive(directive) if settings(directive))
        };
        let (mut talking, mut over) = (false, false);
        for block in steps.chunk_by(|a, b| is_expectation(a) && is_expectation(b)) {
            if is_expectation(&block[0]) {
                self.expect(block)?;
            } else if let Item::Directive(Directive::Eof) = lines[block[0]].item {
                self.until_end()?;
                over = true;
            } else {
                self.perform(block[0])?;
            }
            // New output belongs after the lines that brought it, not after settings below them.
            talking |= !is_setting(&block[0]);
            if !talking || !is_setting(&block[0]) {
                self.last = block.last().copied();
            }
        }
        self.process.close_stdin();
        if !over {
            self.until_end()?;
        }
        self.exit()
    }

    /// Does what is not a matter of output.
    fn perform(&mut self, index: usize) -> Result<(), Failed> {
        let item = &self.transcript.lines()[index].item;
        if let Some(text) = item.sent() {
            return self.send(index, &text);
        }
        if let Item::Directive(directive) = item {
            match directive {
                Directive::Timeout(timeout) => self.timeout = *timeout,
                Directive::Wait(time) => self.wait(*time),
                Directive::Close => self.process.close_stdin(),
                _ => {}
            }
        }
        Ok(())
    }

    fn send(&mut self, index: usize, text: &str) -> Result<(), Failed> {
        let sent = self.process.send(text, Instant::now() + self.timeout);
        let reason = match sent {
            Ok(()) => {
                self.note(format!("> {text}"));
                return Ok(());
            }
            Err(SendError::Closed) => {
                // What it said before it ended is of interest.
                let deadline = Instant::now() + BURIAL;
                while let Ok((_, arrived)) = self.next(deadline)
                    && arrived < deadline
                {}
                self.ended(format!("> {text}"))
            }
            Err(SendError::NotReading) => Reason::NotReading(self.timeout),
            Err(SendError::Io(error)) => Reason::Io(error.to_string()),
        };
        Err(self.failed(Some(index), reason))
    }

    /// Waits, in pieces short enough to notice an interrupt.
    fn wait(&self, time: Duration) {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            if self.settings.stop.is_stopped() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_millis(100)));
        }
    }

    /// Reads the output that a block of expectations calls for.
    fn expect(&mut self, block: &[usize]) -> Result<(), Failed> {
        let listed: Vec<usize> = self.open.iter().chain(block).copied().collect();
        let mut sequence =
            Sequence::new(listed.iter().filter_map(|&index| self.expectation(index)).collect());
        let mut seen = Vec::new();
        let mut deadline = Instant::now() + self.timeout;
        while !sequence.is_complete() {
            let awaited = listed[sequence.progress()];
            match self.next(deadline) {
                Ok((line, arrived)) => {
                    let before = sequence.progress();
                    let accepted = sequence.accept(&line);
                    self.keep(&mut seen, &line, Some(awaited))?;
                    if !accepted {
                        let expected = self.text(awaited);
                        self.differ(Some(awaited), Reason::Unexpected { line, expected: Some(expected) })?;
                        return self.mend(block, seen);
                    }
                    if sequence.progress() > before {
                        deadline = Instant::now() + self.timeout;
                    } else if arrived > deadline {
                        let reason = Reason::Missing { expected: self.text(awaited), waited: self.timeout };
                        return Err(self.failed(Some(awaited), reason));
                    }
                }
                Err(event) => {
                    let reason = match event {
                        Event::Timeout => {
                            Reason::Missing { expected: self.text(awaited), waited: self.timeout }
                        }
                        Event::Eof => self.ended(self.text(awaited)),
                        event => return Err(self.failed(Some(awaited), Reason::of_event(&event))),
                    };
                    self.differ(Some(awaited), reason)?;
                    self.gap(block, seen);
                    return Ok(());
                }
            }
        }
        self.open = self.still_open(block);
        Ok(())
    }

    /// The output has left what was expected: reads the rest of it, as far as it seems to belong here.
    fn mend(&mut self, block: &[usize], mut seen: Vec<String>) -> Result<(), Failed> {
        // Output usually ends with a line whose first word says so, like `bestmove` or `readyok`.
        let word = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
        let singles = block.iter().filter_map(|&index| self.expectation(index)).filter(|e| !e.repeated);
        let words: Vec<String> = singles.map(|expectation| word(&expectation.pattern.to_string())).collect();
        let last = words.last().cloned().unwrap_or_default();
        let wanted = words.iter().filter(|word| **word == last).count();
        let at = block.last().copied();
        let mut found = seen.iter().filter(|line| word(line) == last).count();
        let limit = Instant::now() + self.timeout * 10;
        loop {
            let patience = if found >= wanted {
                STILL.min(self.timeout)
            } else if seen.len() >= words.len() {
                PAUSE.min(self.timeout)
            } else {
                self.timeout
            };
            match self.next((Instant::now() + patience).min(limit)) {
                Ok((line, arrived)) if arrived < limit => {
                    found += usize::from(word(&line) == last);
                    self.keep(&mut seen, &line, at)?;
                }
                Ok(_) => return Err(self.failed(at, Reason::Flood)),
                Err(Event::Timeout | Event::Eof) => {
                    self.gap(block, seen);
                    return Ok(());
                }
                Err(event) => return Err(self.failed(at, Reason::of_event(&event))),
            }
        }
    }

    /// Reads on until the output ends; nothing is expected any more but what was left open.
    fn until_end(&mut self) -> Result<(), Failed> {
        let open = self.open.iter().filter_map(|&index| self.expectation(index)).collect();
        let mut sequence = Sequence::new(open);
        let (mut seen, mut differs) = (Vec::new(), false);
        let deadline = Instant::now() + self.timeout;
        loop {
            match self.next(deadline) {
                Ok((line, arrived)) => {
                    self.keep(&mut seen, &line, self.last)?;
                    if arrived > deadline {
                        return Err(self.failed(None, Reason::Running(self.timeout)));
                    }
                    if !sequence.accept(&line) {
                        differs = true;
                        self.differ(None, Reason::Unexpected { line, expected: None })?;
                    }
                }
                Err(Event::Eof) => {
                    if differs {
                        self.gap(&[], seen);
                    }
                    return Ok(());
                }
                Err(Event::Timeout) => return Err(self.failed(None, Reason::Running(self.timeout))),
                Err(event) => return Err(self.failed(None, Reason::of_event(&event))),
            }
        }
    }

    fn exit(&self) -> Result<(), Failed> {
        let (expected, index) = self.transcript.exit();
        let index = index.or(self.last);
        let status = match self.process.wait_until(Instant::now() + self.timeout.max(BURIAL)) {
            Ok(Some(status)) => status,
            Ok(None) => return Err(self.failed(index, Reason::Running(self.timeout))),
            Err(error) => return Err(self.failed(index, Reason::Io(error.to_string()))),
        };
        // Any status will do, but a crash is no status.
        let agrees = expected.map_or(status.code().is_some(), |expected| status.code() == Some(expected));
        if agrees { Ok(()) } else { Err(self.failed(index, Reason::Status { expected, status })) }
    }

    /// A line of output and when it came, or what came instead.
    fn next(&mut self, deadline: Instant) -> Result<(String, Instant), Event> {
        match self.process.recv_until(deadline) {
            Event::Line(line, arrived) => {
                self.note(format!("< {line}"));
                Ok((line, arrived))
            }
            event => Err(event),
        }
    }

    fn ended(&self, before: String) -> Reason {
        let status: Option<ExitStatus> = self.process.wait_until(Instant::now() + BURIAL).ok().flatten();
        Reason::Ended { before, status }
    }

    /// Keeps a line for an update, if it is not too much in all.
    fn keep(&mut self, seen: &mut Vec<String>, line: &str, index: Option<usize>) -> Result<(), Failed> {
        if self.settings.update {
            self.kept += line.len() + size_of::<String>();
            if self.kept > MOST_KEPT {
                return Err(self.failed(index, Reason::Flood));
            }
            seen.push(line.to_owned());
        }
        Ok(())
    }

    /// A difference fails a run, unless it is there to find differences.
    fn differ(&self, index: Option<usize>, reason: Reason) -> Result<(), Failed> {
        if self.settings.update { Ok(()) } else { Err(self.failed(index, reason)) }
    }

    fn gap(&mut self, block: &[usize], lines: Vec<String>) {
        let still_open = self.still_open(block);
        let open = std::mem::replace(&mut self.open, still_open);
        self.gaps.push(Gap { after: self.last, expected: block.to_vec(), open, lines });
    }

    /// What may still go on after a block: its repeated expectations at the end.
    fn still_open(&self, block: &[usize]) -> Vec<usize> {
        let listed: Vec<usize> = self.open.iter().chain(block).copied().collect();
        let repeated = |index: &&usize| self.expectation(**index).is_some_and(|e| e.repeated);
        let count = listed.iter().rev().take_while(repeated).count();
        listed[listed.len() - count..].to_vec()
    }

    fn expectation(&self, index: usize) -> Option<&'a Expectation> {
        if let Item::Expect(expectation) = &self.transcript.lines()[index].item {
            Some(expectation)
        } else {
            None
        }
    }

    fn text(&self, index: usize) -> String {
        self.transcript.lines()[index].item.to_string()
    }

    fn note(&mut self, line: String) {
        CaseFailure::note(&mut self.log, line);
    }

    /// A failure at a line, or at the end of all lines.
    fn failed(&self, index: Option<usize>, reason: Reason) -> Failed {
        let line = index.or(self.last).and_then(|index| self.transcript.lines().get(index));
        Failed { line: line.map_or(0, |line| line.number), reason }
    }
}
