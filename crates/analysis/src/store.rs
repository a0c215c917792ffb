//! The checkpoint of an analysis.

use serde::{Deserialize, Serialize};

use super::record::GameAnalysis;
use common::checkpoint::{Checkpoint, CheckpointHeader};

/// The two files of an analysis.
pub type Store = Checkpoint<AnalysisHeader>;

/// The settings that the games of an analysis share. Only runs that agree in all of them can
/// resume each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisHeader {
    /// The engine that analyses, with its evaluation or fingerprint.
    pub judge: String,
    /// The fingerprint of this program, which gives the verdicts.
    pub program: String,
    /// The limits for each move.
    pub limits: String,
    /// The engine's options.
    pub options: String,
    /// The most pieces of the endgame databases.
    pub databases: u32,
    /// Size and checksum of the input.
    pub input: String,
    /// The selected games.
    pub games: String,
    /// The shard.
    pub shard: String,
    /// Set if problems are collected.
    pub problems: bool,
    /// Set if only moves with a verdict have comments.
    #[serde(default)]
    pub brief: bool,
}

impl CheckpointHeader for AnalysisHeader {
    type Item = GameAnalysis;
    const FORMAT: &'static str = "kelso_analysis";
    const JOB: &'static str = "analysis";
    const PDN: Option<fn(&Self, &GameAnalysis) -> String> = Some(|_, game| format!("{}\n", game.pdn));

    fn program(&self) -> Option<&str> {
        Some(&self.program)
    }

    fn number(game: &GameAnalysis) -> u64 {
        game.game
    }
}
