//! One game of a match, from the opening to its record.

use std::time::Duration;

use super::adjudication::Adjudicator;
use super::match_game::{MatchGame, Termination};
use super::schedule::{Fixture, ScheduleError};
use super::setup::MatchSetup;
use kelso_draughts::board::{Color, Game};
use kelso_draughts::record::{GameRecord, Ply, SearchInfo};
use kelso_draughts::result::{GameEnd, GameResult};
use kelso_draughts::score::ReportedScore;
use kelso_players::client::EngineClient;
use kelso_players::limits::Clock;
use kelso_players::player::{self, Fault, Observer, PlayerError, SearchResult};
use kelso_players::spec::EngineSpec;
use kelso_runtime::stop::StopToken;

/// A game of the schedule, with what it needs.
#[derive(Clone, Copy)]
pub(super) struct ScheduledGame<'a> {
    pub(super) setup: &'a MatchSetup<'a>,
    pub(super) fixture: Fixture,
    pub(super) opening: &'a GameRecord,
    /// The descriptions of the engines that play Black and White.
    pub(super) specs: [&'a EngineSpec; 2],
    /// Stops the match.
    pub(super) stop: &'a StopToken,
}

impl<'a> ScheduledGame<'a> {
    /// Looks up the opening and the engines of a game.
    pub(super) fn new(
        setup: &'a MatchSetup<'a>,
        fixture: Fixture,
        stop: &'a StopToken,
    ) -> Result<Self, ScheduleError> {
        let specs = [
            fixture.item("engine", fixture.black, &setup.engines)?,
            fixture.item("engine", fixture.white, &setup.engines)?,
        ];
        let opening = fixture.item("opening", fixture.opening, &setup.openings)?;
        Ok(Self { setup, fixture, opening, specs, stop })
    }
}

/// Plays a game. An engine that could not be started is represented by its error, and loses. Returns `None`
/// if the match was stopped.
pub(super) fn play_game(
    scheduled: &ScheduledGame<'_>,
    mut players: [Result<&mut EngineClient, PlayerError>; 2],
) -> Option<MatchGame> {
    let ScheduledGame { setup, fixture: Fixture { game: number, pair, round, .. }, opening, specs, .. } =
        *scheduled;
    let mut recorder = GameRecorder {
        adjudicator: Adjudicator::new(setup.rules, setup.oracle),
        plies: Vec::new(),
        timed: setup.timed,
        is_forced: false,
        scores: [None; 2],
    };
    let end = match &mut players {
        [Ok(black), Ok(white)] => play_moves(scheduled, [black, white], &mut recorder),
        [Err(error), _] => Err((Color::Black, error.clone())),
        [_, Err(error)] => Err((Color::White, error.clone())),
    };
    let (result, termination, detail) = match end {
        Ok(GameEnd { result, reason }) => (result, Termination::Regular(reason), String::new()),
        Err((side, PlayerError::Fault(Fault { kind, detail }))) => {
            let detail = format!("{} {detail}", specs[side.index()].name);
            (GameResult::won_by(!side), Termination::Fault(kind), detail)
        }
        Err((_, PlayerError::Stopped)) => return None,
    };
    let mut game = MatchGame {
        number,
        pair,
        round,
        players: specs.map(|spec| spec.name.clone()),
        opening: opening.tags.text("Opening").to_owned(),
        start: opening.start,
        plies: opening.plies.iter().cloned().chain(recorder.plies).collect(),
        opening_plies: opening.plies.len(),
        result,
        termination,
        detail,
        stderr: String::new(),
        repeats: None,
    };
    if let Some(side) = game.at_fault()
        && let Ok(player) = &mut players[side.index()]
    {
        game.stderr = player.kill();
    }
    Some(game)
}

/// Adjudicates a game and records its moves.
struct GameRecorder<'a> {
    adjudicator: Adjudicator<'a>,
    plies: Vec<Ply>,
    timed: bool,
    /// The move being recorded is the only legal one.
    is_forced: bool,
    /// Each side's score of its last search, after the moves played since.
    scores: [Option<ReportedScore>; 2],
}

impl Observer for GameRecorder<'_> {
    fn end(&self, game: &Game) -> Option<GameEnd> {
        self.adjudicator.end(game)
    }

    fn on_search(&mut self, game: &Game, _: &SearchResult) -> Option<GameEnd> {
        self.is_forced = game.position().moves().len() == 1;
        None
    }

    fn on_move(&mut self, side: Color, found: &SearchResult, left: Option<Duration>) {
        // Engines hardly search an only move, which may be in the middle of an exchange.
        let last = &mut self.scores[side.index()];
        let score = match found.info.score {
            Some(ReportedScore::Cp(_)) | None if self.is_forced => *last,
            score => score,
        };
        *last = score.map(two_plies_later);
        let search = SearchInfo { score, time: self.timed.then_some(found.time), ..found.info };
        let clock = left.filter(|_| self.timed);
        self.plies.push(Ply { search, clock, ..Ply::new(found.mv) });
        self.adjudicator.record(side, score);
    }
}

/// Returns the score after a move and its reply, if the score is right.
fn two_plies_later(score: ReportedScore) -> ReportedScore {
    match score {
        ReportedScore::Win(Some(plies)) => ReportedScore::Win(Some(plies.saturating_sub(2))),
        ReportedScore::Loss(Some(plies)) => ReportedScore::Loss(Some(plies.saturating_sub(2))),
        ReportedScore::Win(None) | ReportedScore::Loss(None) | ReportedScore::Cp(_) => score,
    }
}

fn play_moves(
    scheduled: &ScheduledGame<'_>,
    mut players: [&mut EngineClient; 2],
    recorder: &mut GameRecorder<'_>,
) -> Result<GameEnd, (Color, PlayerError)> {
    let ScheduledGame { setup, stop, .. } = *scheduled;
    let mut game = Game::new(scheduled.opening.start);
    scheduled.opening.moves().for_each(|mv| game.play(mv));
    for ((side, number), player) in Color::BOTH.into_iter().zip(0..).zip(&mut players) {
        let seed = kelso_random::seed(&[setup.plan.seed, scheduled.fixture.game.into(), number]);
        player
            .new_game(seed, setup.rules.draws, stop, &|text| setup.status(text))
            .map_err(|failure| (side, failure.await_stop_after_crash(stop)))?;
    }
    let clocks = scheduled.specs.map(|spec| spec.time_control.map(Clock::new));
    let both = players.each_mut().map(|player| &mut **player);
    let end = player::play(both, &mut game, clocks, recorder, stop)
        .map_err(|(side, failure)| (side, failure.await_stop_after_crash(stop)))?;
    for player in players {
        // The result stands even if the engine does not stop pondering; it then fails in its next game.
        let _ = player.stop_pondering(stop);
    }
    Ok(end)
}
