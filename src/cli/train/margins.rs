//! `kelso train margins`: tuning of the search.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::value_parser;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, Interrupt, Outcome, setting, threads};
use crate::train::Tuning;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
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

pub(super) fn run(args: &Args) -> Outcome {
    let settings = args.options.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?;
    let interrupt = Interrupt::listen()?;
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
        !interrupt.has_come()
    });
    bar.finish_and_clear();
    let state = state.map_err(|error| Failure::of(&error))?;
    writeln!(stdout(), "{} pairs: {}", state.pairs, state.words())?;
    Ok(interrupt.status())
}
