//! Why a transcript failed.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use players::process::Event;

/// Why a transcript failed, and what led to it.
#[derive(Debug)]
pub struct CaseFailure {
    /// The number of the line in the file that was not met.
    pub line: usize,
    /// What went wrong.
    pub reason: Reason,
    /// The last lines that went to and fro, marked `>` and `<`, the last one last.
    pub log: Vec<String>,
    /// The end of what the engine wrote to stderr.
    pub errors: String,
}

impl CaseFailure {
    /// How much of the conversation is kept.
    const CONTEXT: usize = 10;

    /// Adds a line to a log, and forgets the oldest.
    pub(super) fn note(log: &mut Vec<String>, line: String) {
        if log.len() >= Self::CONTEXT {
            log.remove(0);
        }
        log.push(line);
    }
}

/// What went wrong.
#[derive(Debug)]
pub enum Reason {
    /// A line came that nothing here expects.
    Unexpected {
        /// The line.
        line: String,
        /// The line of the transcript that should have been met; none at the end.
        expected: Option<String>,
    },
    /// A line did not come.
    Missing {
        /// The line of the transcript that should have been met.
        expected: String,
        /// The time that it had.
        waited: Duration,
    },
    /// The engine ended.
    Ended {
        /// The line of the transcript that was not reached.
        before: String,
        /// How it ended; none if it has only closed its output.
        status: Option<ExitStatus>,
    },
    /// The engine did not end.
    Running(Duration),
    /// The engine did not end as it should have.
    Status {
        /// The status that was expected; none for any.
        expected: Option<i32>,
        /// How it ended.
        status: ExitStatus,
    },
    /// The engine does not read its input.
    NotReading(Duration),
    /// The engine prints without end.
    Flood,
    /// The engine printed a line too long to be one.
    Overlong,
    /// The user ended the run.
    Interrupted,
    /// The system failed.
    Io(String),
}

impl Reason {
    /// What an event means that is no line.
    pub(super) fn of_event(event: &Event) -> Self {
        match event {
            Event::Overlong => Self::Overlong,
            _ => Self::Flood,
        }
    }

    /// What was expected and what came, where it is a matter of lines.
    #[must_use]
    pub fn difference(&self) -> Option<(&str, &str)> {
        match self {
            Self::Unexpected { line, expected } => {
                Some((expected.as_deref().unwrap_or("the end of output"), line))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { expected: Some(_), .. } => write!(f, "unexpected line"),
            Self::Unexpected { expected: None, .. } => write!(f, "unexpected line at the end"),
            Self::Missing { expected, waited } => {
                write!(f, "no line within {} s that meets \"{expected}\"", waited.as_secs_f64())
            }
            Self::Ended { before, status: Some(status) } => {
                write!(f, "the engine ended before \"{before}\" ({})", ending(*status))
            }
            Self::Ended { before, status: None } => {
                write!(f, "the engine closed its output before \"{before}\"")
            }
            Self::Running(waited) => {
                write!(f, "the engine did not end within {} s", waited.as_secs_f64())
            }
            Self::Status { expected: Some(expected), status } => {
                write!(f, "{}, expected {expected}", ending(*status))
            }
            Self::Status { expected: None, status } => {
                write!(f, "{}, expected an exit status", ending(*status))
            }
            Self::NotReading(waited) => {
                write!(f, "the engine did not read its input within {} s", waited.as_secs_f64())
            }
            Self::Flood => write!(f, "the engine floods its output"),
            Self::Overlong => {
                write!(f, "the engine printed a line of more than {} bytes", players::process::LONGEST_LINE)
            }
            Self::Interrupted => write!(f, "interrupted"),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

/// How an engine ended, in the same words on all systems where it ended by itself.
fn ending(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"))
}
