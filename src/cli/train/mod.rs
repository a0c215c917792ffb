//! `kelso train`: self-play, its data, and evaluations learned from them.

use crate::cli::arguments::engine::{Seed, Settings, Threads};
use crate::cli::outcome::{NOTHING_KEPT, Outcome, Status, interrupted};
use crate::cli::values::at_least;

mod data;
mod fit;
mod input;
mod judge;
mod play;
mod tune;

/// Train an evaluation on the engine's own games
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Play games of the engine against itself
    ///
    /// Games are appended to one file in the directory. Repeat the command to resume an interrupted run; more games make it
    /// longer.
    Play(play::Args),
    /// Summarise, deduplicate, split or merge position files
    #[command(subcommand)]
    Data(data::Command),
    /// Fit a network to positions
    ///
    /// A fit takes minutes, and cannot be resumed if interrupted.
    Fit(fit::NetworkArgs),
    /// Test networks on positions with known results
    ///
    /// Chooses quiet positions of 7 to 12 pieces, finds their results by endgame databases and searches, and prints how
    /// well the evaluations of networks order them: the probability that a won position gets a higher score than a
    /// drawn one, and a drawn one than a lost one. Positions whose result the search leaves open are skipped.
    /// NAME.jsonl holds the positions and their results.
    Judge(judge::Args),
    /// Fit the weights of the hand-made evaluation to positions
    ///
    /// Writes the weights as text, for the option Weights. The result is reproducible and takes seconds.
    Terms(fit::TermsArgs),
    /// Tune a hand-made evaluation by mutation and tournament
    ///
    /// In each generation, challengers whose weights differ a little from the champion's play against it, and the best
    /// may become the next champion. After each generation, its weights are written as text, for the option Weights.
    /// Repeat the command to resume an interrupted run, from FILE.state; more generations make it longer.
    Tune(tune::TuneArgs),
    /// Tune the margins of the search by SPSA
    ///
    /// Plays many short games and prints a value for the option Margins; test it in a match. Repeat the command to resume an
    /// interrupted run.
    Margins(tune::MarginsArgs),
}

pub(super) fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Play(args) => play::run(args),
        Command::Data(command) => data::run(command),
        Command::Fit(args) => fit::network(args),
        Command::Judge(args) => judge::run(args),
        Command::Terms(args) => fit::terms(args),
        Command::Tune(args) => tune::tune(args),
        Command::Margins(args) => tune::margins(args),
    }
}

/// Reports that an interrupted command has kept nothing, and returns its exit status.
fn stopped() -> Status {
    interrupted(NOTHING_KEPT)
}

/// The games to play.
#[derive(clap::Args, Debug)]
#[command(mut_arg("nodes", |nodes| nodes.help("Nodes searched per move").default_value("2000")))]
struct Games {
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    search: Searches,
}

/// The searches to run.
#[derive(clap::Args, Debug)]
struct Searches {
    /// Nodes searched for each position
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = at_least(1_u64))]
    nodes: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    settings: Settings,
}
