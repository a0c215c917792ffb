//! The message and the exit status of a command that failed.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use crate::cli::outcome::say;
use kelso_batch::error::{RunError, Salvage};
use kelso_laboratory::PlayerSpecError;
use kelso_protocol::SessionError;
use kelso_text::system::without_codes;
use kelso_tournament::collection::CollectionError;
use kelso_tournament::play::MatchError;
use kelso_tournament::schedule::ScheduleError;
use kelso_training::GamesError;

pub fn report(error: &anyhow::Error) -> ExitCode {
    let output = match (error.downcast_ref(), error.downcast_ref()) {
        (Some(RunError::Stdout(error)), _) | (_, Some(SessionError::Write(error))) => Some(error),
        // An error with context does not come from the output.
        _ => error.downcast_ref::<io::Error>().filter(|_| error.source().is_none()),
    };
    let text = match output {
        // The reader of the output, such as `head`, has exited.
        Some(error) if error.kind() == ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Some(error) => format!("cannot write the output: {error}"),
        None => message(error),
    };
    say(&format!("error: {text}"));
    ExitCode::from(2)
}

/// Joins an error, its causes, and the option that remedies it.
fn message(error: &anyhow::Error) -> String {
    let remedy = error.chain().find_map(remedy).map_or_else(String::new, |remedy| format!("; {remedy}"));
    without_codes(&format!("{error:#}{remedy}"))
}

/// Returns the option that remedies an error.
fn remedy(error: &(dyn Error + 'static)) -> Option<&'static str> {
    match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(CollectionError::Different { is_program: true, .. }), ..) => {
            return Some("use --any-program to combine them anyway");
        }
        (_, Some(MatchError::Schedule(ScheduleError::TooFewEngines(_))), _) => {
            return Some("use --engine for each");
        }
        (.., Some(PlayerSpecError::RandomEngine)) => return Some("use kelso match --engine random"),
        _ => {}
    }
    Some(match file_error(error)? {
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

/// Returns the error of a file, which another error may pass on.
fn file_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a RunError> {
    match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(CollectionError::File(error)), ..)
        | (_, Some(MatchError::File(error)), _)
        | (.., Some(GamesError::File(error))) => Some(error),
        _ => error.downcast_ref(),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn every_cause_is_named_once() {
        let cause = || Err::<(), _>(io::Error::other("disk full"));
        assert_eq!(
            message(&cause().context("cannot write a.pdn").unwrap_err()),
            "cannot write a.pdn: disk full"
        );
        assert_eq!(message(&anyhow!("no games")), "no games");
        let exists = || RunError::Exists { path: "a.jsonl".into(), resumable: true };
        let text = "\"a.jsonl\" already exists; use --resume to continue it or --overwrite to replace it";
        assert_eq!(message(&exists().into()), text);
        assert_eq!(message(&CollectionError::from(exists()).into()), text);
        assert_eq!(message(&anyhow!(MatchError::from(exists())).context("a")), format!("a: {text}"));
        assert_eq!(
            message(&anyhow!("cannot read a: not found (os error 2); use b (os error 3)")),
            "cannot read a: not found; use b"
        );
    }
}
