//! `kelso bench`: a fixed amount of work, to sign the search and to time it.

use std::io::{Write, stdout};
use std::process::ExitCode;

use super::{Failure, Outcome};
use crate::engine::{BENCH_DEPTH, Engine};
use crate::notation::fen;
use crate::search::Control;

/// How much to do.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How deep to search each position
    #[arg(default_value_t = BENCH_DEPTH, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=127))]
    depth: usize,
}

/// Searches, and prints the nodes of each position, their sum, and the speed.
///
/// # Errors
///
/// When there is no memory or the result can't be written.
pub fn run(args: &Args) -> Outcome {
    let engine = Engine::with_table(1).map_err(|error| Failure::of(&error))?;
    let control = Control::new(false);
    let mut out = stdout().lock();
    let mut written = Ok(());
    let mut nodes = 0;
    let result = engine.bench(args.depth, &control, &mut |result| {
        nodes += result.nodes;
        written = writeln!(
            out,
            "position {:2} nodes {:>10} {}",
            result.number,
            result.nodes,
            fen::format(&result.position)
        );
        if written.is_err() {
            control.stop();
        }
    });
    result.map_err(|error| Failure::of(&error))?;
    written?;
    let seconds = control.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rounded speed for people")]
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "Bench: {nodes}")?;
    writeln!(out, "{seconds:.3} s, {millions:.2} million nodes/s")?;
    Ok(ExitCode::SUCCESS)
}
