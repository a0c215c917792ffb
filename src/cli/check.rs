//! `kelso check`: checks whether an engine follows its protocol.

use std::io::{self, Write, stdout};
use std::time::Duration;

use clap::builder::PossibleValue;

use crate::cli::arguments::engine::EngineProcess;
use crate::cli::outcome::Outcome;
use crate::cli::progress::bar;
use crate::cli::values::{OptionValueParser, named, seconds_up_to};
use crate::cli::work::Work;
use kelso_players::check::{self, CheckStep, STEPS, StepResult};
use kelso_players::spec::{EngineSpec, MAX_MARGIN};
use kelso_process::CommandLine;
use kelso_protocol::Dialect;

/// Check whether an engine follows its protocol
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("engine", |arg| arg.help("The same as COMMAND")),
    mut_arg("timeout", |arg| arg.help("Time limit for everything except a search, such as 10s; a bare number is in seconds"))
)]
#[command(after_help = examples!(
    "kelso check ./new",
    "kelso check \"./new hub\" --proto hub"
))]
pub struct Args {
    /// The engine's command line, split as in a shell
    #[arg(required_unless_present = "engine", conflicts_with = "engine", value_parser = OptionValueParser(str::parse::<CommandLine>))]
    command: Option<CommandLine>,
    #[command(flatten)]
    process: EngineProcess,
    /// The engine's working directory
    #[arg(long, value_name = "DIR")]
    dir: Option<std::path::PathBuf>,
    /// The engine's protocol
    #[arg(long, value_name = "PROTOCOL", default_value = Dialect::Native.name(), value_parser = named(Dialect::ALL, |dialect| PossibleValue::new(dialect.name()).help(dialect.description())))]
    proto: Dialect,
    /// Tolerance for late replies, such as 200ms or 1s; a bare number is in seconds
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = seconds_up_to(MAX_MARGIN.as_secs()))]
    margin: Duration,
}

/// Checks the engine; the status is 1 if a required step failed.
pub fn run(args: &Args) -> Outcome {
    let mut command = args.command.clone().map_or_else(|| args.process.command_line(), Ok)?;
    command.directory.clone_from(&args.dir);
    let timeout = args.process.timeout;
    let margin = args.margin;
    let spec = EngineSpec { timeout, margin, ..EngineSpec::new(command, args.proto) };
    let mut out = stdout().lock();
    // Numbers of steps passed and run, first for optional steps, then for required ones.
    let mut counts = [(0, 0); 2];
    let mut skipped = 0_u64;
    let mut written = Ok(());
    let work = Work::begin(bar(STEPS.len() as u64, "waiting for the engine, step {pos} of {len}: {msg}"));
    work.bar.enable_steady_tick(Duration::from_secs(1));
    let on_start = |step: &CheckStep| {
        work.bar.set_message(step.name);
        work.bar.inc(1);
    };
    check::run(&spec, &work.stop, on_start, |step, result| {
        let (passed, run) = &mut counts[usize::from(step.required)];
        match result {
            StepResult::Skipped(_) => skipped += 1,
            StepResult::Passed(_) => (*passed, *run) = (*passed + 1, *run + 1),
            StepResult::Failed { .. } => *run += 1,
        }
        if written.is_ok() {
            written = work.bar.suspend(|| write(&mut out, step, &result));
        }
    });
    work.clear();
    written?;
    let [(optional_passed, optional), (passed, required)] = counts;
    write!(out, "{passed} of {required} required steps passed, {optional_passed} of {optional} optional")?;
    let left_out = (STEPS.len() as u64).saturating_sub(optional + required + skipped);
    for (count, what) in [(skipped, "skipped"), (left_out, "not reached")] {
        if count > 0 {
            write!(out, ", {count} {what}")?;
        }
    }
    writeln!(out)?;
    if work.is_interrupted() {
        return Ok(work.end("the remaining steps are not run"));
    }
    Ok((passed == required).into())
}

fn write(out: &mut impl Write, step: &CheckStep, result: &StepResult) -> io::Result<()> {
    let CheckStep { name: step, required, .. } = step;
    match result {
        StepResult::Passed(seen) => writeln!(out, "ok    {step}: {seen}")?,
        StepResult::Skipped(reason) => writeln!(out, "skip  {step}: {reason}")?,
        StepResult::Failed { reason, hint } => {
            let (word, note) = if *required { ("FAIL", "") } else { ("warn", " (optional)") };
            writeln!(out, "{word}  {step}{note}: {reason}\n      {hint}")?;
            if *step == STEPS[0].name {
                writeln!(out, "      --proto selects the protocol")?;
            }
        }
    }
    out.flush()
}
