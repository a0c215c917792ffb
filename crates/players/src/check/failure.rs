//! Failures of steps, with hints for the author of the engine.

use crate::player::{Fault, FaultKind, PlayerError};
use kelso_protocol::OptionFault;

/// The result of a step or part of a step: what was observed, or why it failed.
pub(super) type Checked<T = String> = Result<T, Failure>;

/// A failed step.
pub(super) enum Failure {
    Skipped(&'static str),
    Failed { reason: String, cause: Cause },
}

/// The kind of failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// The engine could not be started.
    Start,
    /// The engine exited, or closed its output.
    Crash,
    /// The engine exited when required, but with a non-zero status.
    Status,
    /// The engine did not answer.
    Silence,
    /// The engine printed more than a client can read.
    Flood,
    /// The engine answered only after `stop`, with this line.
    Searching(String),
    /// The engine gave a wrong answer.
    Answer,
}

impl Failure {
    pub(super) fn new(cause: Cause, reason: impl Into<String>) -> Self {
        Self::Failed { reason: reason.into(), cause }
    }

    pub(super) fn of(error: &PlayerError) -> Self {
        let cause = match error {
            PlayerError::Fault(Fault { kind: FaultKind::Crash, .. }) => Cause::Crash,
            PlayerError::Fault(Fault { kind: FaultKind::Hang, .. }) => Cause::Silence,
            PlayerError::Fault(Fault { kind: FaultKind::Flood, .. }) => Cause::Flood,
            PlayerError::Fault(_) | PlayerError::Stopped => Cause::Answer,
        };
        Self::new(cause, error.to_string())
    }

    /// Adds the request that failed.
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

impl From<OptionFault> for Failure {
    fn from(fault: OptionFault) -> Self {
        fault.to_string().into()
    }
}

impl Cause {
    /// Returns the likely cause of a failure: `usual` for a wrong answer and, if the step tests whether the
    /// engine answers, also for silence.
    pub(super) fn hint(&self, usual: &str, is_about_silence: bool) -> String {
        match self {
            Self::Start => "check the path of the program, and that it is executable; give a command line such as \"python3 mine.py\", without cmd= or args=".into(),
            Self::Crash => "it exited on its own: run it by hand with the same lines to see why".into(),
            Self::Status => "a status other than 0 is a failure: it may have crashed while exiting".into(),
            Self::Silence if !is_about_silence => {
                "it may have stopped reading its input, fail to flush its output, or be stuck in a loop"
                    .into()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::fault;

    #[test]
    fn faults_have_causes() {
        for (kind, cause) in [
            (FaultKind::Crash, Cause::Crash),
            (FaultKind::Hang, Cause::Silence),
            (FaultKind::Flood, Cause::Flood),
            (FaultKind::IllegalMove, Cause::Answer),
        ] {
            let failure = Failure::of(&fault(kind, "detail"));
            assert_eq!(failure.cause(), Some(&cause));
            let Failure::Failed { reason, cause: found } = failure.at("here") else { panic!("skipped") };
            assert_eq!((reason.as_str(), found), ("here: detail", cause));
        }
        let skipped = Failure::Skipped("no").at("here");
        assert!(skipped.cause().is_none() && matches!(skipped, Failure::Skipped("no")));
        assert_eq!(Failure::from("wrong".to_owned()).cause(), Some(&Cause::Answer));
    }

    #[test]
    fn each_cause_has_its_hint() {
        for (cause, otherwise, about_silence) in [
            (Cause::Start, "check the path", "check the path"),
            (Cause::Crash, "it exited on its own", "it exited on its own"),
            (Cause::Status, "a status other than 0", "a status other than 0"),
            (Cause::Silence, "it may have stopped reading", "usual"),
            (Cause::Flood, "it may print in a loop", "it may print in a loop"),
            (Cause::Answer, "usual", "usual"),
        ] {
            for (is_about_silence, start) in [(false, otherwise), (true, about_silence)] {
                let hint = cause.hint("usual", is_about_silence);
                assert!(hint.starts_with(start), "{cause:?}: {hint}");
            }
        }
        let hint = Cause::Searching("bestmove 1-5".to_owned()).hint("usual", true);
        assert!(
            hint.starts_with("it was still searching and answered \"stop\" with \"bestmove 1-5\""),
            "{hint}"
        );
    }
}
