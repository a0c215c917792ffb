//! `kelso train play`: self-play.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::value_parser;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, Interrupt, Outcome, setting, threads};
use crate::arena::schedule::Shard;
use crate::engine::Engine;
use crate::train::{Held, Plan, Progress};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
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

pub(super) fn run(args: &Args) -> Outcome {
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
        threads: threads(args.threads),
        settings,
        evaluation: sample.evaluation_name(),
    };
    drop(sample);
    let interrupt = Interrupt::listen()?;
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
        !interrupt.has_come()
    });
    bar.finish_and_clear();
    let Progress { games, of, samples } = result.map_err(|error| Failure::of(&error))?;
    let path = args.out.join(plan.file_name());
    writeln!(stdout(), "{}: {games} of {of} games, {samples} positions", path.display())?;
    Ok(interrupt.status())
}
