//! `kelso train`: self-play, its data, and evaluations learned from them.

mod data;
mod fit;
mod games;
mod input;
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
    /// Play games of the engine against itself, to learn from
    ///
    /// Games are appended to one file in the folder. A run that was stopped goes on where it was when it is started again
    /// with the same seed, nodes and shard; with more games it is made longer.
    Play(play::Args),
    /// Look into what was played, clear it of repetitions, split or merge it
    Data(data::Args),
    /// Fit a network to what was played
    ///
    /// A fit takes minutes. One that is stopped keeps nothing.
    Fit(fit::Args),
    /// Fit the weights of the hand-made evaluation to what was played
    ///
    /// Writes them as text, which the option Weights reads. The best weights are the same in every run; seconds find them.
    Terms(terms::Args),
    /// Tune a hand-made evaluation by mutation and tournament
    ///
    /// In each generation challengers whose weights differ a little from the holder's play against it, and the best goes on. The
    /// weights are written as text after each, for the option Weights. A run that was stopped goes on where it was when it is
    /// started again in the same way; with more generations it is made longer.
    Tune(tune::Args),
    /// Tune the search's margins by many short games
    ///
    /// Shows the margins as they move. What it ends with is a value for the option Margins, to be kept only if a match says
    /// so. A run that was stopped goes on where it was when it is started again with the same file.
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
