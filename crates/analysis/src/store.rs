//! An analysis on disk.

use super::header::Header;
use super::record::GameRecord;
use common::checkpoint::{Checkpoint, CheckpointHeader};

/// The two files of an analysis.
pub type Store = Checkpoint<Header>;

impl CheckpointHeader for Header {
    type Item = GameRecord;
    const FORMAT: &'static str = "kelso_analysis";
    const JOB: &'static str = "analysis";
    const PDN: Option<fn(&Self, &GameRecord) -> String> = Some(|_, game| format!("{}\n", game.pdn));

    fn program(&self) -> Option<&str> {
        Some(&self.program)
    }

    fn number(game: &GameRecord) -> u64 {
        game.game
    }
}
