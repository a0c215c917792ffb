//! The checkpoint of a tournament: how it is played, and the result of every pair of games.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Tournament;
use common::checkpoint::{Checkpoint, CheckpointError, CheckpointHeader};
use engine::SettingError;

/// How a tournament is played. Only runs that agree in all of it can resume each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    evaluation: String,
    /// The checksum of the weights that it begins with.
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
    /// Half points of the challenger, with Black and with White.
    pub halves: [u8; 2],
}

/// The results of a tournament on disk, in NAME.state.
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
        let Tournament { first, seed, challengers, pairs, nodes, reach, settings, .. } = tournament;
        let options: Vec<_> = settings.settings.iter().map(|setting| format!("{setting:?}")).collect();
        Self {
            evaluation: first.evaluation().name().to_owned(),
            weights: first.checksum(),
            seed: *seed,
            challengers: *challengers,
            pairs: *pairs,
            nodes: *nodes,
            reach: *reach,
            options: options.join(", "),
        }
    }
}

/// What a tournament has come to. It follows from the results of its pairs of games.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneState {
    /// Generations played.
    pub generation: u64,
    /// The holder's weights.
    pub(super) holder: Vec<i32>,
    /// The results of the generation under way, by pair: half points of the challenger with either colour.
    pub(super) played: Vec<Option<[u8; 2]>>,
}

/// Why a tournament cannot be played.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The checkpoint cannot be used.
    #[error(transparent)]
    File(#[from] CheckpointError),
    /// The engine refuses a setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
}
