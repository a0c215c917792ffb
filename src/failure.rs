//! The message and the exit status of a command that failed.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use crate::cli::outcome::say;
use kelso_batch::error::{RunError, Salvage};
use kelso_endgames::build::BuildError;
use kelso_laboratory::PlayerSpecError;
use kelso_protocol::SessionError;
use kelso_text::system::without_codes;
use kelso_tournament::collection::CollectionError;
use kelso_tournament::play::MatchError;
use kelso_tournament::schedule::ScheduleError;
use kelso_training::GamesError;
use kelso_transcripts::source::SourceError;

pub fn report(error: &anyhow::Error) -> ExitCode {
    let text = match output_error(error) {
        // The reader of the output, such as `head`, has exited.
        Some(error) if error.kind() == ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Some(error) => format!("cannot write the output: {error}"),
        None => message(error),
    };
    say(&format!("error: {text}"));
    ExitCode::from(2)
}

/// Returns the reason why the output could not be written, if the command failed for it.
fn output_error(error: &anyhow::Error) -> Option<&io::Error> {
    if let Some(RunError::Stdout(error)) = error.chain().find_map(run_error) {
        Some(error)
    } else if let Some(SessionError::Write(error)) = error.downcast_ref() {
        Some(error)
    } else {
        // An error with context does not come from the output.
        error.downcast_ref().filter(|_| error.source().is_none())
    }
}

/// Joins an error, its causes, and the option that remedies it.
fn message(error: &anyhow::Error) -> String {
    let remedy = error.chain().find_map(remedy).map_or_else(String::new, |remedy| format!("; {remedy}"));
    without_codes(&format!("{error:#}{remedy}"))
}

/// Returns the option that remedies an error.
fn remedy(error: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(CollectionError::Different { is_program: true, .. }) = error.downcast_ref() {
        return Some("use --any-program to combine them anyway");
    }
    if let Some(MatchError::Schedule(ScheduleError::TooFewEngines(_))) = error.downcast_ref() {
        return Some("use --engine for each");
    }
    if let Some(PlayerSpecError::RandomEngine) = error.downcast_ref() {
        return Some("use kelso match --engine random");
    }
    Some(match run_error(error)? {
        RunError::Exists { resumable: true, .. } => {
            "use --resume to continue it or --overwrite to replace it"
        }
        RunError::Exists { resumable: false, .. } => "use --overwrite to replace it",
        RunError::Busy(_) => "wait for it to end, or use another --out",
        RunError::OtherRun { .. } => "use the same settings or another --out",
        RunError::ChangedProgram { .. } => {
            "use --any-program to mix results of different programs, or another --out"
        }
        RunError::Damaged { salvage: Salvage::Lines, .. } => "use --salvage to skip damaged lines",
        RunError::Damaged { salvage: Salvage::Start, .. } => {
            "use --salvage to keep the steps before this line, or --overwrite to start again"
        }
        _ => return None,
    })
}

/// Returns the error of a file. Another error that passes it on hides it from the chain of sources.
fn run_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a RunError> {
    if let Some(BuildError::Create(error)) = error.downcast_ref() {
        Some(error)
    } else if let Some(CollectionError::File(error)) = error.downcast_ref() {
        Some(error)
    } else if let Some(GamesError::File(error)) = error.downcast_ref() {
        Some(error)
    } else if let Some(MatchError::File(error)) = error.downcast_ref() {
        Some(error)
    } else if let Some(SourceError::Unreadable(error)) = error.downcast_ref() {
        Some(error)
    } else {
        error.downcast_ref()
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn every_cause_is_named_once_with_its_remedy() {
        let cause = || Err::<(), _>(io::Error::other("disk full"));
        assert_eq!(
            message(&cause().context("cannot write a.pdn").unwrap_err()),
            "cannot write a.pdn: disk full"
        );
        assert_eq!(message(&anyhow!("no games")), "no games");
        let exists = || RunError::Exists { path: "a.jsonl".into(), resumable: true };
        let text = "\"a.jsonl\" already exists; use --resume to continue it or --overwrite to replace it";
        let errors: [anyhow::Error; 6] = [
            exists().into(),
            BuildError::from(exists()).into(),
            CollectionError::from(exists()).into(),
            GamesError::from(exists()).into(),
            MatchError::from(exists()).into(),
            SourceError::from(exists()).into(),
        ];
        for error in errors {
            assert_eq!(message(&error), text);
            assert_eq!(message(&error.context("a")), format!("a: {text}"));
        }
        assert_eq!(
            message(&anyhow!("cannot read a: not found (os error 2); use b (os error 3)")),
            "cannot read a: not found; use b"
        );
    }
    #[test]
    fn only_the_output_can_be_closed_early() {
        let closed = || io::Error::from(ErrorKind::BrokenPipe);
        let stdout = || RunError::Stdout(closed());
        for error in [closed().into(), stdout().into(), anyhow!(stdout()).context("a")] {
            assert!(output_error(&error).is_some(), "{error:#}");
        }
        assert!(output_error(&MatchError::from(stdout()).into()).is_some());
        assert!(output_error(&SessionError::Write(closed()).into()).is_some());
        assert!(output_error(&anyhow!(closed()).context("a")).is_none());
    }
}
