//! A search to a fixed depth, and a single evaluation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use draughts::board::{Game, Position};
use engine::search::{Control, Limits};
use engine::{Engine, bench_positions};

fn searching(c: &mut Criterion) {
    let mut engine = Engine::with_table(16).unwrap();
    let game = Game::default();
    let mut search = || {
        engine.new_game();
        engine.search(&game, &Limits::depth(10), &Control::new(false), &mut |_| {})
    };
    let nodes = search().nodes;
    let mut group = c.benchmark_group("search");
    group.throughput(Throughput::Elements(nodes)).sample_size(20);
    group.bench_function("start to depth 10", |b| b.iter(&mut search));
    group.finish();
}

fn evaluating(c: &mut Criterion) {
    let positions: Vec<Position> = bench_positions().collect();
    let engine = Engine::with_table(1).unwrap();
    let mut group = c.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("default", |b| {
        b.iter(|| positions.iter().map(|p| engine.evaluate(black_box(p))).sum::<i32>());
    });
    group.finish();
}

criterion_group!(benches, searching, evaluating);
criterion_main!(benches);
