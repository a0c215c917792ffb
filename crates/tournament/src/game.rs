//! One game of a match, from the opening to its record.

use std::time::Duration;

use super::adjudication::{Adjudicator, Rules};
use super::record::{GameRecord, PlyRecord};
use super::schedule::Fixture;
use common::stop::StopToken;
use draughts::board::{Color, Game};
use draughts::referee::{GameResult, Oracle, Reason};
use players::client::{EngineClient, Fault, OnStatus, PlayerError, SearchResult};
use players::game::{self, GameEnd, Observer};
use players::limits::Clock;
use players::openings::Opening;
use players::spec::EngineSpec;

/// The settings of a game.
#[derive(Clone, Copy)]
pub struct GameSetup<'a> {
    /// Its place in the schedule.
    pub fixture: Fixture,
    /// The opening.
    pub opening: &'a Opening,
    /// The rules.
    pub rules: Rules,
    /// The endgame databases, if they end games.
    pub oracle: Option<&'a dyn Oracle>,
    /// The descriptions of Black and White.
    pub specs: [&'a EngineSpec; 2],
    /// The seeds of both engines.
    pub seeds: [u64; 2],
    /// Whether measured times are recorded.
    pub timed: bool,
    /// Set when the match is stopped.
    pub stop: &'a StopToken,
    /// Called with status messages.
    pub on_status: &'a OnStatus,
}

/// The result of a game, its reason and the details.
type End = (GameResult, Reason, String);

/// Plays a game. An engine that could not be started is given as its fault, and loses. Returns none if the match was stopped.
#[must_use]
pub fn play(setup: &GameSetup<'_>, mut players: [Result<&mut EngineClient, Fault>; 2]) -> Option<GameRecord> {
    let mut plies = Vec::new();
    let (result, reason, detail) = match &mut players {
        [Ok(black), Ok(white)] => play_out(setup, [black, white], &mut plies)?,
        [Err(fault), _] => lost(Color::Black, setup, fault),
        [_, Err(fault)] => lost(Color::White, setup, fault),
    };
    let Fixture { game, pair, round, .. } = setup.fixture;
    let [black, white] = setup.specs.map(|spec| spec.name.clone());
    let opening = setup.opening.clone();
    let mut record = GameRecord {
        game,
        pair,
        round,
        black,
        white,
        opening: opening.name,
        start: opening.start,
        book: opening.moves,
        plies,
        result,
        reason,
        detail,
        stderr: String::new(),
        repeats: None,
    };
    if let Some(Ok(player)) = record.at_fault().and_then(|side| players.get_mut(side.index())) {
        record.stderr = player.kill();
    }
    Some(record)
}

fn lost(side: Color, setup: &GameSetup<'_>, fault: &Fault) -> End {
    let [black, white] = setup.specs;
    let name = if side == Color::Black { &black.name } else { &white.name };
    (GameResult::won_by(!side), fault.reason, format!("{name} {}", fault.detail))
}

/// Adjudicates a game and records its moves.
struct Recorder<'a> {
    adjudicator: Adjudicator<'a>,
    plies: &'a mut Vec<PlyRecord>,
    timed: bool,
}

impl Observer for Recorder<'_> {
    fn verdict(&self, game: &Game) -> Option<GameEnd> {
        self.adjudicator.verdict(game)
    }

    fn on_move(&mut self, side: Color, found: &SearchResult, left: Option<Duration>) {
        self.plies.push(ply(found, left.filter(|_| self.timed), self.timed));
        self.adjudicator.record(side, found.mv, found.info.score);
    }
}

/// Plays a game between two running engines. Returns none if the match was stopped.
fn play_out(
    setup: &GameSetup<'_>,
    mut players: [&mut EngineClient; 2],
    plies: &mut Vec<PlyRecord>,
) -> Option<End> {
    let stop = setup.stop;
    let end = play_from_opening(setup, players.each_mut().map(|player| &mut **player), plies);
    match end.map_err(|(side, failure)| (side, failure.unless_stopped(stop))) {
        Ok((result, reason)) => {
            for player in players {
                // The result stands; an engine that does not stop pondering fails in its next game.
                let _ = player.stop_pondering(stop);
            }
            Some((result, reason, String::new()))
        }
        Err((side, PlayerError::Fault(fault))) => Some(lost(side, setup, &fault)),
        Err((_, PlayerError::Stopped)) => None,
    }
}

fn play_from_opening(
    setup: &GameSetup<'_>,
    mut players: [&mut EngineClient; 2],
    plies: &mut Vec<PlyRecord>,
) -> Result<GameEnd, (Color, PlayerError)> {
    let mut adjudicator = Adjudicator::new(setup.rules, setup.oracle);
    let mut state = Game::new(setup.opening.start);
    for &mv in &setup.opening.moves {
        adjudicator.record(state.position().side(), mv, None);
        state.play(mv);
    }
    for ((side, seed), player) in Color::BOTH.into_iter().zip(setup.seeds).zip(&mut players) {
        player.new_game(seed, setup.stop, setup.on_status).map_err(|failure| (side, failure))?;
    }
    let clocks = setup.specs.map(|spec| spec.limits.time_control.map(Clock::new));
    let mut recorder = Recorder { adjudicator, plies, timed: setup.timed };
    game::play(players, &mut state, clocks, &mut recorder, setup.stop)
}

fn ply(found: &SearchResult, clock: Option<Duration>, timed: bool) -> PlyRecord {
    PlyRecord {
        mv: found.mv,
        score: found.info.score,
        depth: found.info.depth,
        nodes: found.info.nodes,
        micros: timed.then(|| u64::try_from(found.time.as_micros()).unwrap_or(u64::MAX)),
        clock: clock.and_then(|left| u64::try_from(left.as_millis()).ok()),
    }
}
