//! `kelso replay`: runs transcripts against an engine.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use super::Outcome;
use super::interrupt;
use super::shared::Overwrite;
use common::file;
use common::time::{self, Bare};
use players::process::CommandLine;
use transcripts::report::{self, CaseCount};
use transcripts::source::{self, Case, Document};
use transcripts::{LONGEST_TIMEOUT, Run, Settings, junit, run_all, updated};

/// What transcripts look like, for the help.
const FORMAT: &str = "\
A transcript is a text file. Every line of it begins with a mark:

  # comment           says nothing; so does an empty line
  > line              a line to send
  < line              a line of output to expect
  <* line             any number of such lines, also none
  < ...               any number of any lines
  ! args A B          arguments to start the engine with (before all else)
  ! timeout TIME      how long each expected line is waited for from here on, as 10, 10s or 500ms
  ! option NAME VAL   sends `setoption name NAME value VAL`; NAME in quotes if it has spaces
  ! wait TIME         waits so long, as 200, 200ms or 2s
  ! close             closes the engine's input
  ! eof               expects the output to end here
  ! exit N            the exit status to expect instead of 0; `any` for any

In expected lines, [..] stands for any text, [n] for an integer, [real] for any number, [move] for a
move such as 11-15 or 22x15x8. Brackets around anything else are plain text; [[] is a bracket where
plain text would look like one of these, and a line [.].. is three dots.

Every line of output has to be expected. At the end the engine's input is closed: it must end and
print nothing more.

Exit status: 0 if all passed, 1 if some failed, 2 if the transcripts or the engine cannot be run.";

/// Which transcripts to run, and how.
#[derive(clap::Args, Debug)]
#[command(after_long_help = FORMAT)]
pub struct Args {
    /// Transcripts; folders, which are searched for *.txt; Markdown files (*.md), of which every fenced block marked
    /// `transcript` is one
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// The engine's command line, split at spaces as a shell does; this program if none is given
    #[arg(long, value_name = "CMD")]
    engine: Option<CommandLine>,
    /// How long each expected line is waited for, where the transcript doesn't say; a bare number counts seconds
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// Rewrite the expected lines that were not met with what came; lines that were met stay as they are
    #[arg(long)]
    update: bool,
    /// How many transcripts to run at a time; as many as there are processors if not given
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Write a report for build servers, as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// Runs transcripts, and prints a line for each and the tally.
///
/// # Errors
///
/// When the transcripts can't be read or the engine can't be started, or results can't be written.
pub fn run(args: &Args) -> Outcome {
    let documents = source::read(&args.paths).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::Error::msg(lines.join("\n"))
    })?;
    let inputs = documents.iter().map(Document::path);
    let outputs = args.overwrite.outputs().reads(inputs).writes("--junit", args.junit.as_ref()).check()?;
    let cases: Vec<&Case> = documents.iter().flat_map(Document::cases).collect();
    let settings = Settings {
        engine: engine_or_self(args.engine.as_ref())?,
        timeout: args.timeout,
        update: args.update,
        stop: interrupt::listen(),
    };
    let jobs = args.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);

    let mut runs: Vec<Run> = Vec::new();
    let mut tally = CaseCount::default();
    let mut written = Ok(());
    let mut out = outputs.shown();
    run_all(&cases, &settings, jobs, |index, run| {
        tally.count(&run);
        if written.is_ok() {
            written = report::write(&mut out, cases[index], &run).and_then(|()| out.flush());
        }
        runs.push(run);
    })?;

    if args.update {
        rewrite(&documents, &runs)?;
    }
    outputs.write(args.junit.as_deref(), || junit::document(cases.iter().copied().zip(&runs)))?;
    let ended = written.and_then(|()| {
        writeln!(out, "{tally}")?;
        out.flush()
    });
    match ended {
        // Whoever stops reading has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        other => other?,
    }
    Ok(if settings.stop.is_stopped() {
        super::interrupted()
    } else if tally.failed > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Writes the documents in which something changed.
fn rewrite(documents: &[Document], runs: &[Run]) -> anyhow::Result<()> {
    let mut runs = runs.iter();
    for document in documents {
        let cases = document.cases().iter().enumerate().zip(runs.by_ref());
        let texts: Vec<(usize, String)> =
            cases.filter_map(|((index, case), run)| Some((index, updated(&case.transcript, run)?))).collect();
        if !texts.is_empty() {
            let path = document.path();
            file::write(path, document.with(&texts).as_bytes())?;
        }
    }
    Ok(())
}

/// An engine, or this program as one.
pub(super) fn engine_or_self(engine: Option<&CommandLine>) -> anyhow::Result<CommandLine> {
    match engine {
        Some(engine) => Ok(engine.clone()),
        None => Ok(CommandLine::new(super::own::path()?)),
    }
}

/// Reads a time limit.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let time = time::parse(text, Bare::Seconds).ok();
    time.filter(|time| !time.is_zero() && *time <= LONGEST_TIMEOUT)
        .ok_or_else(|| format!("expected {}, above 0 and at most 24h", Bare::Seconds.expected()))
}
