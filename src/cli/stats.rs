//! `kelso stats`: one report on the games of any number of files.

use std::io::{Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use super::shared::{Lenient, Overwrite, Reading, Reports};
use super::{Outcome, say};
use common::count::counted;
use common::statistics::Sprt;
use tournament::collection::Collection;
use tournament::report::{self, Report};

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
    #[command(flatten)]
    lenient: Lenient,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    reports: Reports,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// Counts the games and writes the reports.
///
/// # Errors
///
/// When a file can't be read, or games don't go together.
pub fn run(args: &Args) -> Outcome {
    let outputs = args.reports.declare(args.overwrite.outputs()).reads(&args.files).check()?;
    let mut collection = Collection::with(args.lenient.leniency()).crowning(args.reading.crown);
    for file in &args.files {
        collection.add(file)?;
    }
    for (path, damage) in collection.damage() {
        say(&format!("note: {}, {damage}; this game is left out", path.display()));
    }
    let (duplicates, unfinished) = (collection.duplicates(), collection.unfinished());
    let faulty = collection.faulty().clone();
    let (mut conditions, tally, games) = collection.finish()?;
    conditions.sprt = args.sprt.or(conditions.sprt);
    let report = Report::new(&conditions, &tally);
    outputs.shown().write_all(report::format(&report).as_bytes())?;
    if duplicates > 0 {
        let games = counted(duplicates, "game");
        say(&format!("note: {games} left out as duplicates: same seed and place, or same moves"));
    }
    if unfinished > 0 {
        let verb = if unfinished == 1 { "has" } else { "have" };
        say(&format!("note: {} left out that {verb} no result", counted(unfinished, "game")));
    }
    note("left out that can't be read", &faulty.unreadable)?;
    note("left out whose tag and moves give different results", &faulty.doubtful)?;
    note("counted as the board shows, which contradicts their results", &faulty.corrected)?;
    outputs.write(args.reports.json.as_deref(), || report.json())?;
    outputs.write(args.reports.html.as_deref(), || report::page(&report, &games))?;
    Ok(ExitCode::SUCCESS)
}

/// Says how many games are counted apart, and which.
fn note(what: &str, games: &[String]) -> anyhow::Result<()> {
    const SHOWN: usize = 20;
    if games.is_empty() {
        return Ok(());
    }
    let mut out = stderr().lock();
    writeln!(out, "note: {} {what}:", counted(games.len() as u64, "game"))?;
    for game in games.iter().take(SHOWN) {
        writeln!(out, "  {game}")?;
    }
    if games.len() > SHOWN {
        writeln!(out, "  and {} more; `kelso pdn check` shows all", games.len() - SHOWN)?;
    }
    Ok(())
}
