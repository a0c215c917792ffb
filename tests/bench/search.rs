//! The search to a fixed depth, and one evaluation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on shall say so"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use draughts::board::{Game, Position};
use draughts::notation::fen;
use engine::search::{Control, Limits};
use engine::{BENCH_POSITIONS, Engine};

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
    let positions: Vec<Position> = BENCH_POSITIONS.iter().map(|text| fen::parse(text).unwrap()).collect();
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
