//! `kelso train`: self-play, its data, and evaluations learned from them.

mod data;
mod fit;
mod margins;
mod play;
mod terms;
mod tune;

use std::path::PathBuf;
use std::thread;

use indicatif::ProgressBar;

use super::interrupt::Interrupt;
use super::{Failure, INTERRUPTED, Outcome};
use crate::engine::Setting;
use crate::train::fit::Set;

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
    /// Fit an evaluation to what was played: a network, or patterns
    ///
    /// After each epoch the state of the fit is kept in a file beside the weights, NAME.state. A fit that was stopped goes on
    /// from there when it is started again in the same way, and comes to the same weights.
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

fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// An option of the engine.
fn setting(text: &str) -> Result<Setting, Failure> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Failure(format!("--option {text}: expected NAME=VALUE, as Hash=16")))?;
    Setting::new(name.trim(), Some(value.trim()))
        .map_err(|error| Failure(format!("--option {text}: {error}")))
}

/// A share, from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or("expected a number from 0 to 1".to_owned())
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

/// The positions of files, to learn from and held out; none if the reading was stopped.
fn positions(paths: &[PathBuf], held_out: u64, going: &dyn Fn() -> bool) -> Result<Option<Set>, Failure> {
    let bar = ProgressBar::new_spinner();
    let set = Set::load(paths, held_out, &mut |samples| {
        if samples % 64 == 0 {
            bar.set_message(format!("{samples} positions read"));
            bar.tick();
        }
        going()
    })
    .map_err(|error| Failure::of(&error))?;
    bar.finish_and_clear();
    if !going() {
        return Ok(None);
    }
    if set.train.is_empty() || set.held_out.is_empty() {
        return Err(Failure(format!(
            "{} positions to learn from and {} held out: expected at least one game of each",
            set.train.len(),
            set.held_out.len()
        )));
    }
    Ok(Some(set))
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
