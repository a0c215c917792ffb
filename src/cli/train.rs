//! `kelso train`: self-play, its data, and evaluations learned from them.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::value_parser;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, INTERRUPTED, Outcome};
use crate::arena::schedule::Shard;
use crate::engine::{Engine, Setting};
use crate::train::fit::{self, Epoch, Recipe, Set};
use crate::train::{Held, Plan, Progress, Tuning};

/// What to do for an evaluation that is learned.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Play games of the engine against itself, to learn from
    ///
    /// Games are appended to one file in the folder. A run that was stopped goes on where it was when it is started again
    /// with the same seed, nodes and shard; with more games it is made longer.
    Play(PlayArgs),
    /// Fit a network to what was played
    Fit(FitArgs),
    /// Tune the search's margins by many short games
    ///
    /// Shows the margins as they move; what it ends with is a value for the option Margins, to be kept only if a match
    /// says so. A run that was stopped goes on where it was when it is started again with the same file.
    Margins(MarginsArgs),
}

#[derive(clap::Args, Debug)]
struct MarginsArgs {
    /// The file for what has been found
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pairs of games
    #[arg(long, default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    pairs: u64,
    /// Nodes searched for each move
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// What chance is made of
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs at the same time; one for each processor core if not given
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// An option of the engine, as EvalFile=FILE; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

#[derive(clap::Args, Debug)]
struct FitArgs {
    /// Files of positions, or folders of such files
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The file for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often each position is seen
    #[arg(long, default_value_t = 12, value_parser = value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// The weight of the game's result in what is learned; the rest is the search's score
    #[arg(long, default_value_t = 0.5)]
    blend: f64,
    /// The width of the first steps
    #[arg(long, default_value_t = 0.001)]
    rate: f64,
    /// Positions for each step
    #[arg(long, default_value_t = 16384, value_parser = value_parser!(u32).range(64..=1 << 24))]
    batch: u32,
    /// What chance is made of
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What the network is called
    #[arg(long, default_value = "unnamed")]
    name: String,
    /// Threads; one for each processor core if not given
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(clap::Args, Debug)]
struct PlayArgs {
    /// The folder for the games
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// How many games, of all shards together
    #[arg(long, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Nodes searched for each move
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// What chance is made of: the same seed, the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only part I of N, as 1/4, so that machines can divide the games
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Games at the same time; one for each processor core if not given
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// An option of the engine, as EgdbPath=FOLDER; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

/// Does what the arguments ask for.
///
/// # Errors
///
/// When it could not be done.
pub fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Play(args) => run_play(args),
        Command::Fit(args) => run_fit(args),
        Command::Margins(args) => run_margins(args),
    }
}

/// The flag that the user's interrupt raises. Without a handler an interrupt just ends the program.
fn interrupt() -> Arc<AtomicBool> {
    let stopped = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stopped);
    let _ = ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed));
    stopped
}

fn exit(stopped: &AtomicBool) -> ExitCode {
    if stopped.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS }
}

fn setting(text: &str) -> Result<Setting, Failure> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Failure(format!("--option {text}: expected NAME=VALUE, as Hash=16")))?;
    Setting::new(name.trim(), Some(value.trim()))
        .map_err(|error| Failure(format!("--option {text}: {error}")))
}

fn run_play(args: &PlayArgs) -> Outcome {
    let settings = args.options.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?;
    let mut sample = Engine::with_table(1).map_err(|error| Failure::of(&error))?;
    for setting in &settings {
        sample.apply(setting.clone()).map_err(|error| Failure::of(&error))?;
    }
    let _ = sample.databases();
    if let Some(problem) = sample.take_problems().first() {
        return Err(Failure::of(problem));
    }
    let plan = Plan {
        seed: args.seed,
        nodes: args.nodes,
        games: args.games,
        shard: (args.shard.index, args.shard.count),
        threads: args
            .threads
            .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from),
        settings,
        evaluation: sample.evaluation_name(),
    };
    drop(sample);
    let stopped = interrupt();
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} games {wide_bar} {per_sec} {eta} {msg}") {
        bar.set_style(style);
    }
    let mut begun = false;
    let result = plan.run(&args.out, &mut |Progress { games, of, samples }, held: Held| {
        if !begun {
            begun = true;
            bar.set_length(of);
            bar.reset_eta();
            if held.dropped > 0 {
                bar.println(format!("dropped {} bytes of a game that was cut short", held.dropped));
            }
        }
        bar.set_position(games);
        bar.set_message(format!("{samples} positions"));
        !stopped.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let Progress { games, of, samples } = result.map_err(|error| Failure::of(&error))?;
    let path = args.out.join(plan.file_name());
    writeln!(stdout(), "{}: {games} of {of} games, {samples} positions", path.display())?;
    Ok(exit(&stopped))
}

fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// The files that paths stand for: themselves, or the position files of a folder, by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path)
                .map_err(|error| Failure(format!("cannot read {}: {error}", path.display())))?;
            let mut found: Vec<PathBuf> = entries
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.extension().is_some_and(|extension| extension == "pos"))
                .collect();
            if found.is_empty() {
                return Err(Failure(format!("no .pos files in {}", path.display())));
            }
            found.sort();
            files.append(&mut found);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn run_fit(args: &FitArgs) -> Outcome {
    let stopped = interrupt();
    let going = || !stopped.load(Ordering::Relaxed);
    let bar = ProgressBar::new_spinner();
    let set = Set::load(&files(&args.data)?, &mut |samples| {
        if samples % 64 == 0 {
            bar.set_message(format!("{samples} positions read"));
            bar.tick();
        }
        going()
    })
    .map_err(|error| Failure::of(&error))?;
    bar.finish_and_clear();
    if set.train.is_empty() || set.held_out.is_empty() {
        return Err(Failure(format!(
            "{} positions to learn from and {} held out: expected at least one game of each",
            set.train.len(),
            set.held_out.len()
        )));
    }
    let mut out = stdout().lock();
    let (constant, loss) = fit::scale::fit(&set.train);
    writeln!(out, "{} positions, {} held out", set.train.len(), set.held_out.len())?;
    writeln!(out, "scores predict results best divided by {constant:.0}: loss {loss:.4}")?;
    let recipe = Recipe {
        seed: args.seed,
        epochs: args.epochs,
        rate: args.rate,
        batch: usize::try_from(args.batch).unwrap_or(1),
        blend: args.blend.clamp(0.0, 1.0),
        name: args.name.clone(),
        threads: threads(args.threads),
    };
    let bar = ProgressBar::new(set.train.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {pos}/{len} positions {wide_bar} {per_sec} {eta}")
    {
        bar.set_style(style);
    }
    let mut lines = Vec::new();
    let (weights, _) = fit::fit(&set, &recipe, &mut |progress| {
        match progress {
            fit::Progress::Step(done, _) => bar.set_position(done as u64),
            fit::Progress::Epoch(epoch) => {
                let Epoch { number, train, held_out, results } = epoch;
                let line = format!(
                    "epoch {number}: loss {train:.5}, held out {held_out:.5}, against results {results:.5}"
                );
                bar.suspend(|| lines.push(line.clone()));
                let _ = writeln!(out, "{line}");
                bar.set_message(format!("epoch {}", number + 1));
            }
        }
        going()
    });
    bar.finish_and_clear();
    std::fs::write(&args.out, weights.to_bytes())
        .map_err(|error| Failure(format!("cannot write {}: {error}", args.out.display())))?;
    writeln!(out, "{}", args.out.display())?;
    Ok(exit(&stopped))
}

fn run_margins(args: &MarginsArgs) -> Outcome {
    let settings = args.options.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?;
    let stopped = interrupt();
    let bar = ProgressBar::new(args.pairs);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} pairs {per_sec} {eta} {msg}") {
        bar.set_style(style);
    }
    let tuning = Tuning {
        seed: args.seed,
        pairs: args.pairs,
        nodes: args.nodes,
        threads: threads(args.threads),
        settings,
        file: args.out.clone(),
    };
    let state = tuning.run(&|state| {
        bar.set_position(state.pairs);
        if state.pairs % 16 == 0 {
            bar.set_message(state.words());
        }
        !stopped.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let state = state.map_err(|error| Failure::of(&error))?;
    writeln!(stdout(), "{} pairs: {}", state.pairs, state.words())?;
    Ok(exit(&stopped))
}
