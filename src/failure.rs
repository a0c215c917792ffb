//! The message and the exit status of a command that failed.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use crate::cli::outcome::say;
use kelso_batch::error::RunError;
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

/// Joins an error and its causes, and the options that help. An error that states its cause in its own text
/// has no source.
fn message(error: &anyhow::Error) -> String {
    let hint = error.chain().find_map(hint).map_or_else(String::new, |hint| format!("; {hint}"));
    without_codes(&format!("{error:#}{hint}"))
}

/// Returns the options that remedy an error, if there are any.
fn hint(error: &(dyn Error + 'static)) -> Option<&'static str> {
    const EXISTS: &str = "use --resume to continue it or --overwrite to replace it";
    const CHANGED: &str = "use --any-program to mix results of different programs, or another --out";
    const COMBINE: &str = "use --any-program to combine them anyway";
    const KEEP: &str = "use --salvage to keep the steps before this line, or --overwrite to start again";
    let of_run = run_error(error).and_then(|error| match error {
        RunError::Exists { resumable: true, .. } => Some(EXISTS),
        RunError::Exists { .. } => Some("use --overwrite to replace it"),
        RunError::Busy(_) => Some("wait for it to end, or use another --out"),
        RunError::OtherRun { .. } => Some("use the same settings or another --out"),
        RunError::ChangedProgram { .. } => Some(CHANGED),
        RunError::Damaged { remedy: None, ordered: true, .. } => Some(KEEP),
        RunError::Damaged { remedy: None, .. } => Some("use --salvage to skip damaged lines"),
        _ => None,
    });
    let of_match = match (error.downcast_ref(), error.downcast_ref()) {
        (Some(MatchError::Schedule(ScheduleError::TooFewEngines(_))), _) => Some("use --engine for each"),
        (_, Some(CollectionError::Different { is_program: true, .. })) => Some(COMBINE),
        _ => None,
    };
    of_run.or(of_match)
}

/// Returns the error of a run, also from within the errors that show it as their own.
fn run_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a RunError> {
    if let Some(GamesError::File(error)) = error.downcast_ref() {
        return Some(error);
    }
    if let Some(CollectionError::File(error)) = error.downcast_ref() {
        return Some(error);
    }
    if let Some(MatchError::File(error)) = error.downcast_ref() {
        return Some(error);
    }
    error.downcast_ref()
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
        let hinted = "\"a.jsonl\" already exists; use --resume to continue it or --overwrite to replace it";
        assert_eq!(message(&exists().into()), hinted);
        assert_eq!(message(&CollectionError::from(exists()).into()), hinted);
        assert_eq!(message(&MatchError::from(exists()).into()), hinted);
        assert_eq!(message(&GamesError::from(exists()).into()), hinted);
        assert_eq!(
            message(&anyhow!("cannot read a: not found (os error 2); use b (os error 3)")),
            "cannot read a: not found; use b"
        );
    }
}
