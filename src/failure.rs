//! The message and the exit status of a command that failed.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use crate::cli::outcome::say;
use runs::file::WriteError;
use runs::outputs::OutputError;
use text::system::without_codes;

pub fn report(error: &anyhow::Error) -> ExitCode {
    let written = match error.downcast_ref() {
        Some(OutputError::Write(error)) => Some(error),
        _ => error.downcast_ref::<WriteError>(),
    };
    let output = match written {
        Some(WriteError::Stdout(error)) => Some(error),
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

/// Joins an error and its causes, except those that its text already contains.
fn message(error: &anyhow::Error) -> String {
    let text =
        error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
            "" => cause,
            _ if text.contains(&cause) => text,
            _ => format!("{text}: {cause}"),
        });
    without_codes(&text)
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
        let error = cause().context("disk full in a.pdn").context("cannot finish").unwrap_err();
        assert_eq!(message(&error), "cannot finish: disk full in a.pdn");
        assert_eq!(message(&anyhow!("no games")), "no games");
        assert_eq!(
            message(&anyhow!("cannot read a: not found (os error 2); use b (os error 3)")),
            "cannot read a: not found; use b"
        );
    }
}
