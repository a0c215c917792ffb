//! `kelso` without a command: the engine, spoken to on standard input and output.

use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;

use super::Outcome;
use engine::Engine;
use protocol::{FirstLine, Protocol, Session};

/// Holds a session on standard input and output.
///
/// # Errors
///
/// When the engine can't start or its output can't be written.
pub(super) fn run() -> Outcome {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        // A person who started this by hand wants to know what it is, and mostly wants a board.
        super::say(&format!(
            "Kelso {}: \"kelso play\" is a game in the terminal, \"kelso serve\" one in the browser; \"help\" lists what can be typed here.",
            env!("CARGO_PKG_VERSION")
        ));
    }
    hold(FirstLine::default())
}

/// Holds a session in a protocol on standard input and output.
pub(super) fn hold(protocol: impl Protocol) -> Outcome {
    let engine = Engine::new()?;
    match Session::hold(engine, protocol, BufReader::new(io::stdin()), io::stdout()) {
        Err(error) => Err(error.into()),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}
