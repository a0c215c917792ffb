//! A match from its start to its report: the engines start, then the checkpoint is created or resumed, and
//! only then is anything written.

use std::time::Instant;

use thiserror::Error;

use super::header::{Contender, MatchHeader};
use super::match_game::MatchGame;
use super::report::{MatchProgress, MatchReport};
use super::runner::{self, EngineStartError, MatchEnd, MatchGames, StartedEngines};
use super::schedule::{Format, Schedule, ScheduleError};
pub use super::setup::{MatchEvent, MatchSetup, OnEvent};
use kelso_batch::checkpoint::{Checkpoint, CheckpointHeader, ResumePolicy};
use kelso_batch::error::RunError;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_players::fingerprint;
use kelso_players::log::EngineLog;
use kelso_runtime::stop::StopToken;
use kelso_text::time;

pub struct MatchFiles<'a> {
    pub outputs: &'a Outputs,
    /// The base name of the checkpoint.
    pub name: &'a OutputPath,
    pub policy: ResumePolicy,
    /// The log of all lines to and from the engines.
    pub log: Option<&'a OutputPath>,
}

/// A match that has ended.
pub struct PlayedMatch {
    pub report: MatchReport,
    /// The checkpoint with the games that count.
    pub store: Checkpoint<MatchHeader>,
    pub end: MatchEnd,
    /// Whether all lines were logged.
    pub log: Result<(), RunError>,
}

/// The reason why a match cannot be played.
#[derive(Error, Debug)]
pub enum MatchError {
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Engine(#[from] EngineStartError),
    #[error(transparent)]
    File(#[from] RunError),
    /// A finished game does not belong to the match.
    #[error(
        "game {number} in \"{path}\" does not fit the schedule of this match; check whether the openings have changed"
    )]
    ForeignGame { number: u64, path: String },
}

impl MatchSetup<'_> {
    /// Runs the match, or the rest of it. Returns `None` if it was stopped before it began.
    ///
    /// # Errors
    ///
    /// If the engines cannot be started or the files cannot be written. Before the first game, no file has
    /// been changed.
    pub fn run(self, files: &MatchFiles<'_>, stop: &StopToken) -> Result<Option<PlayedMatch>, MatchError> {
        let schedule = Schedule::new(&self.plan, count(&self.engines), count(&self.openings))?;
        let log = EngineLog::default();
        let started = StartedEngines::start(&self, files.log.map(|_| log.clone()), stop)?;
        if stop.is_stopped() {
            return Ok(None);
        }
        let mut games = MatchGames::new(&self, &schedule);
        let header = self.header(&started)?;
        let (mut store, warnings) = Checkpoint::open(files.name, header, files.policy, &mut |game| {
            if !games.fits(&game) {
                let path = files.name.extended(MatchHeader::EXTENSION).display().to_string();
                return Err(MatchError::ForeignGame { number: u64::from(game.number) + 1, path });
            }
            games.add(game);
            Ok(())
        })?;
        for warning in warnings {
            self.note(&warning);
        }
        if let Some(path) = files.log {
            log.open(files.outputs.journal(path)?);
        }
        let began = Instant::now();
        let resumed = games.finished();
        let on_game = |game: &MatchGame, games: &MatchGames<'_>| {
            store.add(game)?;
            if game.at_fault().is_some() {
                let number = u64::from(game.number) + 1;
                let text = format!("game {number}: {}: {}", game.termination, game.detail);
                (self.on_event)(MatchEvent::Fault(text));
            }
            (self.on_event)(MatchEvent::Progress(self.progress(games, resumed, began)));
            Ok::<_, MatchError>(())
        };
        let played = runner::run_schedule(games, started, stop, on_game)?;
        if played.finished() > resumed {
            (self.on_event)(MatchEvent::Played(self.progress(&played, resumed, began)));
        }
        let MatchGames { counted, tally, end, .. } = played;
        let counts = |game: MatchGame| Some(MatchGame { repeats: *counted.get(&game.number)?, ..game });
        let games = store.items()?.filter_map(|game| game.map(counts).transpose());
        let store = store.rewrite(games)?;
        let report = MatchReport::new(store.header().into(), &tally);
        Ok(Some(PlayedMatch { report, store, end, log: log.finish() }))
    }

    fn progress<'a>(&self, games: &'a MatchGames<'_>, resumed: u64, began: Instant) -> MatchProgress<'a> {
        MatchProgress {
            tally: &games.tally,
            finished: games.finished(),
            resumed,
            all: games.schedule.games().into(),
            shows_first: self.engines.len() == 2 || self.plan.format == Format::Gauntlet,
            sprt: self.sprt,
            elapsed: began.elapsed(),
        }
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
