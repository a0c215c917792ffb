//! `kelso stats`: one report on the games of any number of files.

use std::io::{Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use super::places::Places;
use super::{Failure, Outcome, say};
use common::count::counted;
use common::journal::Leniency;
use common::statistics::Sprt;
use tournament::collection::Collection;
use tournament::report::{self, Summary};

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
    /// Count an engine's games together though its program or its files have changed
    #[arg(long)]
    any_program: bool,
    /// Leave damaged games of match states out, and count the rest
    #[arg(long)]
    salvage: bool,
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
    let places = Places::check([&args.json, &args.html])?;
    let leniency = Leniency { any_program: args.any_program, salvage: args.salvage };
    let mut collection = Collection::with(leniency);
    for file in &args.files {
        collection.add(file).map_err(|error| Failure::of(&error))?;
    }
    for (path, loss) in collection.losses() {
        say(&format!("note: {}, {loss}; this game is left out", path.display()));
    }
    let (duplicates, unfinished) = (collection.duplicates(), collection.unfinished());
    let apart = collection.apart().clone();
    let (mut conditions, tally, games) = collection.finish().map_err(|error| Failure::of(&error))?;
    conditions.sprt = args.sprt.or(conditions.sprt);
    let summary = Summary::new(&conditions, &tally);
    places.shown().write_all(report::format(&summary).as_bytes())?;
    if duplicates > 0 {
        let games = counted(duplicates, "game");
        say(&format!("note: {games} left out as duplicates: same seed and place, or same moves"));
    }
    if unfinished > 0 {
        let verb = if unfinished == 1 { "has" } else { "have" };
        say(&format!("note: {} left out that {verb} no result", counted(unfinished, "game")));
    }
    note("left out that can't be read", &apart.unreadable)?;
    note("left out whose tag and moves give different results", &apart.doubtful)?;
    note("counted as the board shows, which contradicts their results", &apart.corrected)?;
    places.write(args.json.as_deref(), || summary.json())?;
    places.write(args.html.as_deref(), || report::page(&summary, &games))?;
    Ok(ExitCode::SUCCESS)
}

/// Says how many games are counted apart, and which.
fn note(what: &str, games: &[String]) -> Result<(), Failure> {
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
