//! Move generation: counting, listing and playing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use draughts::board::{Position, perft, perft_played};
use engine::bench_positions;

fn counting(c: &mut Criterion) {
    let start = Position::start();
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&start, 9)));
    group.bench_function("counted", |b| b.iter(|| perft(black_box(&start), 9)));
    group.bench_function("played", |b| b.iter(|| perft_played(black_box(&start), 9)));
    group.finish();
}

fn listing(c: &mut Criterion) {
    let positions: Vec<Position> = bench_positions().collect();
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("listed", |b| {
        b.iter(|| positions.iter().map(|p| black_box(p).moves().len()).sum::<usize>());
    });
    group.bench_function("listed and played", |b| {
        b.iter(|| {
            positions
                .iter()
                .map(|p| p.moves().iter().fold(0, |key, &mv| key ^ p.after(mv).key()))
                .fold(0, |a, b| a ^ b)
        });
    });
    group.finish();
}

criterion_group!(benches, counting, listing);
criterion_main!(benches);
