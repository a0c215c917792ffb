//! `kelso train play`: self-play.

use std::io::{Write, stdout};
use std::path::PathBuf;

use super::PlayArgs;
use crate::cli::arguments::run::ShardArg;
use crate::cli::outcome::{Outcome, RESUME};
use crate::cli::progress::bar;
use crate::cli::values::within;
use crate::cli::work::Work;
use kelso_text::plural::{counted, grouped};
use kelso_training::{SelfPlay, StoredGames};

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso train play -o played --games 60 --nodes 200"))]
pub struct Args {
    /// Write the games to a file in this directory
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Number of games in all shards
    #[arg(long, value_parser = within(1..=1_000_000_000_u64))]
    games: u64,
    /// Branches per game; each starts from a position in the game, after one or two random moves
    #[arg(long, default_value_t = 2, value_parser = within(0..=100_u32))]
    branches: u32,
    /// Stop each game when N pieces are left, and decide it by databases or a search of 20 times the nodes;
    /// such games have no positions with so few pieces
    #[arg(long, value_name = "N", value_parser = within(1..=23_u8))]
    stop_at: Option<u8>,
    #[command(flatten)]
    shard: ShardArg,
    #[command(flatten)]
    play: PlayArgs,
}

pub(super) fn run(args: &Args) -> Outcome {
    let settings = args.play.search.settings.read()?;
    let plan = SelfPlay {
        seed: args.play.seed.seed,
        nodes: args.play.search.nodes,
        branches: args.branches,
        stop_at: args.stop_at,
        games: args.games,
        shard: args.shard.shard,
        threads: args.play.search.threads.count(),
        settings,
    };
    let of = plan.count();
    let work = Work::begin(bar(of, "{pos}/{len} games {wide_bar} {per_sec} {eta} {msg}"));
    let path = args.out.join(plan.file_name());
    let mut begun = false;
    let result = plan.run(&args.out, &mut |StoredGames { games, samples, dropped, .. }| {
        if !begun {
            begun = true;
            work.bar.reset_eta();
            if dropped > 0 {
                work.say(&format!("dropped {dropped} bytes of an incomplete game"));
            }
        }
        work.bar.set_message(counted(samples, "position"));
        work.show_progress(games)
    });
    work.clear();
    let StoredGames { games, samples, .. } = result?;
    // An earlier run may have played more games.
    let of = counted(of.max(games), "game");
    let games = grouped(games);
    writeln!(stdout(), "{}: {games} of {of}, {}", path.display(), counted(samples, "position"))?;
    Ok(work.end(RESUME))
}
