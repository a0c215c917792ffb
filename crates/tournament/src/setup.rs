//! A match to be played, and the events that it reports.

use super::adjudication::Rules;
use super::openings::OpeningChoice;
use super::report::MatchProgress;
use super::schedule::Plan;
use kelso_draughts::record::GameRecord;
use kelso_draughts::referee::Oracle;
use kelso_players::spec::EngineSpec;
use kelso_reports::statistics::sprt::Sprt;

/// A match to be played.
pub struct MatchSetup<'a> {
    pub event: String,
    pub site: Option<String>,
    pub engines: Vec<EngineSpec>,
    /// The source of the openings, and the openings.
    pub choice: OpeningChoice,
    pub openings: Vec<GameRecord>,
    pub plan: Plan,
    pub rules: Rules,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
    /// The endgame databases, if they adjudicate games.
    pub oracle: Option<&'a dyn Oracle>,
    /// Number of concurrent games.
    pub concurrency: usize,
    /// End the match at the first fault of an engine.
    pub strict: bool,
    /// An engine that cannot be started loses its games.
    pub forfeit: bool,
    /// Record measured times and the date.
    pub timed: bool,
    pub on_event: &'a OnEvent<'a>,
}

/// An event in a match.
pub enum MatchEvent<'a> {
    /// A message about the match.
    Note(&'a str),
    /// A message about an engine that the match waits for.
    Status(&'a str),
    /// A game was lost by a fault of an engine.
    Fault(String),
    /// A game is finished.
    Progress(MatchProgress<'a>),
    /// The last game is finished.
    Played(MatchProgress<'a>),
}

/// Receives the events of a match, in any thread.
pub type OnEvent<'a> = dyn Fn(MatchEvent<'_>) + Sync + 'a;

impl MatchSetup<'_> {
    pub(crate) fn note(&self, text: &str) {
        (self.on_event)(MatchEvent::Note(text));
    }

    pub(crate) fn status(&self, text: &str) {
        (self.on_event)(MatchEvent::Status(text));
    }
}
