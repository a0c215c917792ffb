//! `kelso record`: records an engine session as a transcript.

use std::fs::File;
use std::io::{self, Write, stdin, stdout};
use std::sync::Arc;

use anyhow::Context;

use crate::cli::arguments::engine::EngineProcess;
use crate::cli::arguments::files::Overwrite;
use crate::cli::outcome::{Outcome, Status, interrupted, stop_on_signal};
use crate::cli::values::output_file;
use kelso_batch::file::OutputFile;
use kelso_batch::outputs::OutputPath;
use kelso_process::Process;
use kelso_transcripts::record::{SessionEvent, session, start_readers};

const NOTES: &str = "\
Sends lines from standard input to the engine, shows its output, and writes both to the
file in the order in which they occur, ready for `kelso replay`. Numbers after the words time,
nps and hashfull in `info` lines are written as wildcards ([n], or [real] in Hub's `time=0.1`),
since they differ from run to run. For the same reason, `info` lines with `currmove` are left out,
and `kelso replay` ignores them. The file is written line by line, so that nothing is lost when the
session is interrupted. The timeout starts at the end of the input.";

/// Record an engine session as a transcript
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// Transcript to write
    #[arg(value_parser = output_file())]
    file: OutputPath,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    process: EngineProcess,
}

pub fn run(args: &Args) -> Outcome {
    let engine = args.process.command_line()?;
    let _outputs = args.overwrite.outputs().reads(engine.program_file()).writes([&args.file]).check()?;
    let stop = stop_on_signal();
    // Start the engine first, so that no empty file is left if that fails.
    let process = Arc::new(Process::spawn(&engine)?);
    // Replace an existing file only at the end of the session.
    let mut replacement = args.file.exists().then(|| OutputFile::create(&args.file)).transpose()?;
    let mut new;
    let file: &mut dyn Write = if let Some(file) = &mut replacement {
        file
    } else {
        new = File::create_new(&args.file)
            .with_context(|| format!("cannot create \"{}\"", args.file.display()))?;
        &mut new
    };
    let (events_in, events) = start_readers(&process, io::BufReader::new(stdin()))?;
    let _guard = stop.on_stop(move || {
        // Sending fails only if the session has ended.
        let _ = events_in.send(SessionEvent::Interrupt);
    });

    let mut out = stdout().lock();
    let mut shown = Ok(());
    let recorded = session(&process, &events, file, args.process.timeout, &mut |line| {
        // The recording continues even if the output cannot be shown.
        if shown.is_ok() {
            shown = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    });
    // The reader threads share the process, so kill it explicitly.
    process.kill();
    recorded?;
    replacement.map_or(Ok(()), OutputFile::commit)?;
    Ok(if stop.is_stopped() { interrupted("the transcript is kept up to here") } else { Status::Success })
}
