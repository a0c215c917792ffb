//! The end of a command: its result, its exit status, and what happens to its work after an interrupt.

use std::io::{self, Write};
use std::process::ExitCode;

use kelso_batch::signal;
use kelso_runtime::stop::StopToken;
use kelso_text::system::without_codes;

/// The result of a subcommand, or an error, which is shown as `error: ...` with exit status 2.
pub type Outcome = anyhow::Result<Status>;

/// How a command ended, which determines its exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The work is done, and nothing is wrong.
    Success,
    /// The work is done, but something is wrong or nothing was found.
    Failure,
    /// An input could not be read. The exit status is the same as after an error.
    Unreadable,
    Interrupted,
}

impl From<bool> for Status {
    fn from(is_well: bool) -> Self {
        if is_well { Self::Success } else { Self::Failure }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Success => 0,
            Status::Failure => 1,
            Status::Unreadable => 2,
            Status::Interrupted => signal::status(),
        })
    }
}

/// Describes how to resume a run. Resuming replaces report files.
pub(crate) const fn resume_hint(has_reports: bool) -> &'static str {
    if has_reports { "to resume, repeat the command with --resume --overwrite" } else { RESUME }
}

/// The remedy for an interrupted command that can be resumed. Such a command has not written its reports, so
/// that the same command can write them.
pub(crate) const RESUME: &str = "to resume, repeat the command with --resume";
/// For a command that writes its files only at the end.
pub(crate) const NOTHING_KEPT: &str = "nothing is kept";
/// For a command that reports the results so far.
pub(crate) const INCOMPLETE: &str = "the results are incomplete, and cannot be resumed";

/// Reports that a command was interrupted, and what happens to its work. Returns the exit status.
pub(crate) fn interrupted(work: &str) -> Status {
    say(&format!("interrupted; {work}"));
    Status::Interrupted
}

/// Returns a token that the first signal stops, so that the command finishes its current step. A second
/// signal ends the program immediately, which is as safe for its files as a kill.
pub(crate) fn stop_on_signal() -> StopToken {
    let stop = StopToken::default();
    let token = stop.clone();
    signal::listen(move || {
        if token.is_stopped() {
            signal::exit();
        }
        token.stop();
    });
    stop
}

/// Prints a line on standard error. Ignores errors, since standard error may be closed.
pub(crate) fn say(line: &str) {
    drop(writeln!(io::stderr().lock(), "{}", without_codes(line)));
}
