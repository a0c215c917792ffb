//! `kelso bench`: searches a fixed set of positions.

use std::io::{Write, stdout};
use std::time::Duration;

use super::{Outcome, Status, milliseconds, within};
use draughts::notation::fen;
use engine::search::Control;
use engine::{BENCH_DEPTH, Engine};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth of each search in plies
    #[arg(default_value_t = BENCH_DEPTH, value_parser = within(1..=127_usize))]
    depth: usize,
    /// Compare the time to depth of one thread with that of N
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = within(2..=256_usize))]
    threads: Option<usize>,
    /// With --threads: search each position to the first depth that takes one thread this long, such as 200ms or 1s; a bare
    /// number is in milliseconds
    #[arg(long, value_name = "TIME", default_value = "200ms", requires = "threads", value_parser = milliseconds)]
    time: Duration,
}

/// Searches, and prints the nodes of each position, their sum, and the speed.
pub fn run(args: &Args) -> Outcome {
    let engine = Engine::with_table(1)?;
    if let Some(threads) = args.threads {
        return compare(&engine, threads, args.time);
    }
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
    result?;
    written?;
    let seconds = control.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rounded speed for people")]
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "Bench: {nodes}")?;
    writeln!(out, "{seconds:.3} s, {millions:.2} million nodes/s")?;
    Ok(Status::Success)
}

/// Prints the time to depth of each position on one thread and on several, and the mean speedups.
fn compare(engine: &Engine, threads: usize, time: Duration) -> Outcome {
    let mut out = stdout().lock();
    let mut written = Ok(());
    let (mut positions, mut logs, mut alone, mut together) = (0u32, 0.0, 0.0, 0.0);
    let result = engine.scaling(threads, time, &mut |result| {
        let times = [result.alone, result.together].map(|time| time.as_secs_f64().max(1e-9));
        positions += 1;
        logs += (times[0] / times[1]).ln();
        alone += times[0];
        together += times[1];
        if written.is_ok() {
            written = writeln!(
                out,
                "position {:2} depth {:2} 1 thread {:.3} s {:>10} nodes, {threads} threads {:.3} s {:>10} nodes, {:.2} times as fast",
                result.number, result.depth, times[0], result.nodes[0], times[1], result.nodes[1], times[0] / times[1]
            );
        }
    });
    result?;
    written?;
    let mean = (logs / f64::from(positions.max(1))).exp();
    writeln!(out, "{positions} positions: geometric mean {mean:.2}, of total time {:.2}", alone / together)?;
    Ok(Status::Success)
}
