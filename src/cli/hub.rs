//! `kelso hub`: the engine, spoken to in the language of Hub.

use super::Outcome;
use protocol::Hub;

/// There is nothing to choose.
#[derive(clap::Args, Debug)]
pub struct Args;

/// Holds a session on standard input and output.
///
/// # Errors
///
/// When the engine can't start or its output can't be written.
pub fn run(_: &Args) -> Outcome {
    super::protocol::hold(Hub::default())
}
