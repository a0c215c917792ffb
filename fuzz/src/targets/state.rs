//! A mutated state of a proof: the proof continues from it, or there is an error.

use std::sync::LazyLock;

use crate::file::{patched, repair};
use kelso_draughts::board::Position;
use kelso_draughts::notation::fen;
use kelso_endgames::Databases;
use kelso_proof::{Leaves, Prover};

static DATABASES: LazyLock<Databases> = LazyLock::new(Databases::compiled_in);

fn prover(nodes: u64) -> Prover<'static> {
    Prover::new(Leaves::up_to(&DATABASES, 0), nodes)
}

static STATE: LazyLock<(Position, Vec<u8>)> = LazyLock::new(|| {
    let position = fen::parse("B:WK32:BK22,K23").expect("a legal position");
    let mut prover = prover(40);
    let _ = prover.prove(&position, None, &mut |_| true);
    (position, prover.save(&position))
});

pub fn run(patch: &[u8]) {
    let (position, state) = &*STATE;
    let mut bytes = patched(state, patch);
    let end = bytes.len().saturating_sub(4);
    repair(&mut bytes, 0..end, end);
    let mut prover = prover(100);
    if prover.resume(position, &bytes).is_ok() {
        let _ = prover.prove(position, None, &mut |_| true);
    }
}
