//! Times lookups in endgame databases: in new, decoded and packed blocks, and by two threads concurrently.

use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use kelso_draughts::board::Position;
use kelso_endgames::Databases as Opened;
use kelso_random::{Random, SeedableRng};

use crate::Databases;
use crate::shared::endings::quiet;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    databases: Databases,
    /// Number of pieces
    #[arg(long, value_name = "N", default_value_t = 6)]
    pieces: u32,
    /// Number of random positions to look up
    #[arg(long, value_name = "N", default_value_t = 2000)]
    positions: u32,
    /// Cache for decoded blocks in MiB; should hold all positions
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    cache: usize,
    /// Number of times that two threads look each position up
    #[arg(long, value_name = "N", default_value_t = 10)]
    rounds: u32,
}

/// Looks up all positions `rounds` times. Returns the time per lookup in microseconds.
fn time(databases: &Opened, positions: &[Position], rounds: u32) -> Result<f64> {
    let began = Instant::now();
    for _ in 0..rounds {
        let known = positions.iter().filter(|position| databases.probe_quiet(position).is_some()).count();
        ensure!(known == positions.len(), "{known} of {} positions have a result", positions.len());
    }
    let count = f64::from(u32::try_from(positions.len())? * rounds);
    Ok(began.elapsed().as_secs_f64() * 1e6 / count)
}

/// Like `time`, with a thread per set of positions. Returns the mean.
#[expect(clippy::cast_precision_loss, reason = "a mean for display")]
fn time_threads(databases: &Opened, sets: &[Vec<Position>], rounds: u32) -> Result<f64> {
    let times = std::thread::scope(|scope| {
        let threads: Vec<_> =
            sets.iter().map(|set| scope.spawn(move || time(databases, set, rounds))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect::<Result<Vec<_>>>()
    })?;
    Ok(times.iter().sum::<f64>() / times.len() as f64)
}

impl Arguments {
    pub fn run(&self) -> Result<()> {
        let sets = [6, 7].map(|seed| -> Vec<Position> {
            let mut random = Random::seed_from_u64(seed);
            (0..self.positions).map(|_| quiet(&mut random, self.pieces)).collect()
        });
        let [positions, _] = &sets;
        let began = Instant::now();
        let large = self.databases.open(self.pieces, self.cache)?;
        println!("opened in {:.2} ms", began.elapsed().as_secs_f64() * 1e3);
        println!("first time: {:.2} µs", time(&large, positions, 1)?);
        println!("decoded: {:.2} µs", time(&large, positions, 1)?);
        // This cache is deliberately too small, so that every lookup decodes its block.
        let small = self.databases.open(self.pieces, 1)?;
        time(&small, positions, 1)?;
        println!("read by the system before, not decoded: {:.2} µs", time(&small, positions, 1)?);
        for (name, databases, rounds) in [("decoded", &large, self.rounds), ("not decoded", &small, 1)] {
            time_threads(databases, &sets, 1)?;
            let one = time_threads(databases, &sets[..1], rounds)?;
            let two = time_threads(databases, &sets, rounds)?;
            println!("{name}: {one:.2} µs with one thread, {two:.2} µs with two");
        }
        Ok(())
    }
}
