//! `kelso random-engine`: the built-in engine `random` of matches, as a process of its own.

use std::io::{self, BufReader};
use std::process::ExitCode;

use super::Outcome;
use players::random::RandomEngine;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Seed of the random choices, until the option `Seed` is set
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Speaks the native protocol on standard input and output.
///
/// # Errors
///
/// When the output cannot be written.
pub fn run(args: &Args) -> Outcome {
    match RandomEngine::new(args.seed).run(BufReader::new(io::stdin()), io::stdout()) {
        // The reader has closed the output.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}
