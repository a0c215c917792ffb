//! `kelso stats`: one report on the games of any number of files.

use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use super::{Failure, Outcome};
use crate::arena::collection::Collection;
use crate::arena::report::{self, Summary};
use crate::arena::statistics::Sprt;

/// What to count, and how to show it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Match states (.jsonl) and PDN files, of one match in parts or of several with the same settings
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where this test stands, as in elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic [default: as in the
    /// files]
    #[arg(long, value_name = "SETTINGS")]
    sprt: Option<Sprt>,
    /// Also write the report as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write the report as a page with all games
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Counts the games and writes the reports.
///
/// # Errors
///
/// When a file can't be read, or games don't go together.
pub fn run(args: &Args) -> Outcome {
    let mut collection = Collection::default();
    for file in &args.files {
        collection.add(file).map_err(|error| Failure::of(&error))?;
    }
    let (duplicates, unfinished) = (collection.duplicates(), collection.unfinished());
    let (mut conditions, tally, games) = collection.finish().map_err(|error| Failure::of(&error))?;
    conditions.sprt = args.sprt.or(conditions.sprt);
    let summary = Summary::new(&conditions, &tally);
    stdout().lock().write_all(report::format(&summary).as_bytes())?;
    if duplicates > 0 {
        writeln!(
            stderr(),
            "note: {duplicates} games left out as duplicates: same seed and place, or same moves"
        )?;
    }
    if unfinished > 0 {
        writeln!(stderr(), "note: {unfinished} games left out that have no result")?;
    }
    super::write_report(args.json.as_ref(), || summary.json())?;
    super::write_report(args.html.as_ref(), || report::page(&summary, &games))?;
    Ok(ExitCode::SUCCESS)
}
