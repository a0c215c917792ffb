//! The message and the exit status of a command that failed.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use crate::cli::outcome::say;
use kelso_batch::error::RunError;
use kelso_protocol::SessionError;
use kelso_text::system::without_codes;

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

/// Joins an error and its causes. An error that states its cause in its own text has no source.
fn message(error: &anyhow::Error) -> String {
    without_codes(&format!("{error:#}"))
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
        assert_eq!(
            message(&anyhow!("cannot read a: not found (os error 2); use b (os error 3)")),
            "cannot read a: not found; use b"
        );
    }
}
