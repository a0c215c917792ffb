//! `kelso completions`.

use std::io::{Write, stdout};

use crate::cli::Arguments;
use crate::cli::outcome::{Outcome, Status};
use clap::CommandFactory;
use clap_complete::{Shell, generate};

/// Print shell completions
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> Outcome {
    // Write into memory first, since the generator panics if the output cannot be written.
    let mut text = Vec::new();
    generate(args.shell, &mut Arguments::command(), "kelso", &mut text);
    stdout().lock().write_all(&text)?;
    Ok(Status::Success)
}
