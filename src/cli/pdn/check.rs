//! `kelso pdn check`: everything that is wrong with games.

use std::ops::ControlFlow;

use serde::Serialize;

use super::super::{Outcome, say};
use super::output::{Output, json};
use super::{Files, count, fault, severity, status};

/// Tell everything that is wrong with games
///
/// Each fault is a line with file, line, column, game, and what was expected. Errors are what can't be read: the game, the
/// variation or the tag ends there. Warnings are what can't be true or stands in the wrong place: results that contradict each
/// other or the board, moves after the result. The status is 0 if there are none, 1 if there are some, and 2 if a file can't
/// be read.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
    /// Write faults, and the counts at the end, as lines of JSON
    #[arg(long)]
    json: bool,
    /// Write no faults; the status tells
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
}

/// A fault, for programs.
#[derive(Serialize)]
struct Fault<'a> {
    file: &'a str,
    game: usize,
    line: usize,
    column: usize,
    severity: &'static str,
    message: &'a str,
}

/// What there was.
#[derive(Default, Serialize)]
struct Totals {
    games: u64,
    plies: u64,
    /// Games of which not all moves can be read.
    incomplete: u64,
    errors: u64,
    warnings: u64,
}

/// Reads, and tells.
///
/// # Errors
///
/// When a folder can't be listed, or results not be written.
pub(super) fn run(args: &Args) -> Outcome {
    let mut counts = Totals::default();
    let mut out = Output::standard()?;
    let work = |entry: draughts::notation::pdn::Entry, _: &[u8]| {
        (entry.game.plies.len(), entry.complete, entry.faults)
    };
    let readable = args.files.each(work, |site, (plies, complete, faults)| {
        counts.games += 1;
        counts.plies += plies as u64;
        counts.incomplete += u64::from(!complete);
        for error in &faults {
            *(if error.kind.is_warning() { &mut counts.warnings } else { &mut counts.errors }) += 1;
            if args.json {
                out.write(&json(&Fault {
                    file: &site.place.to_string(),
                    game: site.number,
                    line: error.line,
                    column: error.column,
                    severity: severity(&error.kind),
                    message: &error.kind.to_string(),
                }))?;
            } else if !args.quiet {
                out.write(&(fault(&site, error) + "\n"))?;
            }
        }
        anyhow::Ok(ControlFlow::Continue(()))
    })?;
    if args.json {
        out.write(&json(&counts))?;
    }
    out.finish()?;
    let Totals { games, plies, incomplete, errors, warnings } = counts;
    if !args.json && !args.quiet {
        say(&format!(
            "{}, {}: {}, {}; {} of which not all moves can be read",
            count(games, "game"),
            count(plies, "ply"),
            count(errors, "error"),
            count(warnings, "warning"),
            count(incomplete, "game"),
        ));
    }
    Ok(status(readable, errors + warnings == 0))
}
