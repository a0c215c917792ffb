//! A match from its start to its report: the engines start, then the checkpoint is created or resumed, and
//! only then is anything written.

use std::time::Instant;

use thiserror::Error;

use super::adjudication::Rules;
use super::header::{Contender, MatchHeader};
use super::match_game::MatchGame;
use super::openings::OpeningChoice;
use super::report::{MatchProgress, MatchReport};
use super::runner::{self, EngineStartError, MatchEnd, MatchGames, PlayedGames, StartedEngines};
use super::schedule::{Format, Plan, Schedule, ScheduleError};
use super::settings::MatchSettings;
use super::tally::Tally;
use kelso_batch::checkpoint::{Checkpoint, ResumePolicy};
use kelso_batch::error::RunError;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_draughts::record::GameRecord;
use kelso_draughts::referee::Oracle;
use kelso_players::fingerprint;
use kelso_players::log::EngineLog;
use kelso_players::spec::EngineSpec;
use kelso_reports::statistics::sprt::Sprt;
use kelso_runtime::stop::StopToken;
use kelso_text::time;

/// A match to be played.
pub struct Match<'a> {
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
}

pub struct MatchFiles<'a> {
    pub outputs: &'a Outputs,
    /// The base name of the checkpoint.
    pub name: &'a OutputPath,
    pub policy: ResumePolicy,
    /// The log of all lines to and from the engines.
    pub log: Option<&'a OutputPath>,
}

/// What happens in a match.
pub enum MatchEvent<'a> {
    /// A message about the match or an engine.
    Note(&'a str),
    /// A game was lost by a fault of an engine.
    Fault(String),
    /// A game is finished.
    Progress(MatchProgress<'a>),
    /// The last game is finished.
    Played(MatchProgress<'a>),
}

/// Receives what happens in a match, in any thread.
pub type OnEvent<'a> = dyn Fn(MatchEvent<'_>) + Sync + 'a;

/// A match that has ended.
pub struct PlayedMatch {
    pub report: MatchReport,
    /// The games that count, in order.
    pub games: Vec<MatchGame>,
    pub end: MatchEnd,
    /// Whether all lines were logged.
    pub log: Result<(), RunError>,
}

/// The reason why a match cannot be played.
#[derive(Error, Debug)]
pub enum MatchError {
    #[error("{0}")]
    Schedule(#[from] ScheduleError),
    #[error("{0}")]
    Engine(#[from] EngineStartError),
    #[error("{0}")]
    File(#[from] RunError),
    /// A finished game does not belong to the match.
    #[error(
        "game {number} in \"{path}\" does not fit the schedule of this match; check whether the openings have changed"
    )]
    ForeignGame { number: u64, path: String },
}

impl Match<'_> {
    /// Plays the match, or the rest of it. Returns `None` if it was stopped before it began.
    ///
    /// # Errors
    ///
    /// If the engines cannot be started or the files cannot be written. Before the first game, no file has
    /// been changed.
    pub fn play(
        mut self,
        files: &MatchFiles<'_>,
        stop: &StopToken,
        on_event: &OnEvent<'_>,
    ) -> Result<Option<PlayedMatch>, MatchError> {
        let schedule = Schedule::new(&self.plan, count(&self.engines), count(&self.openings))?;
        let log = EngineLog::default();
        for engine in &mut self.engines {
            engine.log = files.log.map(|_| log.clone());
            engine.draws = self.rules.draws;
        }
        let on_status = |text: &str| on_event(MatchEvent::Note(text));
        let started = StartedEngines::start(&self.engines, self.forfeit, stop, &on_status)?;
        if stop.is_stopped() {
            return Ok(None);
        }
        let mut done = Vec::new();
        let header = self.header(&started)?;
        let (mut store, warnings) =
            Checkpoint::open(files.name, header, files.policy, &mut |game| done.push(game))?;
        for warning in warnings {
            on_event(MatchEvent::Note(&format!("note: {warning}")));
        }
        let header = store.header().clone();
        let settings = MatchSettings {
            engines: &self.engines,
            openings: &self.openings,
            schedule: &schedule,
            header: &header,
            oracle: self.oracle,
            concurrency: self.concurrency,
            strict: self.strict,
            timed: self.timed,
            on_status: &on_status,
        };
        if let Some(game) = runner::foreign_game(&settings, &done) {
            let path = store.state_path().display().to_string();
            return Err(MatchError::ForeignGame { number: u64::from(game.number) + 1, path });
        }
        if let Some(path) = files.log {
            log.open(files.outputs.journal(path)?);
        }
        let played = play_rest(&settings, started, done, stop, &mut store, on_event)?;
        store.rewrite(played.games.iter().map(Ok))?;
        let PlayedGames { games, tally, end } = played;
        let report = MatchReport::new(&(&header).into(), &tally);
        Ok(Some(PlayedMatch { report, games, end, log: log.finish() }))
    }

    fn header(&self, started: &StartedEngines) -> Result<MatchHeader, RunError> {
        let mut engines = Vec::new();
        for (spec, index) in self.engines.iter().zip(0..) {
            let identity = started.identity(index).map_or("", |identity| identity.name.as_str());
            engines.push(Contender {
                name: spec.name.clone(),
                settings: spec.settings(),
                program: fingerprint::of(spec, identity)?,
            });
        }
        Ok(MatchHeader {
            event: self.event.clone(),
            site: self.site.clone(),
            date: self.timed.then(time::today),
            engines,
            openings: self.choice.to_string(),
            plan: self.plan,
            rules: self.rules,
            sprt: self.sprt,
        })
    }
}

fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// Plays the games that are not finished, and stores them.
fn play_rest(
    settings: &MatchSettings<'_>,
    started: StartedEngines,
    done: Vec<MatchGame>,
    stop: &StopToken,
    store: &mut Checkpoint<MatchHeader>,
    on_event: &OnEvent<'_>,
) -> Result<PlayedGames, MatchError> {
    let began = Instant::now();
    let resumed = done.len() as u64;
    let on_game = |game: &MatchGame, games: &MatchGames<'_>| {
        store.add(game)?;
        if game.at_fault().is_some() {
            let number = u64::from(game.number) + 1;
            on_event(MatchEvent::Fault(format!("game {number}: {}: {}", game.termination, game.detail)));
        }
        let progress = progress(settings, &games.tally, [games.finished(), resumed], began);
        on_event(MatchEvent::Progress(progress));
        Ok::<_, MatchError>(())
    };
    let played = runner::run(settings, started, done, stop, on_game)?;
    let finished = played.games.len() as u64;
    if finished > resumed {
        on_event(MatchEvent::Played(progress(settings, &played.tally, [finished, resumed], began)));
    }
    Ok(played)
}

fn progress<'a>(
    settings: &MatchSettings<'_>,
    tally: &'a Tally,
    [finished, resumed]: [u64; 2],
    began: Instant,
) -> MatchProgress<'a> {
    MatchProgress {
        tally,
        finished,
        resumed,
        all: settings.schedule.games().into(),
        shows_first: settings.engines.len() == 2 || settings.header.plan.format == Format::Gauntlet,
        sprt: settings.header.sprt,
        elapsed: began.elapsed(),
    }
}
