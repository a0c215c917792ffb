//! Measures the figures in the documents: `cargo run --release --example measure
//! -- --help`. The tests, not this program, decide whether a change is correct.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "results and progress")]

mod analysis;
mod book;
mod endings;
mod facts;
mod latency;
mod openings;
mod probe;
mod problems;
mod progress;
mod proofs;
mod rates;
mod serve;
mod threads;
mod wins;

#[path = "../shared/mod.rs"]
mod shared;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use kelso_endgames::{DatabaseOptions, Databases as Opened};
use kelso_text::time::{self, Bare};

/// Measure times and strength
///
/// Results go to standard output, progress to standard error.
#[derive(Parser)]
#[command(name = "measure")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure the gain from larger endgame databases in undecided endings
    Endings(endings::Arguments),
    /// Find facts about endings
    #[command(subcommand)]
    Facts(facts::Command),
    /// Play out won and drawn endings, and count those that are won or drawn
    #[command(subcommand)]
    Play(wins::Command),
    /// Fit the model of the chances of a win, a draw and a loss, and measure its calibration
    #[command(subcommand)]
    Rates(rates::Command),
    /// Make a deck of uneven openings for matches
    Openings(openings::Arguments),
    /// Time lookups in endgame databases
    Probe(probe::Arguments),
    /// Time lookups in an opening book
    Book(book::Arguments),
    /// Count the problems that the engine solves
    Problems(problems::Arguments),
    /// Prove positions, and measure the certificates
    Proofs(proofs::Arguments),
    /// Check the results of `kelso analyse` with databases and an exhaustive search
    #[command(subcommand)]
    Analysis(analysis::Command),
    /// Time the program's answers through its pipes
    #[command(subcommand)]
    Latency(latency::Command),
    /// Compare the processor time of searches shown on the page and of searches through pipes
    Serve(serve::Arguments),
    /// Compare the time to the same depth on one thread and on several
    Threads(threads::Arguments),
}

/// Endgame databases in a directory.
#[derive(Args)]
struct Databases {
    /// Directory of the databases (written by `kelso egdb build --egdb`)
    #[arg(long = "databases", value_name = "DIR")]
    folder: PathBuf,
}

impl Databases {
    /// Opens the databases with a cache of `cache` MiB.
    fn open(&self, pieces: u32, cache: usize) -> Result<Opened> {
        let folder = Some(self.folder.clone());
        let databases = Opened::open(&DatabaseOptions { folder, cache, ..DatabaseOptions::default() });
        databases.require_all()?;
        let folder = self.folder.display();
        ensure!(databases.covers(pieces), "\"{folder}\" does not have all databases of {pieces} pieces");
        Ok(databases)
    }
}

/// The program to measure.
#[derive(Args)]
struct Program {
    /// The `kelso` program [default: the one next to this program's directory]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl Program {
    fn path(&self) -> Result<PathBuf> {
        let path = if let Some(path) = &self.program {
            path.clone()
        } else {
            let own = std::env::current_exe()?;
            let folder = own.ancestors().nth(2).unwrap_or(Path::new("."));
            folder.join(format!("kelso{}", std::env::consts::EXE_SUFFIX))
        };
        ensure!(path.is_file(), "\"{}\" does not exist; build it or use --program", path.display());
        Ok(path)
    }
}

/// Parses a time such as `300ms`; a number without a unit is in seconds.
fn duration(text: &str) -> Result<Duration, &'static str> {
    time::parse(text, Bare::Seconds).ok_or(time::IN_SECONDS)
}

/// Returns the processor time of a process in ticks (hundredths of a second).
fn processor_ticks(process: u32) -> Result<u32> {
    let text = read(Path::new(&format!("/proc/{process}/stat")))?;
    let (_, fields) = text.rsplit_once(')').context("unknown format of /proc")?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut field = || fields.next()?.parse::<u32>().ok();
    field().zip(field()).map(|(user, system)| user + system).context("unknown format of /proc")
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read \"{}\"", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write \"{}\"", path.display()))
}

/// Returns the median, the 99th percentile and the maximum of the times.
fn quantiles(mut times: Vec<Duration>) -> Option<(Duration, Duration, Duration)> {
    times.sort_unstable();
    let at = |share: usize| times.get((times.len() * share / 100).min(times.len().saturating_sub(1)));
    Some((*at(50)?, *at(99)?, *at(100)?))
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Endings(arguments) => arguments.run(),
        Command::Facts(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Rates(command) => command.run(),
        Command::Openings(arguments) => arguments.run(),
        Command::Probe(arguments) => arguments.run(),
        Command::Book(arguments) => arguments.run(),
        Command::Problems(arguments) => {
            arguments.run();
            Ok(())
        }
        Command::Proofs(arguments) => proofs::run(&arguments),
        Command::Analysis(command) => command.run(),
        Command::Latency(command) => command.run(),
        Command::Serve(arguments) => arguments.run(),
        Command::Threads(arguments) => threads::run(&arguments),
    }
}
