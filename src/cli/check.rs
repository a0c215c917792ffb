//! `kelso check`: whether an engine does what its protocol asks.

use std::io::{self, Write, stdout};
use std::process::ExitCode;
use std::time::Duration;

use super::{Failure, Outcome};
use crate::arena::check::{self, Exam, Finding, STEPS};
use crate::arena::spec::Protocol;
use crate::process::CommandLine;

/// What to check.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The engine's command line
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// Its folder
    #[arg(long, value_name = "FOLDER")]
    dir: Option<std::path::PathBuf>,
    /// Its language
    #[arg(long, value_enum, default_value_t)]
    proto: Protocol,
    /// How many milliseconds late an answer may be
    #[arg(long, value_name = "MS", default_value_t = 200)]
    margin: u32,
    /// How many seconds it may take for everything but thinking
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    timeout: u32,
}

/// Checks the engine; the status is 1 if a step failed.
///
/// # Errors
///
/// When the engine's command line can't be read or the results not be written.
pub fn run(args: &Args) -> Outcome {
    let mut command: CommandLine = args.engine.parse().map_err(|error| Failure::of(&error))?;
    if let Some(folder) = &args.dir {
        command = command.in_directory(folder);
    }
    let exam = Exam {
        command,
        protocol: args.proto,
        patience: Duration::from_secs(args.timeout.into()),
        margin: Duration::from_millis(args.margin.into()),
    };
    let mut out = stdout().lock();
    let mut passed = 0;
    let mut written = Ok(());
    check::run(&exam, |finding| {
        passed += usize::from(finding.result.is_ok());
        if written.is_ok() {
            written = write(&mut out, finding);
        }
    });
    written?;
    writeln!(out, "{} of {} steps passed", passed, STEPS.len())?;
    Ok(if passed == STEPS.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    match &finding.result {
        Ok(seen) => writeln!(out, "ok    {}: {seen}", finding.step)?,
        Err(reason) => writeln!(out, "FAIL  {}: {reason}", finding.step)?,
    }
    out.flush()
}
