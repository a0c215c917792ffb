//! Plays a schedule: workers take one game after another, and the caller receives each finished game.

use std::collections::{BTreeMap, HashMap};
use std::mem;

use thiserror::Error;

use super::game_runner::{self, ScheduledGame};
use super::match_game::MatchGame;
use super::schedule::{Fixture, Schedule, ScheduleError};
use super::setup::MatchSetup;
use super::tally::Tally;
use kelso_batch::pool::{self, Queue};
use kelso_draughts::board::Color;
use kelso_players::Identity;
use kelso_players::client::EngineClient;
use kelso_players::log::EngineLog;
use kelso_players::player::{Fault, PlayerError};
use kelso_players::spec::EngineSpec;
use kelso_reports::statistics::sprt::Decision;
use kelso_runtime::stop::StopToken;

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

/// The finished games of a match, their counts, and its test.
///
/// Games count in schedule order, not in the order in which they finish: short games finish first, which
/// would bias the test. As a result, it also ends at the same pair for any number of concurrent games.
pub(crate) struct MatchGames<'a> {
    setup: &'a MatchSetup<'a>,
    pub(crate) schedule: &'a Schedule,
    /// The next game to count, and those that follow.
    next: Option<Fixture>,
    later: Box<dyn Iterator<Item = Fixture> + 'a>,
    /// Finished games that wait for an earlier one.
    waiting: BTreeMap<u32, MatchGame>,
    /// The games that count, by number, each with the earlier game that it repeats.
    pub(crate) counted: BTreeMap<u32, Option<u32>>,
    pub(crate) tally: Tally,
    /// The reason why the match ends, if its games give one.
    pub(crate) end: MatchEnd,
}

impl<'a> MatchGames<'a> {
    pub(crate) fn new(setup: &'a MatchSetup<'a>, schedule: &'a Schedule) -> Self {
        let mut later = Box::new(schedule.fixtures());
        Self {
            setup,
            schedule,
            next: later.next(),
            later,
            waiting: BTreeMap::new(),
            counted: BTreeMap::new(),
            tally: Tally::new(setup.engines.iter().map(|engine| engine.name.as_str())),
            end: MatchEnd::Complete,
        }
    }

    const fn is_decided(&self) -> bool {
        matches!(self.end, MatchEnd::Decided(_))
    }

    pub(crate) fn finished(&self) -> u64 {
        (self.counted.len() + self.waiting.len()) as u64
    }

    fn has(&self, game: u32) -> bool {
        self.waiting.contains_key(&game) || self.next.is_none_or(|next| game < next.game)
    }

    /// Returns whether a game belongs to the match. It may not if, for example, the openings have changed.
    pub(crate) fn fits(&self, game: &MatchGame) -> bool {
        let Some(fixture) = self.schedule.fixture(game.number) else { return false };
        let Some(opening) = self.setup.openings.get(fixture.opening as usize) else { return false };
        let names = fixture.players().map(|index| self.setup.engines.get(index).map(|spec| &spec.name));
        fixture.pair == game.pair
            && names == game.players.each_ref().map(Some)
            && opening.start == game.start
            && opening.moves().eq(game.plies.iter().take(game.opening_plies).map(|ply| ply.mv))
    }

    pub(crate) fn add(&mut self, game: MatchGame) {
        self.waiting.insert(game.number, game);
        while !self.is_decided()
            && let Some(next) = self.next
            && let Some(game) = self.waiting.remove(&next.game)
        {
            self.count(next, &game);
            self.next = self.later.next();
        }
    }

    fn count(&mut self, fixture: Fixture, game: &MatchGame) {
        let key = (self.setup.plan.seed, fixture.pair);
        let repeats = self.tally.add(game, fixture.players(), Some(key));
        self.counted.insert(game.number, repeats);
        if fixture.completes_pair()
            && let Some(sprt) = self.setup.sprt
        {
            let decision = sprt.decision(sprt.llr_of_pairs(self.tally.meeting(0, 1).pairs));
            // A fault that ends a strict match stays its end.
            if decision != Decision::Undecided && self.end == MatchEnd::Complete {
                self.end = MatchEnd::Decided(decision);
            }
        }
    }

    /// Adds a game that was just played. In a strict match, a fault ends the match.
    fn add_played(&mut self, game: MatchGame, is_strict: bool) {
        if is_strict && self.end == MatchEnd::Complete && game.at_fault().is_some() {
            self.end = MatchEnd::Strict(strict_fault(&game));
        }
        self.add(game);
    }

    /// Counts the games that wait for an earlier one, unless the test is decided.
    fn finish(mut self, is_interrupted: bool) -> Self {
        let end = match &self.end {
            MatchEnd::Complete if is_interrupted => MatchEnd::Stopped,
            end => end.clone(),
        };
        let waiting = mem::take(&mut self.waiting);
        if !self.is_decided() {
            for (number, game) in waiting {
                if let Some(fixture) = self.schedule.fixture(number) {
                    self.count(fixture, &game);
                }
            }
        }
        Self { end, ..self }
    }
}

/// Plays the remaining games of a match. Calls `on_game` with each finished game that the test needs, and the
/// earlier ones.
///
/// # Errors
///
/// The first error of `on_game`, or an engine or opening that a game needs is missing.
pub(crate) fn run_schedule<'a, E: From<ScheduleError>>(
    mut games: MatchGames<'a>,
    engines: StartedEngines,
    stop: &StopToken,
    mut on_game: impl FnMut(&MatchGame, &MatchGames<'_>) -> Result<(), E>,
) -> Result<MatchGames<'a>, E> {
    let (setup, schedule) = (games.setup, games.schedule);
    let fixtures = schedule.fixtures();
    let missing: Vec<Fixture> = fixtures.filter(|fixture| !games.has(fixture.game)).collect();
    if games.is_decided() || missing.is_empty() {
        engines.quit();
        return Ok(games.finish(false));
    }
    // Stops the workers. Set by the caller, by the test's decision, or by an error.
    let halt = stop.child();
    let queue = Queue::new(missing.into_iter().map(|fixture| ScheduledGame::new(setup, fixture, &halt)));
    let mut workers: Vec<_> = (1..setup.concurrency).map(|_| engines.none_started()).collect();
    workers.insert(0, engines);
    let play = |mut engines: StartedEngines, report: &dyn Fn(Result<MatchGame, ScheduleError>)| {
        while !halt.is_stopped()
            && let Some(scheduled) = queue.next()
            && let Some(finished) = scheduled.map(|scheduled| engines.play_game(&scheduled)).transpose()
        {
            report(finished);
        }
        engines.quit();
    };
    let on_finished = |finished: Option<Result<MatchGame, ScheduleError>>| -> Result<bool, E> {
        if let Some(finished) = finished.transpose()?
            && !games.is_decided()
        {
            games.add_played(finished.clone(), setup.strict && !stop.is_stopped());
            on_game(&finished, &games)?;
        }
        Ok(!stop.is_stopped() && games.end == MatchEnd::Complete)
    };
    pool::run(workers, play, || halt.stop(), on_finished)?;
    // The interrupt may have come after the last game.
    let is_interrupted = stop.is_stopped() && games.finished() < schedule.games().into();
    Ok(games.finish(is_interrupted))
}

fn strict_fault(game: &MatchGame) -> String {
    let MatchGame { number, detail, stderr, .. } = game;
    let stderr = if stderr.is_empty() { String::new() } else { format!("; stderr: {stderr}") };
    format!("game {}: {detail}{stderr}", u64::from(*number) + 1)
}

/// The reason why an engine cannot be started.
#[derive(Error, Debug)]
#[error("cannot start engine \"{name}\": {}", fault.detail)]
pub struct EngineStartError {
    name: String,
    fault: Fault,
}

/// The engines that a worker keeps from game to game, by their index in the list of engines.
#[derive(Debug, Default)]
pub(crate) struct StartedEngines {
    players: HashMap<u32, EngineClient>,
    /// The engines that could not be started before the first game, and forfeit theirs.
    absent: HashMap<u32, Fault>,
    log: Option<EngineLog>,
}

impl StartedEngines {
    /// Starts every engine once, so that errors are found before the first game. If the match says so, an
    /// engine that cannot be started loses its games instead. Stops early if the match is stopped.
    pub(crate) fn start(
        setup: &MatchSetup<'_>,
        log: Option<EngineLog>,
        stop: &StopToken,
    ) -> Result<Self, EngineStartError> {
        let mut started = Self { log, ..Self::default() };
        for (spec, index) in setup.engines.iter().zip(0..) {
            match EngineClient::start(spec, started.log.clone(), stop, &|text| setup.status(text))
                .map_err(|error| error.await_stop_after_crash(stop))
            {
                Ok(player) => drop(started.players.insert(index, player)),
                Err(PlayerError::Stopped) => break,
                Err(PlayerError::Fault(fault)) if !setup.forfeit => {
                    return Err(EngineStartError { name: spec.name.clone(), fault });
                }
                Err(PlayerError::Fault(fault)) => {
                    setup.note(&format!(
                        "engine \"{}\" cannot be started and loses its games: {}",
                        spec.name, fault.detail
                    ));
                    started.absent.insert(index, fault);
                }
            }
        }
        Ok(started)
    }

    /// Returns the engines of another worker, which starts them when it needs them.
    fn none_started(&self) -> Self {
        Self { players: HashMap::new(), absent: self.absent.clone(), log: self.log.clone() }
    }

    /// Returns the identity that an engine reports, or `None` if it was not started.
    pub(crate) fn identity(&self, index: u32) -> Option<&Identity> {
        self.players.get(&index).map(EngineClient::identity)
    }

    fn quit(self) {
        self.players.into_values().for_each(EngineClient::quit);
    }

    /// Plays a game. Returns `None` if the match was stopped.
    fn play_game(&mut self, scheduled: &ScheduledGame<'_>) -> Option<MatchGame> {
        let engines = [scheduled.fixture.black, scheduled.fixture.white];
        let [black, white] = scheduled.specs;
        let mut pair = [self.engine(engines[0], black, scheduled), self.engine(engines[1], white, scheduled)];
        let players = pair.each_mut().map(|engine| engine.as_mut().map_err(|error| error.clone()));
        let finished = game_runner::play_game(scheduled, players)?;
        let at_fault = finished.at_fault();
        if scheduled.setup.strict && at_fault.is_some() {
            // Halt now, before a worker begins another game.
            scheduled.stop.stop();
        }
        for (((player, index), side), spec) in
            pair.into_iter().zip(engines).zip(Color::BOTH).zip(scheduled.specs)
        {
            match player {
                // Do not reuse an engine that was at fault.
                Ok(player) if at_fault != Some(side) && spec.restart => player.quit(),
                Ok(player) if at_fault != Some(side) => drop(self.players.insert(index, player)),
                _ => {}
            }
        }
        Some(finished)
    }

    /// Returns the engine of the previous game, or starts one.
    fn engine(
        &mut self,
        index: u32,
        spec: &EngineSpec,
        scheduled: &ScheduledGame<'_>,
    ) -> Result<EngineClient, PlayerError> {
        if let Some(player) = self.players.remove(&index) {
            return Ok(player);
        }
        let on_status = |text: &str| scheduled.setup.status(text);
        let started = match self.absent.get(&index) {
            Some(fault) => Err(PlayerError::Fault(fault.clone())),
            None => EngineClient::start(spec, self.log.clone(), scheduled.stop, &on_status),
        };
        started.map_err(|error| match error.await_stop_after_crash(scheduled.stop) {
            PlayerError::Fault(Fault { kind, detail }) => {
                PlayerError::Fault(Fault { kind, detail: format!("cannot be started: {detail}") })
            }
            PlayerError::Stopped => PlayerError::Stopped,
        })
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::adjudication::Rules;
    use crate::header::tests::plan;
    use crate::match_game::Termination;
    use crate::match_game::tests::record;
    use crate::openings::OpeningChoice;
    use crate::schedule::Plan;
    use crate::setup::MatchEvent;
    use kelso_batch::file::OutputFile;
    use kelso_batch::testing::Folder;
    use kelso_draughts::notation::{fen, movetext};
    use kelso_draughts::record::{GameRecord, Ply};
    use kelso_draughts::result::{EndReason, GameResult};
    use kelso_draughts::score::ReportedScore;
    use kelso_players::player::FaultKind;
    use kelso_process::CommandLine;
    use kelso_protocol::Dialect;
    use kelso_reports::statistics::sprt::{Sprt, SprtModel};

    const WIN: &str = "echo 'info depth 3 score cp 12 nodes 7'; echo 'bestmove 5x14'";
    const ILLEGAL: &str = "echo 'out of luck' >&2; echo 'bestmove 1-32'";

    /// Returns an opening of one move, after which Black's only move captures White's only piece.
    fn opening() -> GameRecord {
        let start = fen::parse("W:W13:B5").unwrap();
        GameRecord::of(start, [movetext::parse(&start, "13-9").unwrap()])
    }

    /// Returns an engine that is a shell script. It answers `go`, and logs each start and regular exit to the
    /// file `log`.
    fn engine(folder: &Folder, name: &str, answer: &str) -> EngineSpec {
        let log = folder.path("log");
        let log = log.display();
        let script = format!(
            "echo '{name} starts' >>'{log}'; while read line; do case $line in \
             uci) echo 'id name Script'; echo 'id author Us'; echo uciok;; isready) echo readyok;; \
             go*) {answer};; quit) echo '{name} ends' >>'{log}'; exit;; esac; done"
        );
        let command = CommandLine::new("sh").with_arguments(["-c", &script]);
        EngineSpec { name: name.to_owned(), ..EngineSpec::new(command, Dialect::Native) }
    }

    /// Returns how often each line occurs in the log, and deletes the log.
    fn logged(folder: &Folder) -> Vec<(String, usize)> {
        let text = folder.read("log");
        std::fs::remove_file(folder.path("log")).unwrap();
        let mut counts = BTreeMap::new();
        text.lines().for_each(|line| *counts.entry(line.to_owned()).or_default() += 1);
        counts.into_iter().collect()
    }

    fn counts<const N: usize>(lines: [(&str, usize); N]) -> Vec<(String, usize)> {
        lines.into_iter().map(|(line, count)| (line.to_owned(), count)).collect()
    }

    fn a_match(engines: impl IntoIterator<Item = EngineSpec>, plan: Plan) -> MatchSetup<'static> {
        MatchSetup {
            event: "Test".to_owned(),
            site: None,
            engines: engines.into_iter().collect(),
            choice: OpeningChoice { name: "test".to_owned(), first: 1, plies: None },
            openings: vec![opening()],
            plan,
            rules: Rules::default(),
            sprt: None,
            oracle: None,
            concurrency: 1,
            strict: false,
            forfeit: false,
            timed: true,
            on_event: &|_| {},
        }
    }

    /// Plays the games that are missing in `done`.
    fn run<'a>(
        setup: &'a MatchSetup<'a>,
        schedule: &'a Schedule,
        done: &[MatchGame],
        stop: &StopToken,
        on_game: impl FnMut(&MatchGame, &MatchGames<'_>) -> Result<(), ScheduleError>,
    ) -> Result<MatchGames<'a>, ScheduleError> {
        let engines = StartedEngines::start(setup, None, &StopToken::default()).unwrap();
        let mut games = MatchGames::new(setup, schedule);
        for game in done {
            games.add(game.clone());
        }
        run_schedule(games, engines, stop, on_game)
    }

    fn schedule(setup: &MatchSetup<'_>) -> Schedule {
        Schedule::new(&setup.plan, 2, u32::try_from(setup.openings.len()).unwrap()).unwrap()
    }

    /// Plays a match. Also returns the numbers of the games that were reported.
    fn play(setup: &MatchSetup<'_>, done: &[MatchGame]) -> (Vec<MatchGame>, MatchEnd, Vec<u32>) {
        let mut games = done.to_vec();
        let schedule = schedule(setup);
        let played = run(setup, &schedule, done, &StopToken::default(), |game, _| {
            games.push(game.clone());
            Ok(())
        });
        let MatchGames { counted, end, .. } = played.unwrap();
        let reported = games[done.len()..].iter().map(|game| game.number).collect();
        games.sort_by_key(|game| game.number);
        games.retain_mut(|game| counted.get(&game.number).map(|&repeats| game.repeats = repeats).is_some());
        (games, end, reported)
    }

    #[test]
    fn an_only_move_before_the_first_search_has_no_score() {
        let folder = Folder::new();
        let answer = "echo 'info depth 1 score cp 494'; echo 'bestmove 15x22'";
        let engines = ["A", "B"].map(|name| engine(&folder, name, answer));
        let openings = vec![GameRecord::new(fen::parse("B:W18,32:B15").unwrap())];
        let (games, ..) = play(&MatchSetup { openings, ..a_match(engines, plan(1, 7)) }, &[]);
        let search = games[0].plies[0].search;
        assert_eq!((search.score, search.depth), (None, Some(1)));
    }

    #[test]
    fn an_only_move_has_the_score_of_the_last_search_and_all_lines_are_logged() {
        let folder = Folder::new();
        let log = EngineLog::default();
        OutputFile::create(&folder.path("log.txt")).unwrap().commit().unwrap();
        log.open(OutputFile::append(&folder.path("log.txt")).unwrap());
        // White answers 11-15 by 22-18, a capture follows on each side, and Black's are its only moves.
        let answer =
            |mv: &str, score: &str| format!("echo 'info depth 9 score {score}'; echo 'bestmove {mv}'");
        let black = format!(
            "case $moves in '') {};; *) {};; esac; moves=some",
            answer("11-15", "win 9"),
            answer("15x22", "cp 494")
        );
        let engines = [engine(&folder, "A", &black), engine(&folder, "B", &answer("22-18", "cp 0"))];
        let openings = vec![GameRecord::new(kelso_draughts::Position::start())];
        let setup = MatchSetup { openings, ..a_match(engines, plan(1, 7)) };
        let (schedule, stop) = (schedule(&setup), StopToken::default());
        let started = StartedEngines::start(&setup, Some(log.clone()), &stop).unwrap();
        let mut scores = Vec::new();
        let games = MatchGames::new(&setup, &schedule);
        let played = run_schedule(games, started, &stop, |game, _| {
            scores.extend(game.plies.iter().map(|ply| ply.search.score));
            Ok::<_, ScheduleError>(())
        });
        played.unwrap();
        let [win, later] = [9, 7].map(|plies| Some(ReportedScore::Win(Some(plies))));
        assert_eq!(scores, [win, Some(ReportedScore::Cp(0)), later]);
        log.finish().unwrap();
        let text = folder.read("log.txt");
        let words: Vec<Vec<&str>> = text.lines().map(|line| line.splitn(5, ' ').collect()).collect();
        assert!(
            words.iter().all(|line| line[0].parse::<f64>().is_ok() && line[2].parse::<u32>().is_ok()),
            "{text}"
        );
        for line in ["A > uci", "A < uciok", "A < bestmove 11-15", "B < info depth 9 score cp 0"] {
            let [name, arrow, rest] = *line.splitn(3, ' ').collect::<Vec<_>>() else { panic!() };
            assert!(
                words.iter().any(|line| [line[1], line[3]] == [name, arrow] && line[4] == rest),
                "{line}: {text}"
            );
        }
    }

    /// Returns a match of two pairs with the same opening. Only the first engine has a clock.
    fn two_pairs(folder: &Folder) -> MatchSetup<'static> {
        let mut engines = ["A", "B"].map(|name| engine(folder, name, WIN));
        engines[0].time_control = Some("60".parse().unwrap());
        a_match(engines, plan(2, 7))
    }

    #[test]
    fn games_are_played_in_order() {
        let (games, end, reported) = play(&two_pairs(&Folder::new()), &[]);
        assert_eq!(end, MatchEnd::Complete);
        assert_eq!(reported, [0, 1, 2, 3]);
        let black: Vec<_> = games.iter().map(|game| game.players[0].as_str()).collect();
        assert_eq!(black, ["A", "B", "A", "B"]);
        let repeats: Vec<_> = games.iter().map(|game| game.repeats).collect();
        assert_eq!(repeats, [None, None, Some(0), Some(1)]);
    }

    #[test]
    fn moves_are_recorded_with_their_searches() {
        let mut setup = two_pairs(&Folder::new());
        for timed in [true, false] {
            setup.timed = timed;
            for game in play(&setup, &[]).0 {
                assert_eq!(game.result, GameResult::BlackWins);
                assert_eq!(game.opening_plies, 1);
                let [_, Ply { search, clock, .. }] = &game.plies[..] else { panic!("{game:?}") };
                assert_eq!(search.depth, Some(3));
                assert_eq!(search.nodes, Some(7));
                assert_eq!(search.time.is_some(), timed);
                assert_eq!(clock.is_some(), timed && game.players[0] == "A");
            }
        }
    }

    #[test]
    fn only_missing_games_are_played() {
        let setup = two_pairs(&Folder::new());
        let (games, ..) = play(&setup, &[]);
        let (again, _, reported) = play(&setup, &games[..3]);
        assert_eq!(again.len(), 4);
        assert_eq!(reported, [3]);
        assert_eq!(play(&setup, &games), (games, MatchEnd::Complete, vec![]));
    }

    #[test]
    fn engines_are_kept_unless_they_restart_and_are_quit() {
        let folder = Folder::new();
        let mut setup = two_pairs(&folder);
        play(&setup, &[]);
        assert_eq!(logged(&folder), counts([("A ends", 1), ("A starts", 1), ("B ends", 1), ("B starts", 1)]));
        setup.engines[0].restart = true;
        play(&setup, &[]);
        assert_eq!(logged(&folder), counts([("A ends", 4), ("A starts", 4), ("B ends", 1), ("B starts", 1)]));
    }

    #[test]
    fn games_of_another_match_are_foreign() {
        let setup = two_pairs(&Folder::new());
        let (games, ..) = play(&setup, &[]);
        let schedule = schedule(&setup);
        let found = MatchGames::new(&setup, &schedule);
        assert!(games.iter().all(|game| found.fits(game)));
        let mut others = vec![games[1].clone(); 5];
        others[0].players[1] = "C".to_owned();
        others[1].start = fen::parse("W:W14:B5").unwrap();
        others[2].plies.clear();
        others[3].pair = 1;
        others[4].number = 4;
        for other in others {
            assert!(!found.fits(&other), "{other:?}");
        }
    }

    #[test]
    fn an_engine_at_fault_loses_and_is_replaced() {
        let folder = Folder::new();
        let engines = [("A", WIN), ("B", ILLEGAL)].map(|(name, answer)| engine(&folder, name, answer));
        let mut setup = a_match(engines, plan(2, 7));
        let (games, end, _) = play(&setup, &[]);
        assert_eq!(end, MatchEnd::Complete);
        let won = (GameResult::BlackWins, Termination::Regular(EndReason::NoMove));
        let lost = (GameResult::WhiteWins, Termination::Fault(FaultKind::IllegalMove));
        assert_eq!(
            games.iter().map(|game| (game.result, game.termination)).collect::<Vec<_>>(),
            [won, lost, won, lost]
        );
        assert_eq!((games[0].stderr.as_str(), games[1].stderr.as_str()), ("", "out of luck"));
        assert_eq!(logged(&folder), counts([("A ends", 1), ("A starts", 1), ("B starts", 2)]));
        setup.strict = true;
        let (games, end, reported) = play(&setup, &[]);
        assert_eq!((games.len(), reported), (2, vec![0, 1]));
        let MatchEnd::Strict(fault) = end else { panic!("{end:?}") };
        assert!(fault.starts_with("game 2: B ") && fault.ends_with("; stderr: out of luck"), "{fault}");
    }

    #[test]
    fn a_match_that_is_stopped_keeps_its_finished_games() {
        let folder = Folder::new();
        let engines = ["A", "B"].map(|name| engine(&folder, name, WIN));
        let setup = MatchSetup { concurrency: 2, ..a_match(engines.clone(), plan(500, 7)) };
        let (long, stop) = (schedule(&setup), StopToken::default());
        let mut games = Vec::new();
        let stopped = run(&setup, &long, &[], &stop, |game, _| {
            games.push(game.clone());
            stop.stop();
            Ok(())
        });
        let end = stopped.unwrap().end;
        assert_eq!(end, MatchEnd::Stopped);
        assert!(!games.is_empty() && games.len() < 1000, "{}", games.len());
        // Nothing is played once the match has been stopped.
        let full = ScheduleError::TooManyGames(0);
        let rest = run(&setup, &long, &games, &stop, |_, _| Err(full)).unwrap();
        assert_eq!((rest.counted.len(), rest.end), (games.len(), MatchEnd::Stopped));
        let ended =
            run(&setup, &long, &games, &StopToken::default(), |_, _| Err(full)).map(|played| played.end);
        assert_eq!(ended, Err(full));
        // A stop after the last game changes nothing.
        let setup = a_match(engines, plan(1, 7));
        let (stop, mut count) = (StopToken::default(), 0);
        let short = schedule(&setup);
        let played = run(&setup, &short, &[], &stop, |_, _| {
            count += 1;
            if count == 2 {
                stop.stop();
            }
            Ok(())
        });
        let MatchGames { counted, end, .. } = played.unwrap();
        assert_eq!((counted.len(), end), (2, MatchEnd::Complete));
    }

    #[test]
    fn a_missing_engine_or_opening_is_an_error() {
        let folder = Folder::new();
        let engines = ["A", "B"].map(|name| engine(&folder, name, WIN));
        let mut setup = a_match(engines, plan(1, 7));
        let schedule = schedule(&setup);
        let error =
            |setup: &MatchSetup<'_>| run(setup, &schedule, &[], &StopToken::default(), |_, _| Ok(())).err();
        setup.openings.clear();
        assert_eq!(error(&setup), Some(ScheduleError::Missing { game: 0, item: "opening", index: 0 }));
        setup.engines.pop();
        assert_eq!(
            error(&setup).unwrap().to_string(),
            "game 1 needs engine 2, which the match does not have"
        );
    }

    #[test]
    fn a_decided_test_ends_the_match() {
        let folder = Folder::new();
        let engines = [("A", WIN), ("B", ILLEGAL)].map(|(name, answer)| engine(&folder, name, answer));
        let sprt = Sprt { elo0: 0.0, elo1: 300.0, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };
        // Black's other man does not change what happens.
        let openings = [1, 2, 3, 4, 7, 8, 11, 12, 16, 19, 20, 23, 24, 27, 28, 25]
            .into_iter()
            .map(|square| {
                let start = fen::parse(&format!("W:W13:B5,{square}")).unwrap();
                GameRecord::of(start, [movetext::parse(&start, "13-9").unwrap()])
            })
            .collect();
        let setup = MatchSetup { openings, sprt: Some(sprt), ..a_match(engines, plan(16, 7)) };
        let (games, end, reported) = play(&setup, &[]);
        assert_eq!(end, MatchEnd::Decided(Decision::H1));
        assert!(games.len() < 32 && games.len().is_multiple_of(2), "{}", games.len());
        assert!(reported.into_iter().eq((0..).take(games.len())));
        // No further game is played, and the engines quit.
        std::fs::remove_file(folder.path("log")).unwrap();
        let (again, end, reported) = play(&setup, &games);
        assert_eq!((again.len(), end, reported), (games.len(), MatchEnd::Decided(Decision::H1), vec![]));
        let once = [("A ends", 1), ("A starts", 1), ("B ends", 1), ("B starts", 1)];
        assert_eq!(logged(&folder), counts(once));
        // A strict match ends at the fault that also decides the test.
        let setup = MatchSetup { strict: true, ..setup };
        let (.., end, reported) = play(&setup, &games[..games.len() - 1]);
        assert!(matches!(end, MatchEnd::Strict(_)), "{end:?}");
        assert_eq!(reported.len(), 1);
    }

    #[test]
    fn an_engine_that_cannot_be_started_again_loses() {
        let folder = Folder::new();
        let marker = folder.path("started");
        let mut engines = [("A", WIN), ("B", ILLEGAL)].map(|(name, answer)| engine(&folder, name, answer));
        let script = engines[1].command.arguments[1].to_string_lossy().into_owned();
        let once = format!("test -e '{0}' && exit 5; touch '{0}'; {script}", marker.display());
        engines[1].command.arguments[1] = once.into();
        let detail = "B cannot be started: exited on its own (exit status: 5)";
        let setup = a_match(engines, plan(2, 7));
        let (games, ..) = play(&setup, &[]);
        let ends: Vec<_> = games.iter().map(|game| game.termination).collect();
        assert_eq!(ends[0], Termination::Regular(EndReason::NoMove));
        let [illegal, crash] = [FaultKind::IllegalMove, FaultKind::Crash].map(Termination::Fault);
        assert_eq!(ends[1..], [illegal, crash, crash]);
        assert_eq!(games[3].result, GameResult::WhiteWins);
        assert_eq!(games[2].result, GameResult::BlackWins);
        assert_eq!(
            [&games[2], &games[3]].map(|game| (game.detail.as_str(), game.plies.len())),
            [(detail, 1); 2]
        );
        let error = StartedEngines::start(&setup, None, &StopToken::default()).unwrap_err().to_string();
        assert_eq!(error, "cannot start engine \"B\": exited on its own (exit status: 5)");
        let notes = Mutex::new(Vec::new());
        let on_event = |event: MatchEvent<'_>| {
            if let MatchEvent::Note(text) = event {
                notes.lock().unwrap().push(text.to_owned());
            }
        };
        let setup = MatchSetup { forfeit: true, on_event: &on_event, ..setup };
        let (games, ..) = play(&setup, &[]);
        let crash = Termination::Fault(FaultKind::Crash);
        let ends = games.iter().map(|game| (game.termination, game.detail.as_str(), game.result));
        let black =
            [GameResult::BlackWins, GameResult::WhiteWins, GameResult::BlackWins, GameResult::WhiteWins];
        assert!(ends.eq(black.map(|result| (crash, detail, result))));
        assert_eq!(
            *notes.lock().unwrap(),
            ["engine \"B\" cannot be started and loses its games: exited on its own (exit status: 5)"]
        );
        let fault = MatchGame { number: 4, stderr: String::new(), ..record() };
        assert_eq!(strict_fault(&fault), "game 5: A took \"9\" s");
        assert_eq!(
            strict_fault(&MatchGame { stderr: "out of luck".to_owned(), ..fault }),
            "game 5: A took \"9\" s; stderr: out of luck"
        );
    }

    #[test]
    fn a_test_ends_at_the_same_pair_in_any_order_of_games() {
        let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized };
        let mut random = kelso_random::stream(&[49]);
        // A wins three of four games, each from a different position.
        let mut games: Vec<_> = (0..100)
            .map(|number| {
                let mut game = MatchGame { number, pair: number / 2, ..record() };
                let [one, two] = [number % 10 + 1, number / 10 + 11];
                game.start = fen::parse(&format!("B:W30:B{one},{two}")).unwrap();
                game.plies.clear();
                if number % 2 == 1 {
                    game.players.reverse();
                }
                let winner = if number % 8 == 0 || number % 2 == 1 { Color::White } else { Color::Black };
                game.result = GameResult::won_by(winner);
                game.termination = Termination::Regular(EndReason::NoMove);
                game
            })
            .collect();
        let engines = ["A", "B"].map(|name| engine(&Folder::new(), name, WIN));
        let setup = MatchSetup { sprt: Some(sprt), ..a_match(engines, plan(50, 7)) };
        let schedule = schedule(&setup);
        let mut ends = Vec::new();
        for _ in 0..3 {
            let mut found = MatchGames::new(&setup, &schedule);
            for game in &games {
                found.add(game.clone());
            }
            let MatchGames { counted, end, .. } = found.finish(false);
            assert_eq!(end, MatchEnd::Decided(Decision::H1));
            let ends_at = u32::try_from(counted.len()).unwrap();
            assert!(counted.into_keys().eq(0..ends_at) && ends_at.is_multiple_of(2));
            ends.push(ends_at);
            kelso_random::SliceRandom::shuffle(&mut games[..], &mut random);
        }
        assert!(ends[0] > 4 && ends[0] < 100 && ends.iter().all(|&end| end == ends[0]), "{ends:?}");
    }
}
