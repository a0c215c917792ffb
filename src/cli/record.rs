//! `kelso record`: writes a session with an engine down as a transcript.

use anyhow::anyhow;
use std::fs::File;
use std::io::{self, Write, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use super::Outcome;
use super::interrupt;
use super::replay::{engine_or_self, seconds};
use super::shared::Overwrite;
use common::file::Draft;
use players::process::{CommandLine, Process};
use transcripts::record::{Ending, Happening, listen, session};

/// What a recording is, for the help.
const NOTES: &str = "\
Lines typed or piped in are sent to the engine, its output is shown, and both are written to the
file in the order in which they happened, ready for `kelso replay`. Numbers after the words time,
nps and hashfull in `info` lines are written as wildcards ([n], or [real] in Hub's `time=0.1`),
since they differ from run to run. The file is written line by line, so that nothing is lost when
the session is cut short.";

/// What to record.
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// The transcript to write
    file: PathBuf,
    /// The engine's command line, split at spaces as a shell does; this program if none is given
    #[arg(long, value_name = "CMD")]
    engine: Option<CommandLine>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Seconds that the engine may be silent after the end of its input
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = seconds)]
    timeout: Duration,
}

/// Records a session until the engine ends.
///
/// # Errors
///
/// When the file can't be written, the engine can't be started, or the session could not go on.
pub fn run(args: &Args) -> Outcome {
    let engine = engine_or_self(args.engine.as_ref())?;
    args.overwrite.outputs().reads(engine.program_file()).writes_file("FILE", &args.file).check()?;
    // First, so that no empty file is left where there is no engine.
    let process = Arc::new(Process::spawn(&engine)?);
    // Written line by line, so that a kill loses nothing; where an old file is replaced, only when the session is over.
    let replaced = args.file.exists();
    let (draft, file) = if replaced {
        let (draft, file) = Draft::begin(&args.file)?;
        (Some(draft), file)
    } else {
        let file = File::create_new(&args.file);
        let failed = |error| anyhow!("cannot create \"{}\": {error}", args.file.display());
        (None, file.map_err(failed)?)
    };
    let written = file.try_clone()?;
    let (interrupted, happenings) = listen(&process, io::BufReader::new(stdin()))?;
    let _tell = interrupt::listen().on_stop(move || {
        // If nobody listens any more, the session is over.
        let _ = interrupted.send(Happening::Interrupt);
    });

    let mut out = stdout().lock();
    let mut shown = Ok(());
    let ending = session(&process, &happenings, file, args.timeout, |line| {
        // The recording goes on when nobody watches any more.
        if shown.is_ok() {
            shown = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    });
    // The threads that listen hold the process too.
    process.kill();
    let ending = ending?;
    if let Some(draft) = draft {
        draft.keep(written)?;
    }
    match ending {
        Ending::Engine(_) => Ok(ExitCode::SUCCESS),
        Ending::Interrupted => Ok(super::interrupted()),
    }
}
