//! `kelso record`: records an engine session as a transcript.

use anyhow::anyhow;
use std::fs::File;
use std::io::{self, Write, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use super::replay::EngineProcess;
use super::{Outcome, Overwrite, Status, stop_on_signal};
use players::process::Process;
use runs::file::Draft;
use transcripts::record::{SessionEvent, session, start_readers};

const NOTES: &str = "\
Sends lines from standard input to the engine, shows its output, and writes both to the
file in their order, ready for `kelso replay`. Numbers after the words time,
nps and hashfull in `info` lines are written as wildcards ([n], or [real] in Hub's `time=0.1`),
since they differ from run to run. The file is written line by line, so that nothing is lost when
the session is interrupted. The timeout counts from the end of the input.";

#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// The transcript to write
    file: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    process: EngineProcess,
}

pub fn run(args: &Args) -> Outcome {
    let engine = args.process.command_line()?;
    args.overwrite.outputs().reads(engine.program_file()).writes_files("FILE", [&args.file]).check()?;
    // The engine is started first, so that no empty file is left if that fails.
    let process = Arc::new(Process::spawn(&engine)?);
    // An existing file is replaced only at the end of the session.
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
    let (interrupted, events) = start_readers(&process, io::BufReader::new(stdin()))?;
    let stop = stop_on_signal();
    let _guard = stop.on_stop(move || {
        // An error means that the session has ended.
        let _ = interrupted.send(SessionEvent::Interrupt);
    });

    let mut out = stdout().lock();
    let mut shown = Ok(());
    let recorded = session(&process, &events, file, args.process.timeout, |line| {
        // The recording continues if the output cannot be shown.
        if shown.is_ok() {
            shown = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    });
    // The reader threads share the process, so it is killed explicitly.
    process.kill();
    recorded?;
    if let Some(draft) = draft {
        draft.keep(written)?;
    }
    Ok(Status::after(&stop, "the transcript is kept up to here"))
}
