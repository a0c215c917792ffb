//! Sessions on standard input and output: `kelso` without a command, `kelso hub`, and the engine `random` of matches.

use std::io::{self, BufReader, IsTerminal, Write};

use super::{Outcome, Status};
use engine::{Engine, Options};
use laboratory::CATALOG;
use players::random::RandomEngine;
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
    let mut out = io::stdout();
    Session::run(engine, protocol, BufReader::new(io::stdin()), |text| {
        out.write_all(text.as_bytes())?;
        out.flush()
    })?;
    Ok(Status::Success)
}

/// Runs the engine that plays random moves, until the input or the reader of the output ends.
pub(super) fn run_random(seed: u64) -> Outcome {
    RandomEngine::new(seed).run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Status::Success)
}
