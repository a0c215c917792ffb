//! `kelso` without a command, and `kelso hub`: sessions on standard input and output.

use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;

use super::Outcome;
use engine::{Engine, Options};
use laboratory::CATALOG;
use protocol::{Autodetect, Protocol, Session};

/// Runs a session in the protocol of its first line.
pub(super) fn run() -> Outcome {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        super::say(&format!(
            "Kelso {}: \"kelso play\" starts a game in the terminal, \"kelso serve\" one in the browser; \"help\" lists the commands here.",
            env!("CARGO_PKG_VERSION")
        ));
    }
    run_session(Autodetect::new(CATALOG))
}

/// Runs a session in a protocol.
pub(super) fn run_session(protocol: impl Protocol) -> Outcome {
    let engine = Engine::with_catalog(CATALOG, Options::default().hash)?;
    Session::run(engine, protocol, BufReader::new(io::stdin()), io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
