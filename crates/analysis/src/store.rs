//! An analysis on disk.

use super::header::Header;
use super::record::GameRecord;
use common::journal::{self, Head, Journal};

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

    fn obstacle(&self, now: &Self) -> Option<String> {
        journal::difference(self, now, &["program"])
    }

    fn other_program(&self, now: &Self) -> Option<String> {
        let (old, now) = (&self.program, &now.program);
        (old != now).then(|| format!("the program was \"{old}\" and is \"{now}\" now"))
    }

    fn number(game: &GameRecord) -> u64 {
        game.game
    }
}
