//! Why a step did not pass, and what its author can look for.

use crate::game::{Fault, PlayerError};
use draughts::referee::EndReason;

/// The result of a step, or of a part of one: what was seen, or why it did not pass.
pub(super) type Checked<T = String> = Result<T, Failure>;

/// A step that did not pass.
pub(super) enum Failure {
    Skipped(&'static str),
    Failed { reason: String, cause: Cause },
}

/// The kind of a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// It could not be started.
    Start,
    /// It ended, or closed its output.
    Crash,
    /// It ended as it should, but with another status than 0.
    Status,
    /// It did not answer.
    Silence,
    /// It printed more than a client can read.
    Flood,
    /// It answered the step only after `stop`, with this line.
    Searching(String),
    /// It answered, but not as it should.
    Answer,
}

impl Failure {
    pub(super) fn new(cause: Cause, reason: impl Into<String>) -> Self {
        Self::Failed { reason: reason.into(), cause }
    }

    pub(super) fn of(error: &PlayerError) -> Self {
        let cause = match error {
            PlayerError::Fault(Fault { reason: EndReason::Crash, .. }) => Cause::Crash,
            PlayerError::Fault(Fault { reason: EndReason::Hang, .. }) => Cause::Silence,
            PlayerError::Fault(Fault { reason: EndReason::Flood, .. }) => Cause::Flood,
            PlayerError::Fault(_) | PlayerError::Stopped => Cause::Answer,
        };
        Self::new(cause, error.to_string())
    }

    /// Adds what was asked when it failed.
    pub(super) fn at(self, place: &str) -> Self {
        match self {
            Self::Failed { reason, cause } => Self::new(cause, format!("{place}: {reason}")),
            skipped @ Self::Skipped(_) => skipped,
        }
    }

    pub(super) const fn cause(&self) -> Option<&Cause> {
        match self {
            Self::Failed { cause, .. } => Some(cause),
            Self::Skipped(_) => None,
        }
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self::new(Cause::Answer, reason)
    }
}

impl Cause {
    /// Returns what may have led to the failure of a step: `usual` for an answer that is wrong, and for silence where the
    /// step is about answering at all.
    pub(super) fn hint(&self, usual: &str, is_about_silence: bool) -> String {
        match self {
            Self::Start => "check the path of the program, and that it may be executed".into(),
            Self::Crash => "it ended by itself: run it by hand with the same lines to see why".into(),
            Self::Status => "another status than 0 is a failure: it may have crashed while it ended".into(),
            Self::Silence if !is_about_silence => {
                "it may have stopped reading its input, not flush its output, or be caught in a loop".into()
            }
            Self::Flood => {
                "it may print in a loop; a search needs few lines, such as one for each depth".into()
            }
            Self::Searching(line) => format!(
                "it was still searching and answered \"stop\" with \"{line}\": it may have started a search without a limit"
            ),
            Self::Silence | Self::Answer => usual.into(),
        }
    }
}
