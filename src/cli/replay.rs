//! `kelso replay`: replays transcripts with an engine.

use std::io::{ErrorKind, Write, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use crate::cli::arguments::engine::EngineProcess;
use crate::cli::outcome::{INCOMPLETE, Outcome, Status, interrupted, stop_on_signal};
use crate::cli::values::at_least;
use kelso_batch::file;
use kelso_transcripts::report;
use kelso_transcripts::source::{self, Case, Document};
use kelso_transcripts::{CaseRun, ReplaySettings, run_all, updated};

const EXAMPLES: &str = examples!("kelso replay session.txt", "kelso replay sessions/ --engine ./new");

const FORMAT: &str = "\
A transcript is a text file. The first character determines the meaning of a line:

  # comment           a comment; ignored, like an empty line
  > line              a line to send
  < line              an expected line of output
  <* line             zero or more such lines
  < ...               zero or more lines of any kind
  ! args A B          arguments for the engine; must come first
  ! timeout TIME      sets the timeout for later expected lines, such as 10 (seconds) or 500ms
  ! option NAME VAL   sends `setoption name NAME value VAL`; quote NAME if it has spaces
  ! wait TIME         waits, such as 200 (milliseconds) or 2s
  ! close             closes the engine's input
  ! eof               expects the output to end here
  ! exit N            the expected exit status if not 0; `any` accepts all

In expected lines, [..] stands for any text, [n] for an integer, [real] for any number, [move] for a
move such as 11-15 or 22x15x8. Brackets around anything else are plain text. Write [[] for a bracket
that would otherwise begin one of these, and [.].. for a line of three dots.

Every line of output must be expected. At the end, the engine's input is closed: it must exit and
print nothing more.

Exit status: 0 if all passed, 1 if some failed, 2 if the transcripts or the engine cannot be run.";

/// Run transcripts against an engine
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = format!("{FORMAT}\n\n{EXAMPLES}"))]
pub struct Args {
    /// Transcripts, Markdown files with `transcript` code blocks, or directories of either
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    process: EngineProcess,
    /// Replace expected lines that do not match with the actual output
    #[arg(long)]
    update: bool,
    /// Number of transcripts to run concurrently [default: number of processors]
    #[arg(long, value_name = "N", value_parser = at_least(NonZeroUsize::MIN))]
    concurrency: Option<NonZeroUsize>,
}

/// Replays transcripts, and prints a line for each and the totals.
pub fn run(args: &Args) -> Outcome {
    let documents = source::read(&args.paths).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::Error::msg(lines.join("\n"))
    })?;
    let cases: Vec<&Case> = documents.iter().flat_map(|document| &document.cases).collect();
    let settings = ReplaySettings {
        engine: args.process.command_line()?,
        timeout: args.process.timeout,
        update: args.update,
        stop: stop_on_signal(),
    };
    let concurrency =
        args.concurrency.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);

    let mut runs: Vec<CaseRun> = Vec::new();
    let mut written = Ok(());
    let mut out = stdout().lock();
    run_all(&cases, &settings, concurrency, |index, run| {
        if written.is_ok() {
            written = report::write(&mut out, cases[index], &run).and_then(|()| out.flush());
        }
        runs.push(run);
    })?;

    if args.update {
        rewrite(&documents, &runs)?;
    }
    let failed = runs.iter().filter(|run| run.failure.is_some()).count();
    let shown = written.and_then(|()| {
        writeln!(out, "{} passed, {failed} failed", runs.len() - failed)?;
        out.flush()
    });
    // The exit status does not change if a reader closes the output early.
    if let Err(error) = shown
        && error.kind() != ErrorKind::BrokenPipe
    {
        return Err(error.into());
    }
    Ok(if settings.stop.is_stopped() {
        interrupted(INCOMPLETE)
    } else if failed > 0 {
        Status::Failure
    } else {
        Status::Success
    })
}

fn rewrite(documents: &[Document], runs: &[CaseRun]) -> anyhow::Result<()> {
    let mut runs = runs.iter();
    for document in documents {
        let cases = document.cases.iter().enumerate().zip(runs.by_ref());
        let texts: Vec<(usize, String)> =
            cases.filter_map(|((index, case), run)| Some((index, updated(&case.transcript, run)?))).collect();
        if !texts.is_empty() {
            let path = &document.path;
            file::write(path, document.with(&texts).as_bytes())?;
        }
    }
    Ok(())
}
