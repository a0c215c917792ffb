//! One game between two engines, from the opening to its result.
//!
//! The order of a ply: is the game over, by the rules or by adjudication; position; go; clock; legality.

use super::adjudication::{Judge, Rules};
use super::record::{GameRecord, PlyRecord};
use super::schedule::Fixture;
use common::stop::StopToken;
use draughts::board::{Color, Move};
use draughts::referee::{GameResult, Oracle, Reason};
use players::course::Course;
use players::limits::Remaining;
use players::openings::Opening;
use players::player::{Fault, NoAnswer, Player, Tell, Thought};
use players::protocol::Task;
use players::spec::EngineSpec;

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
    pub tell: &'a Tell,
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
pub fn play(setting: &GameSetup<'_>, players: [Result<&mut Player, Fault>; 2]) -> Option<Finished> {
    let mut plies = Vec::new();
    let [black, white] = players;
    let (end, stderr) = match (black, white) {
        (Ok(black), Ok(white)) => {
            let mut table = Table { setting, players: [black, white], pondered: [None; 2] };
            let end = table.play(&mut plies)?;
            let loser = loser(&end);
            (end, loser.map_or_else(String::new, |side| table.player(side).kill()))
        }
        (Err(fault), _) => (lost(Color::Black, setting, &fault), String::new()),
        (_, Err(fault)) => (lost(Color::White, setting, &fault), String::new()),
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

/// The two engines at the board.
struct Table<'a, 'b> {
    setting: &'a GameSetup<'b>,
    players: [&'a mut Player; 2],
    /// The move of the other side that each ponders on.
    pondered: [Option<Move>; 2],
}

impl Table<'_, '_> {
    fn player(&mut self, side: Color) -> &mut Player {
        let [black, white] = &mut self.players;
        if side == Color::Black { black } else { white }
    }

    fn spec(&self, side: Color) -> &EngineSpec {
        let [black, white] = self.setting.specs;
        if side == Color::Black { black } else { white }
    }

    /// None if the match is being stopped.
    fn play(&mut self, plies: &mut Vec<PlyRecord>) -> Option<End> {
        let stop = self.setting.stop;
        match self.play_on(plies).map_err(|(side, failure)| (side, failure.unless_stopped(stop))) {
            Ok(end) => {
                for side in Color::BOTH {
                    // The result stands; an engine that does not stop pondering is found out in its next game.
                    let _ = self.player(side).stop_pondering(stop);
                }
                Some(end)
            }
            Err((side, NoAnswer::Fault(fault))) => Some(lost(side, self.setting, &fault)),
            Err((_, NoAnswer::Stopped)) => None,
        }
    }

    fn play_on(&mut self, plies: &mut Vec<PlyRecord>) -> Result<End, (Color, NoAnswer)> {
        let setting = self.setting;
        let mut judge = Judge::new(setting.rules, setting.oracle);
        let mut course = Course::new(setting.opening.start);
        for &mv in &setting.opening.moves {
            judge.saw(course.position().side(), mv, None);
            course.play(mv);
        }
        for (side, seed) in Color::BOTH.into_iter().zip(setting.seeds) {
            self.player(side)
                .new_game(seed, setting.stop, setting.tell)
                .map_err(|failure| (side, failure))?;
        }
        let mut clocks = setting.specs.map(|spec| spec.limits.clock.map(Remaining::new));
        loop {
            if let Some((result, reason)) = judge.verdict(course.game()) {
                return Ok(End { result, reason, detail: String::new() });
            }
            let side = course.position().side();
            let thought = self.ask(&course, side, clocks).map_err(|failure| (side, failure))?;
            let clock = clocks.get_mut(side.index()).and_then(Option::as_mut).map(|clock| {
                clock.spend(thought.time);
                clock.left()
            });
            plies.push(ply(&thought, clock.filter(|_| setting.timed), setting.timed));
            course.play(thought.mv);
            judge.saw(side, thought.mv, thought.info.score);
            self.ponder(&course, side, thought.ponder, clocks).map_err(|failure| (side, failure))?;
        }
    }

    fn ask(
        &mut self,
        course: &Course,
        side: Color,
        clocks: [Option<Remaining>; 2],
    ) -> Result<Thought, NoAnswer> {
        let limits = self.spec(side).limits;
        let task = Task { limits: &limits, clocks, side };
        let pondered = self.pondered.get_mut(side.index()).and_then(Option::take);
        let expected = pondered.is_some() && pondered == course.last();
        let stop = self.setting.stop;
        self.player(side).think(course, &task, expected, stop)
    }

    /// Lets a side that has just moved think on the reply that it expects.
    fn ponder(
        &mut self,
        course: &Course,
        side: Color,
        reply: Option<Move>,
        clocks: [Option<Remaining>; 2],
    ) -> Result<(), NoAnswer> {
        let Some(reply) = reply.filter(|_| self.spec(side).ponder) else { return Ok(()) };
        let limits = self.spec(side).limits;
        let mut expected = course.clone();
        expected.play(reply);
        if expected.game().outcome().is_some() {
            return Ok(());
        }
        if let Some(pondered) = self.pondered.get_mut(side.index()) {
            *pondered = Some(reply);
        }
        self.player(side).ponder(&expected, &Task { limits: &limits, clocks, side })
    }
}

fn ply(thought: &Thought, clock: Option<std::time::Duration>, timed: bool) -> PlyRecord {
    PlyRecord {
        mv: thought.mv,
        score: thought.info.score,
        depth: thought.info.depth,
        nodes: thought.info.nodes,
        micros: timed.then(|| u64::try_from(thought.time.as_micros()).unwrap_or(u64::MAX)),
        clock: clock.and_then(|left| u64::try_from(left.as_millis()).ok()),
    }
}
