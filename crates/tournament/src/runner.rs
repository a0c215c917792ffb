//! Plays a schedule: workers take one game after another, and the caller receives each finished game.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::Peekable;

use super::game::{self, GameSetup};
use super::match_game::MatchGame;
use super::schedule::Fixture;
use super::settings::Match;
use super::tally::{Repeats, Tally};
use draughts::board::Color;
use draughts::result::EndReason;
use players::Identity;
use players::client::{EngineClient, OnStatus};
use players::game::{Fault, PlayerError};
use players::spec::EngineSpec;
use reports::statistics::{Decision, Sprt};
use runs::pool::{self, Queue};
use runs::stop::StopToken;

/// The reason why a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided(Decision),
    /// The match was stopped.
    Stopped,
    /// An engine was at fault in a strict match.
    Strict(String),
}

/// The games of a match in schedule order, and the test that uses them.
///
/// The test uses pairs in that order, not in the order in which they finish: short games finish first, which
/// would bias the test. The test therefore ends at the same pair for any number of concurrent games.
struct MatchGames {
    games: BTreeMap<u32, MatchGame>,
    sprt: Option<Sprt>,
    /// Pairs not yet used by the test.
    ahead: Peekable<std::vec::IntoIter<u32>>,
    /// The counts used by the test so far.
    tally: Tally,
    decided: Option<(Decision, u32)>,
}

impl MatchGames {
    fn new(m: &Match<'_>) -> Self {
        let mut ahead = Vec::new();
        if m.header.sprt.is_some() {
            ahead.extend(m.schedule.fixtures().map(|fixture| fixture.pair));
            ahead.dedup();
        }
        Self {
            games: BTreeMap::new(),
            sprt: m.header.sprt,
            ahead: ahead.into_iter().peekable(),
            tally: Tally::new(m.engines.iter().map(|engine| engine.name.as_str())),
            decided: None,
        }
    }

    fn add(&mut self, game: MatchGame) {
        self.games.insert(game.number, game);
        while let (Some(sprt), Some(&pair), None) = (self.sprt, self.ahead.peek(), self.decided) {
            let (Some(one), Some(two)) = (self.games.get(&(2 * pair)), self.games.get(&(2 * pair + 1)))
            else {
                return;
            };
            for game in [one, two] {
                self.tally.add(game, Some((0, pair)));
            }
            let decision = sprt.decision(sprt.llr_of_pairs(self.tally.meeting(0, 1).pairs));
            if decision != Decision::Undecided {
                self.decided = Some((decision, pair));
            }
            self.ahead.next();
        }
    }

    fn ending(&self) -> MatchEnd {
        self.decided.map_or(MatchEnd::Complete, |(decision, _)| MatchEnd::Decided(decision))
    }

    /// Returns all games that count, and marks repeated ones. Games after the test's decision do not count.
    fn into_games(self) -> Vec<MatchGame> {
        let last = self.decided.map_or(u32::MAX, |(_, pair)| pair);
        let mut games: Vec<_> = self.games.into_values().filter(|game| game.pair <= last).collect();
        Repeats::mark(&mut games);
        games
    }
}

/// Returns the first finished game that does not belong to the match, for example because the openings have
/// changed.
pub fn mismatch<'a>(m: &Match<'_>, done: &'a [MatchGame]) -> Option<&'a MatchGame> {
    done.iter().find(|game| {
        let fits = m.schedule.fixture(game.number).and_then(|fixture| {
            let name = |index: u32| m.engines.get(index as usize).map(|engine| engine.name.as_str());
            let opening = m.openings.get(fixture.opening as usize)?;
            let players =
                [fixture.black, fixture.white].map(name) == Color::BOTH.map(|side| Some(game.player(side)));
            let same_opening = opening.start == game.record.start
                && opening.moves().eq(game.record.moves().take(game.opening_plies));
            Some(players && same_opening && fixture.pair == game.pair)
        });
        fits != Some(true)
    })
}

/// Plays the remaining games of a match. Calls `on_game` with each finished game. Returns all games that count, in
/// order.
pub fn run<E>(
    m: &Match<'_>,
    engines: StartedEngines,
    done: Vec<MatchGame>,
    stop: &StopToken,
    mut on_game: impl FnMut(&MatchGame) -> Result<(), E>,
) -> Result<(Vec<MatchGame>, MatchEnd), E> {
    let played: BTreeSet<u32> = done.iter().map(|game| game.number).collect();
    let mut games = MatchGames::new(m);
    for game in done {
        games.add(game);
    }
    let fixtures = m.schedule.fixtures().filter(|fixture| !played.contains(&fixture.game));
    let mut fixtures = fixtures.peekable();
    let mut ending = games.ending();
    if ending != MatchEnd::Complete || fixtures.peek().is_none() {
        engines.quit();
        return Ok((games.into_games(), ending));
    }
    let queue = Queue::new(fixtures);
    // Stops the workers. Set by the caller, by a decision of the test, or by an error.
    let halt = stop.child();
    let workers: Vec<_> = std::iter::once(engines)
        .chain(std::iter::repeat_with(StartedEngines::default))
        .map(|engines| Worker { m, engines, halt: &halt })
        .take(m.concurrency.max(1))
        .collect();
    let play = |mut worker: Worker<'_>, report: &dyn Fn(MatchGame)| {
        while !halt.is_stopped()
            && let Some(finished) = queue.next().and_then(|fixture| worker.play(fixture))
        {
            report(finished);
        }
        worker.engines.quit();
    };
    pool::run(
        workers,
        play,
        || halt.stop(),
        |finished| {
            if stop.is_stopped() && ending == MatchEnd::Complete {
                ending = MatchEnd::Stopped;
            }
            if let Some(finished) = finished
                && !matches!(ending, MatchEnd::Decided(_))
            {
                on_game(&finished)?;
                if m.strict && ending == MatchEnd::Complete && finished.at_fault().is_some() {
                    ending = MatchEnd::Strict(strict_fault(&finished));
                }
                games.add(finished);
                if games.decided.is_some() {
                    ending = games.ending();
                }
            }
            Ok(ending == MatchEnd::Complete)
        },
    )?;
    // The workers may have finished before they noticed the interrupt, and the interrupt may have come after
    // the last game.
    if matches!(ending, MatchEnd::Complete | MatchEnd::Stopped) {
        let is_complete = games.games.len() == m.schedule.games() as usize;
        ending = if stop.is_stopped() && !is_complete { MatchEnd::Stopped } else { MatchEnd::Complete };
    }
    Ok((games.into_games(), ending))
}

fn strict_fault(game: &MatchGame) -> String {
    let MatchGame { number, detail, stderr, .. } = game;
    let stderr = if stderr.is_empty() { String::new() } else { format!("; stderr: {stderr}") };
    format!("game {}: {detail}{stderr}", u64::from(*number) + 1)
}

/// Started engines, by their index in the list of engines.
#[derive(Debug, Default)]
pub struct StartedEngines(HashMap<u32, EngineClient>);

impl StartedEngines {
    /// Starts every engine once, so that errors are found before the first game. Stops early if the match is stopped.
    pub fn start(engines: &[EngineSpec], stop: &StopToken, on_status: &OnStatus) -> Result<Self, String> {
        let mut started = Self::default();
        for (spec, index) in engines.iter().zip(0..) {
            let Some(player) = start(spec, stop, on_status) else { break };
            let failed = |fault: Fault| format!("cannot start engine \"{}\": {}", spec.name, fault.detail);
            started.0.insert(index, player.map_err(failed)?);
        }
        Ok(started)
    }

    /// Returns the identity that an engine reports, or `None` if it was not started.
    pub fn identity(&self, index: u32) -> Option<&Identity> {
        self.0.get(&index).map(EngineClient::identity)
    }

    pub fn quit(self) {
        self.0.into_values().for_each(EngineClient::quit);
    }
}

/// Starts an engine. Returns `None` if the match was stopped.
fn start(spec: &EngineSpec, stop: &StopToken, on_status: &OnStatus) -> Option<Result<EngineClient, Fault>> {
    match EngineClient::start(spec, stop, on_status).map_err(|failure| failure.unless_stopped(stop)) {
        Ok(player) => Some(Ok(player)),
        Err(PlayerError::Fault(fault)) => Some(Err(fault)),
        Err(PlayerError::Stopped) => None,
    }
}

/// A thread that plays games. It keeps its engines from game to game.
struct Worker<'a> {
    m: &'a Match<'a>,
    engines: StartedEngines,
    halt: &'a StopToken,
}

impl Worker<'_> {
    /// Plays a game. Returns `None` if the match was stopped.
    fn play(&mut self, fixture: Fixture) -> Option<MatchGame> {
        let engines = [fixture.black, fixture.white];
        let [Some(black), Some(white)] = engines.map(|index| self.m.engines.get(index as usize)) else {
            return None;
        };
        let opening = self.m.openings.get(fixture.opening as usize)?;
        let specs = [black, white];
        let mut pair = [self.engine(fixture.black, black)?, self.engine(fixture.white, white)?];
        let setup = GameSetup { m: self.m, fixture, opening, specs, stop: self.halt };
        let players = pair.each_mut().map(|engine| engine.as_mut().map_err(|fault| fault.clone()));
        let finished = game::play(&setup, players)?;
        if self.m.strict && finished.at_fault().is_some() {
            // Halt now, before a worker begins another game.
            self.halt.stop();
        }
        let at_fault = finished.at_fault();
        for (((player, index), side), spec) in pair.into_iter().zip(engines).zip(Color::BOTH).zip(specs) {
            match player {
                // Do not reuse an engine that was at fault.
                Ok(player) if at_fault != Some(side) && spec.restart => player.quit(),
                Ok(player) if at_fault != Some(side) => drop(self.engines.0.insert(index, player)),
                _ => {}
            }
        }
        Some(finished)
    }

    /// Returns the engine of the previous game, or starts one. Returns `None` if the match was stopped.
    fn engine(&mut self, index: u32, spec: &EngineSpec) -> Option<Result<EngineClient, Fault>> {
        if let Some(player) = self.engines.0.remove(&index) {
            return Some(Ok(player));
        }
        // An engine that does not start counts as crashed.
        let crash = |fault: Fault| Fault {
            reason: EndReason::Crash,
            detail: format!("cannot be started: {}", fault.detail),
        };
        Some(start(spec, self.halt, self.m.on_status)?.map_err(crash))
    }
}
