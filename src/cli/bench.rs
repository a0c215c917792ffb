//! `kelso bench`: searches a fixed set of positions.

use std::io::{Write, stdout};
use std::time::Duration;

use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::{seconds_up_to, within};
use kelso_draughts::notation::fen;
use kelso_engine::search::Control;
use kelso_engine::{BENCH_DEPTH, BenchResult, Engine, ThreadSpeedup};
use kelso_reports::statistics::real;

/// Search a fixed set of positions and count the nodes
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth of each search in plies
    #[arg(default_value_t = BENCH_DEPTH, value_parser = within(1..=127_usize))]
    depth: usize,
    /// Compare the time to depth on N threads and on one
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = within(2..=256_usize))]
    threads: Option<usize>,
    /// With --threads, search to the first depth that takes one thread at least TIME, such as 200ms or 1s; a bare
    /// number is in seconds
    #[arg(long, value_name = "TIME", default_value = "200ms", requires = "threads", value_parser = seconds_up_to(60))]
    time: Duration,
}

/// Searches, and prints the nodes of each position, their sum, and the speed.
pub fn run(args: &Args) -> Outcome {
    let engine = Engine::new(1)?;
    if let Some(threads) = args.threads {
        return compare(&engine, threads, args.time);
    }
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

/// Prints the time to depth of each position on one thread and on several, and the mean speedups.
fn compare(engine: &Engine, threads: usize, time: Duration) -> Outcome {
    let mut out = stdout().lock();
    let mut positions = 0u32;
    let mut logs = 0.0;
    let mut alone = 0.0;
    let mut together = 0.0;
    for speedup in engine.thread_speedups(threads, time)? {
        let ThreadSpeedup { number, depth, nodes, alone: one, together: all, .. } = speedup;
        let [one, all] = [one, all].map(|time| time.as_secs_f64().max(1e-9));
        positions += 1;
        logs += (one / all).ln();
        alone += one;
        together += all;
        writeln!(
            out,
            "position {number:2} depth {depth:2} 1 thread {one:.3} s {:>10} nodes, {threads} threads {all:.3} s {:>10} nodes, {:.2} times as fast",
            nodes[0],
            nodes[1],
            one / all
        )?;
    }
    let mean = (logs / f64::from(positions.max(1))).exp();
    writeln!(
        out,
        "{positions} positions, speedup: geometric mean {mean:.2}, total time {:.2}",
        alone / together
    )?;
    Ok(Status::Success)
}
