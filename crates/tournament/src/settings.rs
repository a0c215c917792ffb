//! How to play a match.

use super::header::MatchHeader;
use super::schedule::Schedule;
use kelso_draughts::record::GameRecord;
use kelso_draughts::referee::Oracle;
use kelso_players::client::OnStatus;
use kelso_players::spec::EngineSpec;

pub struct MatchSettings<'a> {
    pub engines: &'a [EngineSpec],
    pub openings: &'a [GameRecord],
    pub schedule: &'a Schedule,
    /// The rules, the seed, and the test that may end the match early.
    pub header: &'a MatchHeader,
    /// The endgame databases, if they adjudicate games.
    pub oracle: Option<&'a dyn Oracle>,
    /// Number of concurrent games.
    pub concurrency: usize,
    /// End the match at the first fault of an engine.
    pub strict: bool,
    /// Record measured times.
    pub timed: bool,
    /// Called with status messages.
    pub on_status: &'a OnStatus<'a>,
}
