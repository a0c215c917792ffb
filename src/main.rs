//! The `kelso` program.

mod cli;
mod serve;
mod terminal;

use std::process::ExitCode;

use cli::Arguments;
use log::LevelFilter;

fn main() -> ExitCode {
    env_logger::Builder::new().filter_level(LevelFilter::Off).parse_default_env().init();
    match cli::run(&Arguments::from_command_line()) {
        Ok(status) => status,
        Err(failure) if failure.0.is_empty() => ExitCode::SUCCESS,
        Err(failure) => {
            #[expect(clippy::print_stderr, reason = "the one place where a failed command says why")]
            {
                eprintln!("error: {failure}");
            }
            ExitCode::from(2)
        }
    }
}
