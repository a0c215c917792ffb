//! `kelso check`: checks whether an engine follows its protocol.

use std::io::{self, Write, stdout};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::values::{dialect, milliseconds, seconds};
use super::{Outcome, say};
use players::check::{self, Config, STEPS, StepReport, StepResult};
use players::process::CommandLine;
use protocol::Dialect;

/// The time after which a slow step is reported.
const REPORT_DELAY: Duration = Duration::from_secs(2);

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The engine's command line
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// The engine's working directory
    #[arg(long, value_name = "DIR")]
    dir: Option<std::path::PathBuf>,
    /// The engine's protocol
    #[arg(long, value_name = "PROTOCOL", default_value = Dialect::Native.name(), value_parser = dialect())]
    proto: Dialect,
    /// Time by which an answer may be late, such as 200ms or 1s; a bare number is in milliseconds
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = milliseconds)]
    margin: Duration,
    /// Time for everything but a search, such as 10s; a bare number is in seconds
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds)]
    timeout: Duration,
}

/// Checks the engine; the status is 1 if a required step failed.
///
/// # Errors
///
/// When the engine's command line is invalid or the results cannot be written.
pub fn run(args: &Args) -> Outcome {
    let mut command: CommandLine = args.engine.parse()?;
    if let Some(folder) = &args.dir {
        command = command.in_directory(folder);
    }
    let config = Config { command, protocol: args.proto, timeout: args.timeout, margin: args.margin };
    let mut out = stdout().lock();
    // The numbers of steps passed and run: the optional ones, and the required ones.
    let mut counts = [(0, 0); 2];
    let mut skipped = 0_u64;
    let mut written = Ok(());
    let progress = Mutex::new((0, Instant::now()));
    let over = AtomicBool::new(false);
    let mut report = |step: &StepReport| {
        if let Ok(mut progress) = progress.lock() {
            *progress = (progress.0 + 1, Instant::now());
        }
        let (passed, run) = &mut counts[usize::from(step.required)];
        match step.result {
            StepResult::Skipped(_) => skipped += 1,
            StepResult::Passed(_) => (*passed, *run) = (*passed + 1, *run + 1),
            StepResult::Failed { .. } => *run += 1,
        }
        if written.is_ok() {
            written = write(&mut out, step);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| report_slow_steps(&progress, &over));
        check::run(&config, &mut report);
        over.store(true, Ordering::Relaxed);
    });
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
    Ok(if passed == required { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reports slow steps on stderr until all are done.
fn report_slow_steps(progress: &Mutex<(usize, Instant)>, over: &AtomicBool) {
    let mut reported = None;
    while !over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(100));
        let Ok((number, since)) = progress.lock().map(|progress| *progress) else { return };
        if since.elapsed() >= REPORT_DELAY && reported != Some(number) {
            reported = Some(number);
            if let Some(step) = STEPS.get(number) {
                say(&format!(
                    "waiting for the engine, step {} of {}: {}",
                    number + 1,
                    STEPS.len(),
                    step.name
                ));
            }
        }
    }
}

fn write(out: &mut impl Write, report: &StepReport) -> io::Result<()> {
    let step = report.step;
    match &report.result {
        StepResult::Passed(seen) => writeln!(out, "ok    {step}: {seen}")?,
        StepResult::Skipped(reason) => writeln!(out, "skip  {step}: {reason}")?,
        StepResult::Failed { reason, hint } => {
            let (word, note) = if report.required { ("FAIL", "") } else { ("lack", " (optional)") };
            writeln!(out, "{word}  {step}{note}: {reason}\n      {hint}")?;
        }
    }
    out.flush()
}
