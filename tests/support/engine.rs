//! The real program, driven over its pipes with deadlines.
use std::ffi::OsStr;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use players::process::{CommandLine, Event, Process};

/// Nothing that a test waits for takes longer.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running `kelso`.
pub struct Kelso(Process);

impl Kelso {
    pub fn start() -> Self {
        Self::with(&[] as &[&str])
    }

    pub fn with<S: AsRef<OsStr>>(arguments: &[S]) -> Self {
        let line =
            CommandLine::new(env!("CARGO_BIN_EXE_kelso")).with_arguments(arguments.iter().map(AsRef::as_ref));
        Self(Process::spawn(&line).unwrap())
    }

    pub fn send(&self, line: &str) -> &Self {
        self.0.send(line, Instant::now() + PATIENCE).unwrap();
        self
    }

    /// The next line, and when it came.
    pub fn line(&self) -> (String, Instant) {
        match self.0.recv_until(Instant::now() + PATIENCE) {
            Event::Line(text, at) => (text, at),
            other => panic!("expected a line, got {other:?}"),
        }
    }

    /// Lines up to and with the first that begins with a prefix.
    pub fn until(&self, prefix: &str) -> (Vec<String>, Instant) {
        let mut lines = Vec::new();
        loop {
            let (line, at) = self.line();
            let found = line.starts_with(prefix);
            lines.push(line);
            if found {
                return (lines, at);
            }
        }
    }

    /// Waits until everything sent so far has been done.
    pub fn sync(&self) -> Vec<String> {
        self.send("isready").until("readyok").0
    }

    /// What is left until the output ends.
    pub fn rest(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.0.recv_until(Instant::now() + PATIENCE) {
                Event::Line(text, _) => lines.push(text),
                Event::Eof => return lines,
                other => panic!("expected lines or the end, got {other:?}"),
            }
        }
    }

    /// Closes the input and waits for the end: the last lines, and the exit status.
    pub fn end(&self) -> (Vec<String>, ExitStatus) {
        self.0.close_stdin();
        let lines = self.rest();
        let status = self.0.wait_until(Instant::now() + PATIENCE).unwrap().expect("the program ends");
        (lines, status)
    }
}

/// How many lines are answers.
pub fn answers(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}
