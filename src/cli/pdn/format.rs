//! `kelso pdn format`: games in the one form that is written here.

use std::ops::ControlFlow;

use super::super::Outcome;
use super::output::{self, InPlace, tell};
use super::{Files, status};
use draughts::notation::pdn::Entry;

/// Write games in one form
///
/// UTF-8, tags in a fixed order, moves with numbers in lines of eighty characters, glyphs by number; comments, variations and
/// tags of any name are kept. What is wrong is told on standard error. The status is 0 if nothing is, 1 if something is, and 2
/// if a file can't be read.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: output::Args,
    #[command(flatten)]
    in_place: InPlace,
}

/// Reads and writes.
///
/// # Errors
///
/// When a folder can't be listed, or games not be written.
pub(super) fn run(args: &Args) -> Outcome {
    let mut out = args.output.open_or_replace(args.in_place, &args.files)?;
    let mut well = true;
    let work = |entry: Entry, text: &[u8]| (args.output.written(&entry, text), entry.faults);
    let readable = args.files.each(work, |site, (text, faults)| {
        tell(&site, &faults);
        well &= faults.is_empty();
        out.game(&site, &text)?;
        anyhow::Ok(ControlFlow::Continue(()))
    })?;
    out.finish()?;
    Ok(status(readable, well))
}
