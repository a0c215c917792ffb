//! `kelso train`: self-play, the resulting data, and evaluations trained on them.

use crate::cli::arguments::engine::{Seed, Settings, Threads};
use crate::cli::arguments::run::resume;
use crate::cli::arguments::subcommands::subcommands;
use crate::cli::outcome::Outcome;
use crate::cli::values::at_least;

mod data;
mod fit;
mod input;
mod judge;
mod margins;
mod play;

subcommands! {
    /// Train an evaluation on the engine's own games
    pub struct Args;

    /// Generate self-play games
    ///
    /// Games are appended to one file in the directory. When a run is resumed, a higher --games extends it.
    Play(play::Args) => play::run;
    Data(data::Args) => data::run;
    /// Score positions again by longer searches
    ///
    /// Chooses the same number of distinct positions of each class of pieces (1 to 3, 4 to 6, ...). Repeat
    /// the command to resume an interrupted run; a higher --count extends it. The positions have the results
    /// of the games that they come from.
    Rescore(judge::RescoreArgs) => judge::rescore;
    /// Judge an evaluation by positions with scores of long searches
    ///
    /// Reports by class of pieces how far the expected points of the scores are from the best monotone
    /// function of the static evaluation.
    Judge(judge::JudgeArgs) => judge::judge;
    /// Fit a network to positions
    ///
    /// Fitting takes minutes, and cannot be resumed after an interruption.
    Fit(fit::NetworkArgs) => fit::network;
    /// Fit the weights of the handcrafted evaluation to positions
    ///
    /// Writes the weights as text, for the Weights option. The result is reproducible and takes seconds.
    Terms(fit::TermsArgs) => fit::terms;
    /// Tune the margins of the search by SPSA
    ///
    /// Plays many short games and prints a value for the Margins option; test it in a match.
    Margins(margins::MarginsArgs) => margins::margins;
}

/// The games to play.
#[derive(clap::Args, Debug)]
#[command(arg = resume(), mut_arg("nodes", |nodes| nodes.help("Nodes per move").default_value("2000")))]
struct PlayArgs {
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    search: Searches,
}

/// The searches to run.
#[derive(clap::Args, Debug)]
struct Searches {
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = at_least(1_u64))]
    nodes: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    settings: Settings,
}
