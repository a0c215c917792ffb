//! Plays a schedule: workers take one game after the other, and the caller gets every finished one at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use super::adjudication::Rules;
use super::game::{self, Finished, GameSetup};
use super::record::GameRecord;
use super::repeats::Repeats;
use super::schedule::{Fixture, Schedule};
use common::chance;
use common::pool::{self, Queue};
use common::statistics::{Decision, Pairs, Sprt};
use common::stop::StopToken;
use draughts::board::Color;
use draughts::referee::{Oracle, Reason};
use players::Identity;
use players::client::{EngineClient, Fault, OnStatus, PlayerError};
use players::openings::Opening;
use players::spec::EngineSpec;

/// A match, ready to be played.
pub struct Match<'a> {
    /// Who plays.
    pub engines: &'a [EngineSpec],
    /// From where.
    pub openings: &'a [Opening],
    /// Who against whom.
    pub schedule: &'a Schedule,
    /// By what rules.
    pub rules: Rules,
    /// Who knows endgames, if anybody.
    pub oracle: Option<&'a dyn Oracle>,
    /// What chance is made of.
    pub seed: u64,
    /// Games side by side.
    pub concurrency: usize,
    /// Whether a misbehaving engine ends the match.
    pub strict: bool,
    /// Whether measured times are kept.
    pub timed: bool,
    /// What ends the match early, if anything.
    pub sprt: Option<Sprt>,
    /// Who wants to know for which engine the match waits.
    pub tell: &'a OnStatus,
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All games have been played.
    Complete,
    /// The test is decided.
    Decided(Decision),
    /// Stopped from outside.
    Stopped,
    /// An engine misbehaved, and the match is a strict one.
    Strict(String),
}

/// Why a match can't begin: an engine that can't play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartError {
    /// Its name.
    pub engine: String,
    /// Why.
    pub fault: String,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {} cannot play: {}", self.engine, self.fault)
    }
}

impl std::error::Error for StartError {}

/// The games of a match in the order of its schedule, and the test on them.
///
/// The test looks at pairs in that order, not in the order in which they finish: short games finish first, and a test
/// that sees them first is biased. So it also ends at the same pair however many games are played side by side.
struct Ledger {
    games: BTreeMap<u32, GameRecord>,
    sprt: Option<Sprt>,
    /// Pairs that the test has not looked at yet.
    ahead: std::vec::IntoIter<u32>,
    next: Option<u32>,
    pairs: Pairs,
    known: Repeats,
    decided: Option<(Decision, u32)>,
}

impl Ledger {
    fn new(m: &Match<'_>) -> Self {
        let pairs: BTreeSet<u32> = match m.sprt {
            Some(_) => m.schedule.fixtures().map(|fixture| fixture.pair).collect(),
            None => BTreeSet::new(),
        };
        let mut ahead = pairs.into_iter().collect::<Vec<_>>().into_iter();
        let next = ahead.next();
        Self {
            games: BTreeMap::new(),
            sprt: m.sprt,
            ahead,
            next,
            pairs: Pairs::default(),
            known: Repeats::default(),
            decided: None,
        }
    }

    fn add(&mut self, game: GameRecord, first: &str) {
        self.games.insert(game.game, game);
        while let (Some(sprt), Some(pair), None) = (self.sprt, self.next, self.decided) {
            let (Some(one), Some(two)) = (self.games.get(&(2 * pair)), self.games.get(&(2 * pair + 1)))
            else {
                return;
            };
            let points = |game: &GameRecord| {
                let side = if game.black == first { Color::Black } else { Color::White };
                game.result.half_points(side)
            };
            // Both are taken note of. A pair with a game that has been seen before is no new observation.
            let repeated = [one, two].map(|game| self.known.look_up(game).is_some());
            if repeated == [false; 2] {
                self.pairs.add_half_points(points(one) + points(two));
            }
            let verdict = sprt.verdict(sprt.llr_of_pairs(self.pairs));
            if verdict != Decision::Undecided {
                self.decided = Some((verdict, pair));
            }
            self.next = self.ahead.next();
        }
    }

    /// All games that count, with a note of which are repeated: those after the decision of a test don't.
    fn into_games(self) -> Vec<GameRecord> {
        let last = self.decided.map_or(u32::MAX, |(_, pair)| pair);
        let mut games: Vec<_> = self.games.into_values().filter(|game| game.pair <= last).collect();
        Repeats::mark(&mut games);
        games
    }
}

/// The first of the games done already that has no place in a match: its openings, for instance, are other ones now.
#[must_use]
pub fn misfit<'a>(m: &Match<'_>, done: &'a [GameRecord]) -> Option<&'a GameRecord> {
    done.iter().find(|game| {
        let fits = m.schedule.fixture(game.game).and_then(|fixture| {
            let name = |index: u32| m.engines.get(index as usize).map(|engine| &engine.name);
            let opening = m.openings.get(fixture.opening as usize)?;
            let players =
                name(fixture.black) == Some(&game.black) && name(fixture.white) == Some(&game.white);
            let start = opening.start == game.start;
            Some(players && start && fixture.pair == game.pair && opening.name == game.opening)
        });
        fits != Some(true)
    })
}

/// Plays all games of a match that are not among those done already, and returns all games that count, in order.
///
/// `keep` is called with each game as it finishes.
///
/// # Errors
///
/// When a game could not be kept.
pub fn run<E>(
    m: &Match<'_>,
    seats: Seats,
    done: Vec<GameRecord>,
    stop: &StopToken,
    mut keep: impl FnMut(&GameRecord) -> Result<(), E>,
) -> Result<(Vec<GameRecord>, Ending), E> {
    let first = m.engines.first().map_or("", |engine| engine.name.as_str());
    let played: BTreeSet<u32> = done.iter().map(|game| game.game).collect();
    let mut ledger = Ledger::new(m);
    for game in done {
        ledger.add(game, first);
    }
    if let Some((verdict, _)) = ledger.decided {
        seats.leave();
        return Ok((ledger.into_games(), Ending::Decided(verdict)));
    }
    let fixtures = m.schedule.fixtures().filter(|fixture| !played.contains(&fixture.game));
    let mut fixtures = fixtures.peekable();
    if fixtures.peek().is_none() {
        seats.leave();
        return Ok((ledger.into_games(), Ending::Complete));
    }
    let queue = Queue::new(fixtures);
    // For the workers: stopped by the caller, by a decision, or by an error.
    let halt = stop.child();
    let workers: Vec<_> = std::iter::once(seats.0)
        .chain(std::iter::repeat_with(HashMap::new))
        .map(|seats| Worker { m, seats, halt: &halt })
        .take(m.concurrency.max(1))
        .collect();
    let play = |mut worker: Worker<'_>, report: &dyn Fn(Finished)| {
        while !halt.is_stopped()
            && let Some(finished) = queue.next().and_then(|fixture| worker.play(fixture))
        {
            report(finished);
        }
        worker.leave();
    };
    let mut ending = Ending::Complete;
    pool::run(
        workers,
        play,
        || halt.stop(),
        |finished| {
            if stop.is_stopped() && ending == Ending::Complete {
                ending = Ending::Stopped;
            }
            if let Some(finished) = finished
                && !matches!(ending, Ending::Decided(_))
            {
                keep(&finished.record)?;
                if let Some(fault) = finished.at_fault.filter(|_| m.strict && ending == Ending::Complete) {
                    ending = Ending::Strict(strict_fault(&finished.record, fault));
                }
                ledger.add(finished.record, first);
                if let Some((verdict, _)) = ledger.decided {
                    ending = Ending::Decided(verdict);
                }
            }
            Ok(ending == Ending::Complete)
        },
    )?;
    if ending == Ending::Stopped && ledger.games.len() == m.schedule.games() as usize {
        // The interrupt came when there was nothing left to stop.
        ending = Ending::Complete;
    }
    Ok((ledger.into_games(), ending))
}

/// Describes the fault that ends a strict match.
fn strict_fault(record: &GameRecord, side: Color) -> String {
    let GameRecord { game, detail, stderr, .. } = record;
    let stderr = if stderr.is_empty() { String::new() } else { format!("; stderr: {stderr}") };
    format!("game {}: {detail} ({}){stderr}", u64::from(*game) + 1, record.player(side))
}

/// Engines that have been started, by their places in the list of engines.
#[derive(Debug, Default)]
pub struct Seats(HashMap<u32, EngineClient>);

impl Seats {
    /// Starts every engine once, so that one that can't play is found out before the first game. When the match is being stopped,
    /// fewer are there.
    ///
    /// # Errors
    ///
    /// When an engine can't be started, or refuses its options.
    pub fn take(engines: &[EngineSpec], stop: &StopToken, tell: &OnStatus) -> Result<Self, StartError> {
        let mut seats = Self::default();
        for (spec, index) in engines.iter().zip(0..) {
            match EngineClient::start(spec, stop, tell).map_err(|failure| failure.unless_stopped(stop)) {
                Ok(player) => drop(seats.0.insert(index, player)),
                Err(PlayerError::Fault(fault)) => {
                    return Err(StartError { engine: spec.name.clone(), fault: fault.detail });
                }
                Err(PlayerError::Stopped) => break,
            }
        }
        Ok(seats)
    }

    /// What an engine has said of itself; none if it isn't there.
    #[must_use]
    pub fn identity(&self, index: u32) -> Option<&Identity> {
        self.0.get(&index).map(EngineClient::identity)
    }

    /// Ends all of them.
    pub fn leave(self) {
        self.0.into_values().for_each(EngineClient::quit);
    }
}

/// One of the threads that play, with engines of its own that it keeps from game to game.
struct Worker<'a> {
    m: &'a Match<'a>,
    seats: HashMap<u32, EngineClient>,
    halt: &'a StopToken,
}

impl Worker<'_> {
    /// None if the match is being stopped.
    fn play(&mut self, fixture: Fixture) -> Option<Finished> {
        let engines = [fixture.black, fixture.white];
        let [Some(black), Some(white)] = engines.map(|index| self.m.engines.get(index as usize)) else {
            return None;
        };
        let opening = self.m.openings.get(fixture.opening as usize)?;
        let specs = [black, white];
        let mut seated = [self.seat(fixture.black, black)?, self.seat(fixture.white, white)?];
        let setting = GameSetup {
            fixture,
            opening,
            rules: self.m.rules,
            oracle: self.m.oracle,
            specs,
            seeds: [0, 1].map(|side| chance::seed(&[self.m.seed, fixture.game.into(), side])),
            timed: self.m.timed,
            stop: self.halt,
            tell: self.m.tell,
        };
        let players = seated.each_mut().map(|seat| seat.as_mut().map_err(|fault| fault.clone()));
        let finished = game::play(&setting, players)?;
        if self.m.strict && finished.at_fault.is_some() {
            // At once, before this or another worker begins a game that nobody wants.
            self.halt.stop();
        }
        for ((seat, index), side) in seated.into_iter().zip(engines).zip(Color::BOTH) {
            if let Ok(player) = seat {
                let [black, white] = specs;
                let spec = if side == Color::Black { black } else { white };
                if finished.at_fault == Some(side) {
                    // What has misbehaved once is not trusted with another game.
                    drop(player);
                } else if spec.restart {
                    player.quit();
                } else {
                    self.seats.insert(index, player);
                }
            }
        }
        Some(finished)
    }

    /// An engine for a game: the one of the last game, or a new one. None if the match is being stopped.
    fn seat(&mut self, index: u32, spec: &EngineSpec) -> Option<Result<EngineClient, Fault>> {
        if let Some(player) = self.seats.remove(&index) {
            return Some(Ok(player));
        }
        let started = EngineClient::start(spec, self.halt, self.m.tell);
        match started.map_err(|failure| failure.unless_stopped(self.halt)) {
            Ok(player) => Some(Ok(player)),
            Err(PlayerError::Fault(fault)) => {
                // Whatever kept it from starting, it was not there to play.
                Some(Err(Fault {
                    reason: Reason::Crash,
                    detail: format!("cannot be started: {}", fault.detail),
                }))
            }
            Err(PlayerError::Stopped) => None,
        }
    }

    fn leave(self) {
        self.seats.into_values().for_each(EngineClient::quit);
    }
}
