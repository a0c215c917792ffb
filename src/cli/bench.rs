//! `kelso bench`: searches a fixed set of positions.

use std::io::{Write, stdout};

use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::within;
use kelso_draughts::notation::fen;
use kelso_engine::search::{Control, MAX_DEPTH};
use kelso_engine::{BENCH_DEPTH, BenchResult, Engine, Setting};
use kelso_reports::statistics::real;

/// Search a fixed set of positions and count the nodes
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth of each search in plies
    #[arg(default_value_t = BENCH_DEPTH, value_parser = within(1..=MAX_DEPTH))]
    depth: usize,
}

/// Searches, and prints the nodes of each position, their sum, and the speed.
pub fn run(args: &Args) -> Outcome {
    let engine = Engine::new([Setting::Hash(1)])?;
    let control = Control::new();
    let mut out = stdout().lock();
    let mut sum = 0;
    for BenchResult { number, position, nodes, .. } in engine.bench(args.depth, &control)? {
        sum += nodes;
        writeln!(out, "position {number:2} nodes {nodes:>10} {}", fen::format(&position))?;
    }
    let seconds = control.elapsed().as_secs_f64();
    let millions = real(sum) / seconds.max(1e-9) / 1e6;
    writeln!(out, "Bench: {sum}")?;
    writeln!(out, "{seconds:.3} s, {millions:.2} million nodes/s")?;
    Ok(Status::Success)
}
