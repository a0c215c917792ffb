//! `kelso check`: whether an engine does what its protocol asks.

use std::io::{self, Write, stdout};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Outcome, milliseconds, say, seconds};
use players::check::{self, Exam, Finding, STEPS, StepResult};
use players::process::CommandLine;
use players::spec::Protocol;

/// How long a step may take without a word about it.
const SILENCE: Duration = Duration::from_secs(2);

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
    /// How late an answer may be, as 200ms or 1s; a bare number counts milliseconds
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = milliseconds)]
    margin: Duration,
    /// How long it may take for everything but thinking, as 10s; a bare number counts seconds
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds)]
    timeout: Duration,
}

/// Checks the engine; the status is 1 if a required step failed.
///
/// # Errors
///
/// When the engine's command line can't be read or the results not be written.
pub fn run(args: &Args) -> Outcome {
    let mut command: CommandLine = args.engine.parse()?;
    if let Some(folder) = &args.dir {
        command = command.in_directory(folder);
    }
    let exam = Exam { command, protocol: args.proto, patience: args.timeout, margin: args.margin };
    let mut out = stdout().lock();
    // Steps passed and steps asked for: those that are good to have, and those that are required.
    let mut counts = [(0, 0); 2];
    let mut skipped = 0_u64;
    let mut written = Ok(());
    let progress = Mutex::new((0, Instant::now()));
    let over = AtomicBool::new(false);
    let mut judge = |finding: &Finding| {
        if let Ok(mut progress) = progress.lock() {
            *progress = (progress.0 + 1, Instant::now());
        }
        let (passed, asked) = &mut counts[usize::from(finding.required)];
        match finding.verdict {
            StepResult::Skipped(_) => skipped += 1,
            StepResult::Passed(_) => (*passed, *asked) = (*passed + 1, *asked + 1),
            StepResult::Failed { .. } => *asked += 1,
        }
        if written.is_ok() {
            written = write(&mut out, finding);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| explain_silence(&progress, &over));
        check::run(&exam, &mut judge);
        over.store(true, Ordering::Relaxed);
    });
    written?;
    let [(good, all_good), (passed, asked)] = counts;
    write!(out, "{passed} of {asked} required steps passed, {good} of {all_good} that are good to have")?;
    let left_out = (STEPS.len() as u64).saturating_sub(all_good + asked + skipped);
    for (count, what) in [(skipped, "skipped"), (left_out, "not reached")] {
        if count > 0 {
            write!(out, ", {count} {what}")?;
        }
    }
    writeln!(out)?;
    Ok(if passed == asked { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Says which step it is that takes so long, until all are over.
fn explain_silence(progress: &Mutex<(usize, Instant)>, over: &AtomicBool) {
    let mut told = None;
    while !over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(100));
        let Ok((number, since)) = progress.lock().map(|progress| *progress) else { return };
        if since.elapsed() >= SILENCE && told != Some(number) {
            told = Some(number);
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

fn write(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let step = finding.step;
    match &finding.verdict {
        StepResult::Passed(seen) => writeln!(out, "ok    {step}: {seen}")?,
        StepResult::Skipped(reason) => writeln!(out, "skip  {step}: {reason}")?,
        StepResult::Failed { reason, instead } => {
            let (word, note) = if finding.required { ("FAIL", "") } else { ("lack", " (good to have)") };
            writeln!(out, "{word}  {step}{note}: {reason}\n      {instead}")?;
        }
    }
    out.flush()
}
