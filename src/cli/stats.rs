//! `kelso stats`: a report on the games in any number of files.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cli::arguments::files::{Overwrite, Reports, listing};
use crate::cli::arguments::run::Lenient;
use crate::cli::outcome::{Outcome, Status, say};
use crate::cli::progress::bar;
use crate::cli::source::GameSource;
use crate::cli::values::{OptionValueParser, output};
use kelso_batch::outputs::OutputPath;
use kelso_reports::statistics::sprt::Sprt;
use kelso_text::plural::counted;
use kelso_tournament::collection::GameCollection;
use kelso_tournament::report::{self, MatchReport, Requirements};

/// Report the results of matches or PDN files, and estimate the strength of the players
#[derive(clap::Args, Debug)]
#[command(after_help = examples!(
    "kelso stats cup.jsonl --sprt elo0=0,elo1=5",
    "kelso stats collection/*.pdn --html report.html",
    "kelso stats class.jsonl --pass score=0.95,faults=0,time=3s --grades grades.csv"
))]
pub struct Args {
    /// Match checkpoints (.jsonl), PDN files, directories of PDN files, or - for PDN from standard input: the
    /// parts of a match, or several matches with the same settings
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Report the state of this SPRT, such as elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic
    /// [default: the SPRT recorded in the files]
    #[arg(long, value_name = "SETTINGS", value_parser = OptionValueParser(str::parse::<Sprt>))]
    sprt: Option<Sprt>,
    /// Write which engines pass, as comma-separated values; the engine that plays a gauntlet is left out
    #[arg(long, value_name = "FILE", value_parser = output())]
    grades: Option<OutputPath>,
    /// What an engine must reach to pass, such as score=0.95,faults=0,time=3s: its share of points, the most
    /// games lost by faults, and the longest move
    #[arg(long, value_name = "SETTINGS", value_parser = OptionValueParser(str::parse::<Requirements>))]
    pass: Option<Requirements>,
    #[command(flatten)]
    lenient: Lenient,
    #[command(flatten)]
    reports: Reports,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub fn run(args: &Args) -> Outcome {
    let sources = GameSource::all(&args.files);
    let files: Vec<PathBuf> =
        sources.iter().map(|source| source.path().unwrap_or(Path::new("-")).to_owned()).collect();
    let outputs =
        args.overwrite.outputs().writes(args.reports.paths()).writes(&args.grades).reads(&files).check()?;
    let mut collection = GameCollection::new(args.lenient.policy());
    let size = sources.iter().filter_map(GameSource::size).sum::<u64>();
    let bar = bar(size, "{bytes}/{total_bytes} of games read {wide_bar} {eta} left");
    for (file, source) in files.iter().zip(&sources) {
        collection.add(file, &|| Ok(Box::new(bar.wrap_read(source.open()?))))?;
    }
    bar.finish_and_clear();
    for (path, fault) in &collection.damaged {
        say(&format!("note: \"{}\", {fault}; this game is left out", path.display()));
    }
    let duplicates = collection.duplicates;
    let unfinished = collection.unfinished;
    let faulty = collection.faulty.clone();
    let (mut conditions, tally, games) = collection.finish()?;
    conditions.sprt = args.sprt.or(conditions.sprt);
    let report = MatchReport::new(conditions, &tally);
    outputs.shown().write_all(report::format(&report).as_bytes())?;
    if duplicates > 0 {
        let games = counted(duplicates, "game");
        say(&format!(
            "note: {games} left out as duplicates: the same game of one match, or the same players, colours, round, moves \
             and result (kelso pdn dedup compares only the moves)"
        ));
    }
    if unfinished > 0 {
        say(&format!("note: {} left out as unfinished", counted(unfinished, "game")));
    }
    note("left out because of errors", &faulty.unreadable);
    note("left out because tag and moves give different results", &faulty.doubtful);
    note("counted with the result on the board, which contradicts the one given", &faulty.corrected);
    let grades = report.grades(&args.pass.unwrap_or_default());
    if args.pass.is_some() {
        write!(outputs.shown(), "\n{grades}")?;
    }
    outputs.write(args.grades.as_ref(), || grades.csv())?;
    outputs.write(args.reports.json.as_ref(), || report.json())?;
    outputs.write(args.reports.html.as_ref(), || report::page(&report, &games))?;
    Ok(Status::Success)
}

fn note(what: &str, games: &[String]) {
    if !games.is_empty() {
        let heading = format!("note: {} {what}:", counted(games.len() as u64, "game"));
        say(&listing(&heading, games, "; `kelso pdn check` shows all"));
    }
}
