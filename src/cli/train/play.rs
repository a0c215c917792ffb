//! `kelso train play`: self-play.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::value_parser;

use super::games::Games;
use super::{Outcome, bar, interrupt, say};
use common::count::{counted, grouped};
use tournament::schedule::Shard;
use training::{PlayProgress, SelfPlay, SelfPlayRules};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Write the games to a file in this directory
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Number of games of all shards
    #[arg(long, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Nodes searched for each move
    #[arg(long, default_value_t = 2000, value_parser = super::super::at_least_one::<u64>)]
    nodes: u64,
    /// Number of branches of each game, which continue from one of its positions after one or two random moves
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u32).range(..=100))]
    branches: u32,
    /// Play only the Ith of N parts of the games
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    #[command(flatten)]
    how: Games,
}

pub(super) fn run(args: &Args) -> Outcome {
    let settings = args.how.settings()?;
    let plan = SelfPlay {
        rules: SelfPlayRules { seed: args.how.seed, nodes: args.nodes, branches: args.branches },
        games: args.games,
        shard: (args.shard.index, args.shard.count),
        threads: args.how.threads(),
        settings,
    };
    let interrupt = interrupt::listen();
    let bar = bar(0, "{pos}/{len} games {wide_bar} {per_sec} {eta} {msg}");
    let path = args.out.join(plan.file_name());
    let mut begun = false;
    let result = plan.run(&args.out, &mut |PlayProgress { games, of, samples, dropped }| {
        if !begun {
            begun = true;
            bar.set_length(of);
            bar.reset_eta();
            if dropped > 0 {
                bar.suspend(|| say(&format!("dropped {dropped} bytes of a game that was cut short")));
            }
        }
        bar.set_position(games);
        bar.set_message(counted(samples, "position"));
        !interrupt.is_stopped()
    });
    bar.finish_and_clear();
    let PlayProgress { games, of, samples, .. } = result?;
    writeln!(
        stdout(),
        "{}: {} of {}, {}",
        path.display(),
        grouped(games),
        counted(of, "game"),
        counted(samples, "position")
    )?;
    Ok(interrupt::status(&interrupt))
}
