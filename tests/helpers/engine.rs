//! The program, driven through its pipes, with deadlines.
use std::ffi::OsStr;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use kelso_process::{CommandLine, Event, Process};

/// Maximum time to wait for an answer.
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

    /// Returns the next line and the time of its arrival.
    pub fn line(&self) -> (String, Instant) {
        match self.0.recv_until(Instant::now() + PATIENCE) {
            Event::Line(text, at) => (text, at),
            other => panic!("expected a line, got {other:?}"),
        }
    }

    /// Returns the lines up to and including the first that begins with `prefix`.
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

    /// Waits until all lines sent so far have been processed.
    pub fn sync(&self) -> Vec<String> {
        self.send("isready").until("readyok").0
    }

    /// Returns the remaining lines.
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

    /// Closes the input, waits for the exit, and returns the remaining lines and the status.
    pub fn end(&self) -> (Vec<String>, ExitStatus) {
        self.0.close_stdin();
        let lines = self.rest();
        let status = self.0.wait_until(Instant::now() + PATIENCE).unwrap().expect("the program ends");
        (lines, status)
    }
}

/// Counts the `bestmove` lines.
pub fn answers(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}
