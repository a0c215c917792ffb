//! `kelso pdn format`.

use super::output::{self, InPlace};
use super::{Files, fault, say, status};
use crate::cli::Outcome;
use draughts::notation::pdn::Entry;

/// Write games in a uniform format
///
/// The output is UTF-8, with tags in a fixed order, numbered moves in lines of eighty characters, and glyphs by number.
/// Comments, variations and all tags are kept. Errors are reported on standard error. The exit status is 0 if there are none,
/// 1 if there are any, and 2 if a file cannot be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: output::Args,
    #[command(flatten)]
    in_place: InPlace,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut out = args.output.open_or_replace(args.in_place, &args.files)?;
    let mut well = true;
    let work = |entry: Entry, text: &[u8]| (args.output.written(&entry, text), entry.faults);
    let readable = args.files.each(work, |site, (text, faults)| {
        for error in &faults {
            say(&fault(&site, error));
        }
        well &= faults.is_empty();
        out.game(&site, &text)?;
        anyhow::Ok(true)
    })?;
    out.finish()?;
    Ok(status(readable, well))
}
