//! `kelso train margins`: tuning of the search.

use std::io::{Write, stdout};
use std::path::PathBuf;

use super::{Games, Outcome, at_least, bar, interrupt};
use common::count::counted;
use common::outputs::Outputs;
use training::Tuning;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write the results of the pairs to FILE, from which the run can be resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of pairs of games
    #[arg(long, default_value_t = 20_000, value_parser = at_least(1_u64))]
    pairs: u64,
    #[command(flatten)]
    how: Games,
}

pub(super) fn run(args: &Args) -> Outcome {
    Outputs::new(true).reads(args.how.settings.files()).writes_files("--out", [&args.out]).check()?;
    let interrupt = interrupt::listen();
    let bar = bar(args.pairs, "{pos}/{len} pairs {wide_bar} {per_sec} {eta} {msg}");
    let tuning = Tuning {
        seed: args.how.seed.seed,
        pairs: args.pairs,
        nodes: args.how.nodes,
        threads: args.how.threads.count(),
        settings: args.how.settings.read()?,
        file: args.out.clone(),
    };
    let state = tuning.run(&|state| {
        bar.set_position(state.pairs());
        if state.pairs() % 16 == 0 {
            bar.set_message(state.margins().to_string());
        }
        !interrupt.is_stopped()
    });
    bar.finish_and_clear();
    let state = state?;
    writeln!(stdout(), "{}: {}", counted(state.pairs(), "pair"), state.margins())?;
    Ok(interrupt::status(&interrupt))
}
