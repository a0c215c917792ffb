//! `kelso train`: self-play, its data, and evaluations learned from them.

mod data;
mod fit;
mod games;
mod input;
mod judge;
mod margins;
mod play;
mod terms;
mod tune;

use std::process::ExitCode;

use super::interrupt;
use super::progress::bar;
use super::{Outcome, interrupted, say, threads};

/// What to do for an evaluation that is learned.
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
    /// Summarise, deduplicate, split or merge files of positions
    Data(data::Args),
    /// Fit a network to positions
    ///
    /// A fit takes minutes. An interrupted one keeps nothing.
    Fit(fit::Args),
    /// Judge networks by positions whose results are known
    ///
    /// Chooses quiet positions of 7 to 12 pieces, finds their results by endgame databases and searches, and prints how well the
    /// evaluations of networks order them: the probability that a won position gets a higher score than a drawn one, and a drawn
    /// one than a lost one. Positions whose result the search leaves open are not judged.
    Judge(judge::Args),
    /// Fit the weights of the hand-made evaluation to positions
    ///
    /// Writes them as text for the option Weights. The result is the same in every run, and takes seconds.
    Terms(terms::Args),
    /// Tune a hand-made evaluation by mutation and tournament
    ///
    /// In each generation challengers whose weights differ a little from the champion's play against it, and the best may become the
    /// next champion. Its weights are written after each generation as text, for the option Weights. Repeat the command to resume
    /// an interrupted run; more generations make it longer.
    Tune(tune::Args),
    /// Tune the margins of the search by SPSA
    ///
    /// Plays many short games and prints a value for the option Margins; test it in a match. Repeat the command to resume an
    /// interrupted run.
    Margins(margins::Args),
}

/// Does what the arguments ask for.
///
/// # Errors
///
/// When it could not be done.
pub fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Play(args) => play::run(args),
        Command::Data(args) => data::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Judge(args) => judge::run(args),
        Command::Terms(args) => terms::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Margins(args) => margins::run(args),
    }
}

/// Reports that an interrupted command has kept nothing, and returns its exit status.
fn stopped() -> ExitCode {
    say("stopped: nothing is kept");
    interrupted()
}

/// A share, from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or("expected a number from 0 to 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_between_nothing_and_all() {
        for (text, value) in [("0", 0.0), ("0.25", 0.25), ("1", 1.0), ("1e-3", 0.001)] {
            assert_eq!(share(text), Ok(value));
        }
        for text in ["", "1.1", "-0.1", "nan", "inf", "half"] {
            assert_eq!(share(text).unwrap_err(), "expected a number from 0 to 1", "{text}");
        }
    }
}
