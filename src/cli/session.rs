//! The engine's session on standard input and output: in the protocol of its first line, or by `kelso hub` in
//! Hub.

use std::io::{self, BufReader, IsTerminal, Write};

use crate::cli::outcome::{Outcome, Status, say};
use kelso_engine::{Engine, EngineSettings};
use kelso_players::session::ProtocolPlayer;
use kelso_protocol::{Autodetect, Hub, Protocol, Session};
use kelso_runtime::lines::{InputLine, read_lines};

/// Speak the Hub protocol on standard input and output
#[derive(clap::Args, Debug)]
pub struct Args {}

pub fn run(_: &Args) -> Outcome {
    run_session(Hub::default())
}

/// Runs a session in the protocol of its first line.
pub fn run_session_of_first_line() -> Outcome {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        say(&format!(
            "Kelso {}: \"kelso play\" starts a game in the terminal, \"kelso serve\" one in the browser; \"help\" lists the commands here.",
            env!("CARGO_PKG_VERSION")
        ));
    }
    run_session(Autodetect::default())
}

fn run_session(protocol: impl Protocol) -> Outcome {
    Session::run(Engine::new(EngineSettings::installed())?, protocol, read, write)?;
    Ok(Status::Success)
}

pub fn run_player(player: impl ProtocolPlayer + Send + 'static) -> Outcome {
    kelso_players::session::run(player, read, write)?;
    Ok(Status::Success)
}

fn read(handle: &mut dyn FnMut(InputLine) -> bool) {
    read_lines(BufReader::new(io::stdin()), handle);
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
