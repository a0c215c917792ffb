//! The checkpoint of a tuning tournament: its settings, and the result of every pair of games.

use serde::{Deserialize, Serialize};

use super::Tournament;
use crate::engines::options_text;
use common::checkpoint::{Checkpoint, CheckpointHeader};

/// The settings that a resumed run must share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    evaluation: String,
    /// The checksum of the first weights.
    weights: u32,
    seed: u64,
    challengers: usize,
    pairs: usize,
    nodes: u64,
    reach: f64,
    options: String,
}

/// The result of a pair of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairResult {
    /// Its number among the pairs of all generations.
    #[serde(rename = "n")]
    pub number: u64,
    /// Half points of the challenger with Black and with White.
    pub halves: [u8; 2],
}

/// The checkpoint, in NAME.state.
pub type TuneFile = Checkpoint<Header>;

impl CheckpointHeader for Header {
    type Item = PairResult;
    const FORMAT: &'static str = "kelso_tune";
    const JOB: &'static str = "tournament";
    const EXTENSION: &'static str = ".state";
    const REMEDY: &'static str = "remove this line to play its games again";

    fn number(pair: &PairResult) -> u64 {
        pair.number
    }
}

impl Header {
    pub(super) fn new(tournament: &Tournament) -> Self {
        let Tournament { first, seed, challengers, pairs, nodes, mutation_range, settings, .. } = tournament;
        Self {
            evaluation: first.evaluation().name.to_owned(),
            weights: first.checksum(),
            seed: *seed,
            challengers: *challengers,
            pairs: *pairs,
            nodes: *nodes,
            reach: *mutation_range,
            options: options_text(settings),
        }
    }
}

/// The state of a tournament, which follows from the results of its pairs of games.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneState {
    /// Number of finished generations.
    pub generation: u64,
    /// The champion's weights.
    pub(super) champion: Vec<i32>,
    /// The results of the current generation by pair: half points of the challenger with each colour.
    pub(super) played: Vec<Option<[u8; 2]>>,
}
