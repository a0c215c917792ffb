//! Failures of transcripts.

use std::process::ExitStatus;

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
    /// Any other reason.
    #[error("{0}")]
    Other(String),
}

impl Reason {
    /// Returns the reason for an event that is not a line.
    pub(super) fn of_event(event: &Event) -> Self {
        Self::Other(match event {
            Event::Overlong => format!("the engine printed a line of more than {MAX_LINE} bytes"),
            _ => "the engine flooded its output".to_owned(),
        })
    }
}

/// Describes an exit status, in the same words on all systems.
pub(super) fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"))
}
