//! The `kelso` program.

use std::process::ExitCode;

use clap::Parser;
use kelso::cli::{self, Arguments};

fn main() -> ExitCode {
    match cli::run(&Arguments::parse()) {
        Ok(status) => status,
        Err(failure) => {
            #[expect(clippy::print_stderr, reason = "the one place where a failed command says why")]
            {
                eprintln!("error: {failure}");
            }
            ExitCode::from(2)
        }
    }
}
