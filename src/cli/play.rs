//! `kelso` without a command: the engine, spoken to on standard input and output.

use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;

use super::{Failure, Outcome};
use crate::engine::Engine;
use crate::protocol::{FirstLine, Protocol, Session};

/// Holds a session on standard input and output.
///
/// # Errors
///
/// When the engine can't start or its output can't be written.
pub(super) fn run() -> Outcome {
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        #[expect(clippy::print_stderr, reason = "a person who started this by hand wants to know what it is")]
        {
            eprintln!(
                "This is Kelso {}, an engine for English draughts, waiting for commands. Type \"help\" for a list of them.",
                env!("CARGO_PKG_VERSION")
            );
        }
    }
    hold(FirstLine::default())
}

/// Holds a session in a protocol on standard input and output.
pub(super) fn hold(protocol: impl Protocol) -> Outcome {
    let engine = Engine::new().map_err(|error| Failure::of(&error))?;
    match Session::hold(engine, protocol, BufReader::new(io::stdin()), io::stdout()) {
        Err(error) => Err(error.into()),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}
