//! Failures of transcripts.

use std::process::ExitStatus;
use std::time::Duration;

use players::process::{Event, MAX_LINE};
use thiserror::Error;

/// The failure of a transcript.
#[derive(Debug)]
pub struct CaseFailure {
    /// The number of the line in the file.
    pub line: usize,
    /// The reason.
    pub reason: Reason,
    /// The last lines sent and received, marked `>` and `<`.
    pub log: Vec<String>,
    /// The end of what the engine wrote to stderr.
    pub stderr: String,
}

impl CaseFailure {
    /// The number of lines that are kept.
    const CONTEXT: usize = 10;

    /// Adds a line to a log, and removes the oldest.
    pub(super) fn note(log: &mut Vec<String>, line: String) {
        if log.len() >= Self::CONTEXT {
            log.remove(0);
        }
        log.push(line);
    }
}

/// The reason of a failure.
#[derive(Error, Debug)]
pub enum Reason {
    /// An unexpected line.
    #[error("unexpected line{}", if expected.is_none() { " at the end" } else { "" })]
    Unexpected {
        /// The line.
        line: String,
        /// The expected line of the transcript; none at the end.
        expected: Option<String>,
    },
    /// A missing line.
    #[error("no line within {} s that matches \"{expected}\"", waited.as_secs_f64())]
    Missing {
        /// The expected line of the transcript.
        expected: String,
        /// The time waited.
        waited: Duration,
    },
    /// The engine ended.
    #[error("{} before \"{before}\"", match status {
        Some(status) => format!("the engine ended with {}", describe(*status)),
        None => "the engine closed its output".to_owned(),
    })]
    Ended {
        /// The line of the transcript that was not reached.
        before: String,
        /// The status; none if it has only closed its output.
        status: Option<ExitStatus>,
    },
    /// The engine did not end.
    #[error("the engine did not end within {} s", .0.as_secs_f64())]
    Running(Duration),
    /// The engine ended with another status.
    #[error("{}, expected {}", describe(*status), expected.map_or("any exit status".to_owned(), |code| code.to_string()))]
    Status {
        /// The expected status; none for any.
        expected: Option<i32>,
        /// The status.
        status: ExitStatus,
    },
    /// The engine does not read its input.
    #[error("the engine did not read its input within {} s", .0.as_secs_f64())]
    NotReading(Duration),
    /// The engine floods its output.
    #[error("the engine flooded its output")]
    Flood,
    /// The engine printed a line that is too long.
    #[error("the engine printed a line of more than {MAX_LINE} bytes")]
    Overlong,
    /// The user stopped the run.
    #[error("interrupted")]
    Interrupted,
    /// The system reported an error.
    #[error("{0}")]
    Io(String),
}

impl Reason {
    /// Returns the reason for an event that is not a line.
    pub(super) fn of_event(event: &Event) -> Self {
        match event {
            Event::Overlong => Self::Overlong,
            _ => Self::Flood,
        }
    }

    /// Returns the expected and the actual line, if they differ.
    #[must_use]
    pub fn difference(&self) -> Option<(&str, &str)> {
        match self {
            Self::Unexpected { line, expected } => {
                Some((expected.as_deref().unwrap_or("the end of the output"), line))
            }
            _ => None,
        }
    }
}

/// Describes an exit status, in the same words on all systems.
fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"))
}
