//! `kelso perft`.

use std::io::{Write, stdout};
use std::time::Instant;

use crate::cli::arguments::position::StartOrFen;
use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::within;
use kelso_draughts::board::{divide, perft};
use kelso_draughts::notation::movetext;
use kelso_reports::statistics::real;

/// Count the leaves of the move tree
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth in plies
    #[arg(value_parser = within(0..=64_u32))]
    depth: u32,
    #[command(flatten)]
    start: StartOrFen,
    /// Show the leaf count below each root move
    #[arg(long)]
    divide: bool,
}

pub fn run(args: &Args) -> Outcome {
    let position = args.start.position();
    let mut out = stdout().lock();
    let start_time = Instant::now();
    let mut leaves = 0;
    if args.divide && args.depth > 0 {
        let mut written = Ok(());
        divide(&position, args.depth, &mut || true, &mut |branch| {
            leaves += branch.leaves;
            if written.is_ok() {
                written = writeln!(out, "{}: {}", movetext::branch(&branch), branch.leaves);
            }
        });
        written?;
    } else {
        leaves = perft(&position, args.depth);
    }
    let elapsed = start_time.elapsed();
    let millions = real(leaves) / elapsed.as_secs_f64().max(1e-9) / 1e6;
    writeln!(out, "perft {} = {leaves}", args.depth)?;
    writeln!(out, "{:.6} s, {millions:.0} million leaves/s", elapsed.as_secs_f64())?;
    Ok(Status::Success)
}
