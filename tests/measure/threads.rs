//! The gain from more search threads: the time to the same depth on one thread and on several.

use std::time::Duration;

use anyhow::Result;
use kelso_draughts::board::{Game, Position};
use kelso_engine::search::{Control, Limits, LineReport, SearchEvent};
use kelso_engine::{Engine, Setting, bench_positions};

/// Size of the transposition table.
const MEBIBYTES: usize = 64;
/// Maximum duration of a search, as a multiple of the requested time.
const MAX_TIME_FACTOR: u32 = 50;

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Number of threads to compare with one
    #[arg(value_parser = clap::value_parser!(u16).range(2..=256))]
    threads: u16,
    /// Search to the first depth that takes one thread at least this number of milliseconds
    #[arg(long, default_value_t = 200)]
    time: u64,
}

/// Prints the times of each position of the benchmark, and the mean gain. Leaves out positions that are
/// solved sooner, and those in which a depth takes far longer than the one before.
#[expect(clippy::cast_precision_loss, reason = "a mean for display")]
pub(super) fn run(args: &Arguments) -> Result<()> {
    let time = Duration::from_millis(args.time);
    let limits = Limits::move_time(time.saturating_mul(MAX_TIME_FACTOR));
    let mut engine = Engine::new([Setting::Hash(MEBIBYTES)])?;
    while engine.warm_up() {}
    let mut logs = Vec::new();
    let [mut alone_total, mut together_total] = [0.0; 2];
    for (number, position) in (1..).zip(bench_positions()) {
        let alone = search_until(&mut engine, &position, 1, &limits, |report| report.time >= time)?;
        let Some(alone) = alone else { continue };
        let depth = alone.depth;
        let together = search_until(&mut engine, &position, args.threads.into(), &limits, |report| {
            report.depth >= depth
        })?;
        let Some(together) = together else { continue };
        let [one, all] = [alone.time, together.time].map(|time| time.as_secs_f64().max(1e-9));
        println!(
            "position {number:2} depth {depth:2}: {one:.3} s, {} nodes; {} threads {all:.3} s, {} nodes; {:.2} times as fast",
            alone.nodes,
            args.threads,
            together.nodes,
            one / all
        );
        logs.push((one / all).ln());
        alone_total += one;
        together_total += all;
    }
    let mean = (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
    let total = alone_total / together_total;
    println!("{} positions, geometric mean {mean:.2}, total time {total:.2}", logs.len());
    Ok(())
}

/// Searches until an exact line is enough, and returns it.
fn search_until(
    engine: &mut Engine,
    position: &Position,
    threads: usize,
    limits: &Limits,
    is_enough: impl Fn(&LineReport) -> bool,
) -> Result<Option<LineReport>> {
    engine.apply(Setting::Threads(threads))?;
    engine.new_game();
    let control = Control::new();
    let mut reached = None;
    engine.search(&Game::new(*position), limits, &control, &mut |event| {
        if let SearchEvent::Line(report) = event
            && reached.is_none()
            && report.is_exact()
            && is_enough(&report)
        {
            reached = Some(report);
            control.stop();
        }
    });
    Ok(reached)
}
