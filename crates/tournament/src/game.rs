//! One game of a match, from the opening to its record.

use std::time::Duration;

use super::adjudication::{Judge, Rules};
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
use players::state::GameState;

/// Everything about a game but the engines themselves.
#[derive(Clone, Copy)]
pub struct GameSetup<'a> {
    /// Its place in the schedule.
    pub fixture: Fixture,
    /// Where it begins.
    pub opening: &'a Opening,
    /// The rules.
    pub rules: Rules,
    /// Who knows endgames, if anybody.
    pub oracle: Option<&'a dyn Oracle>,
    /// Black's and White's descriptions.
    pub specs: [&'a EngineSpec; 2],
    /// What either engine's chance is made of in this game.
    pub seeds: [u64; 2],
    /// Whether measured times are kept.
    pub timed: bool,
    /// Set when the match is being stopped.
    pub stop: &'a StopToken,
    /// Who wants to know for which engine the game waits.
    pub tell: &'a OnStatus,
}

/// A finished game, and whose engine can't go on.
#[derive(Debug)]
pub struct Finished {
    /// The game.
    pub record: GameRecord,
    /// The side whose engine misbehaved.
    pub at_fault: Option<Color>,
}

/// How a game came to its end.
struct End {
    result: GameResult,
    reason: Reason,
    detail: String,
}

/// Plays a game. An engine that can't be had is given as the fault that keeps it away, and loses.
///
/// Returns none if the match was stopped before the end.
pub fn play(setting: &GameSetup<'_>, players: [Result<&mut EngineClient, Fault>; 2]) -> Option<Finished> {
    let mut plies = Vec::new();
    let (end, stderr) = match players {
        [Ok(black), Ok(white)] => {
            let mut players = [black, white];
            let end = play_out(setting, players.each_mut().map(|player| &mut **player), &mut plies)?;
            let at_fault = loser(&end).and_then(|side| players.get_mut(side.index()));
            (end, at_fault.map_or_else(String::new, |player| player.kill()))
        }
        [Err(fault), _] => (lost(Color::Black, setting, &fault), String::new()),
        [_, Err(fault)] => (lost(Color::White, setting, &fault), String::new()),
    };
    let at_fault = loser(&end);
    let Fixture { game, pair, round, .. } = setting.fixture;
    let [black, white] = setting.specs.map(|spec| spec.name.clone());
    let opening = setting.opening;
    let record = GameRecord {
        game,
        pair,
        round,
        black,
        white,
        opening: opening.name.clone(),
        start: opening.start,
        book: opening.moves.clone(),
        plies,
        result: end.result,
        reason: end.reason,
        detail: end.detail,
        stderr,
        repeats: None,
    };
    Some(Finished { record, at_fault })
}

/// The side that lost by misbehaving.
fn loser(end: &End) -> Option<Color> {
    let winner = end.result.winner().filter(|_| end.reason.is_fault())?;
    Some(!winner)
}

fn lost(side: Color, setting: &GameSetup<'_>, fault: &Fault) -> End {
    let [black, white] = setting.specs;
    let name = if side == Color::Black { &black.name } else { &white.name };
    End {
        result: GameResult::won_by(!side),
        reason: fault.reason,
        detail: format!("{name} {}", fault.detail),
    }
}

/// Adjudicates a game and records its moves.
struct Recorder<'a> {
    judge: Judge<'a>,
    plies: &'a mut Vec<PlyRecord>,
    timed: bool,
}

impl Observer for Recorder<'_> {
    fn verdict(&self, game: &Game) -> Option<GameEnd> {
        self.judge.verdict(game)
    }

    fn on_move(&mut self, side: Color, found: &SearchResult, left: Option<Duration>) {
        self.plies.push(ply(found, left.filter(|_| self.timed), self.timed));
        self.judge.saw(side, found.mv, found.info.score);
    }
}

/// Plays between two engines that are there; none if the match is being stopped.
fn play_out(
    setting: &GameSetup<'_>,
    mut players: [&mut EngineClient; 2],
    plies: &mut Vec<PlyRecord>,
) -> Option<End> {
    let stop = setting.stop;
    let end = play_from_opening(setting, players.each_mut().map(|player| &mut **player), plies);
    match end.map_err(|(side, failure)| (side, failure.unless_stopped(stop))) {
        Ok((result, reason)) => {
            for player in players {
                // The result stands; an engine that does not stop pondering is found out in its next game.
                let _ = player.stop_pondering(stop);
            }
            Some(End { result, reason, detail: String::new() })
        }
        Err((side, PlayerError::Fault(fault))) => Some(lost(side, setting, &fault)),
        Err((_, PlayerError::Stopped)) => None,
    }
}

fn play_from_opening(
    setting: &GameSetup<'_>,
    mut players: [&mut EngineClient; 2],
    plies: &mut Vec<PlyRecord>,
) -> Result<GameEnd, (Color, PlayerError)> {
    let mut judge = Judge::new(setting.rules, setting.oracle);
    let mut state = GameState::new(setting.opening.start);
    for &mv in &setting.opening.moves {
        judge.saw(state.position().side(), mv, None);
        state.play(mv);
    }
    for ((side, seed), player) in Color::BOTH.into_iter().zip(setting.seeds).zip(&mut players) {
        player.new_game(seed, setting.stop, setting.tell).map_err(|failure| (side, failure))?;
    }
    let clocks = setting.specs.map(|spec| spec.limits.time_control.map(Clock::new));
    let mut recorder = Recorder { judge, plies, timed: setting.timed };
    game::play(players, &mut state, clocks, &mut recorder, setting.stop)
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
