//! The `kelso` program.

mod cli;
mod failure;

use std::process::ExitCode;

use cli::Arguments;
use log::LevelFilter;

fn main() -> ExitCode {
    env_logger::Builder::new().filter_level(LevelFilter::Off).parse_default_env().init();
    match cli::run(&Arguments::from_command_line()) {
        Ok(status) => status.into(),
        Err(error) => failure::report(&error),
    }
}
