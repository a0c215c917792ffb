//! `kelso train margins`: tuning of the search.

use std::io::{Write, stdout};

use super::PlayArgs;
use crate::cli::outcome::{Outcome, RESUME};
use crate::cli::progress::bar;
use crate::cli::values::{at_least, output_file};
use crate::cli::work::Work;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_text::plural::counted;
use kelso_training::Spsa;

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso train margins -o margins.txt --pairs 10 --nodes 200"))]
pub struct MarginsArgs {
    /// File for the results of all pairs
    #[arg(long, short, value_name = "FILE", value_parser = output_file())]
    out: OutputPath,
    /// Number of pairs of games
    #[arg(long, default_value_t = 20_000, value_parser = at_least(1_u64))]
    pairs: u64,
    #[command(flatten)]
    play: PlayArgs,
}

pub(super) fn margins(args: &MarginsArgs) -> Outcome {
    let _outputs = Outputs::new(true).reads(args.play.search.settings.files()).writes([&args.out]).check()?;
    let work = Work::begin(bar(args.pairs, "{pos}/{len} pairs {wide_bar} {per_sec} {eta} {msg}"));
    let tuning = Spsa {
        seed: args.play.seed.seed,
        pairs: args.pairs,
        nodes: args.play.search.nodes,
        threads: args.play.search.threads.count(),
        settings: args.play.search.settings.read()?,
        file: args.out.to_path_buf(),
    };
    let state = tuning.run(&|state| {
        if state.pairs() % 16 == 0 {
            work.bar.set_message(state.margins().to_string());
        }
        work.show_progress(state.pairs())
    });
    work.clear();
    let state = state?;
    writeln!(stdout(), "{}: {}", counted(state.pairs(), "pair"), state.margins())?;
    Ok(work.end(RESUME))
}
