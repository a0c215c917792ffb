//! An analysis on disk.

use super::header::Header;
use super::record::GameRecord;
use common::journal::{Head, Journal};

/// The two files of an analysis.
pub type Store = Journal<Header>;

impl Head for Header {
    type Item = GameRecord;
    const STATE: &'static str = "an analysis";
    const JOB: &'static str = "analysis";
    const VERSION: u32 = 1;
    const PDN: Option<fn(&Self, &GameRecord) -> String> = Some(|_, game| format!("{}\n", game.pdn));

    fn version(&self) -> u32 {
        self.kelso_analysis
    }

    fn program(&self) -> Option<&str> {
        Some(&self.program)
    }

    fn number(game: &GameRecord) -> u64 {
        game.game
    }
}
