//! Shared test helpers.

use std::fs;
use std::path::Path;

use super::sample::TrainingSample;
use crate::{GameSamples, GamesError, SampleHeader, SampleReader};
use kelso_batch::error::RunError;
use kelso_batch::shard::Shard;
use kelso_draughts::board::Position;
use kelso_draughts::result::Wdl;
use kelso_engine::eval::Evaluation;
use kelso_random::IndexedRandom;

/// Returns a game of random moves. The material balance determines the labels and scores of its samples.
pub(super) fn random_game(number: u64, plies: usize) -> GameSamples {
    let mut random = kelso_random::stream(&[77, number]);
    let mut position = Position::start();
    let mut samples = Vec::new();
    for ply in 0..plies {
        let moves = position.moves();
        let Some(&mv) = moves.choose(&mut random) else { break };
        if !mv.is_capture() {
            let value = Evaluation::Material.evaluate(&position);
            let label = match value {
                1.. => Wdl::Win,
                0 => Wdl::Draw,
                _ => Wdl::Loss,
            };
            samples.push(TrainingSample::new(&position, i16::try_from(value).unwrap(), label, ply));
        }
        position = position.after(mv);
    }
    GameSamples { number, samples }
}

pub(super) fn head() -> SampleHeader {
    SampleHeader {
        seed: 5,
        nodes: 200,
        shard: Some(Shard { index: 1, count: 2 }),
        evaluation: "network small".into(),
        databases: Some(6),
        weights: Some(0x1a2b),
        branches: Some(0x0203),
        stop_at: None,
    }
}

pub(super) fn write(path: &Path, head: &SampleHeader, games: &[GameSamples]) {
    let games = games.iter().flat_map(|game| game.to_bytes().unwrap());
    fs::write(path, head.to_bytes().into_iter().chain(games).collect::<Vec<u8>>()).unwrap();
}

pub(super) fn read(path: &Path) -> Result<Vec<GameSamples>, RunError> {
    SampleReader::open(path)?.collect()
}

/// Asserts that resuming a run failed because a setting differs.
pub(super) fn assert_other_run<T>(result: Result<T, GamesError>, part: &str) {
    match result.map(drop) {
        Err(GamesError::File(RunError::OtherRun { difference, .. })) => {
            assert!(difference.contains(part), "{difference}");
        }
        result => panic!("{part}: {result:?}"),
    }
}
