//! The `Player` trait, its results and errors, and the loop that plays a game.
//!
//! Each ply has these steps: check whether the game is over, search, update the clock, move, ponder.

use std::sync::LazyLock;
use std::time::Duration;

use super::limits::Clocks;
use kelso_draughts::board::{Color, Game, Move};
use kelso_draughts::record::SearchInfo;
use kelso_draughts::referee::Referee;
use kelso_draughts::result::GameEnd;
use kelso_engine::Engine;
use kelso_engine::search::{Control, Limits, LineReport, SearchEvent};
use kelso_runtime::stop::StopToken;
use thiserror::Error;

/// Time to wait for a stop signal after an engine has exited unexpectedly.
const STOP_DELAY: Duration = Duration::from_millis(250);

#[derive(Clone, Debug)]
pub struct SearchResult {
    pub mv: Move,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The last reported values.
    pub info: SearchInfo,
    /// The legal part of the reported best line, starting with the move.
    pub line: Vec<Move>,
    /// Duration of the search.
    pub time: Duration,
}

/// The reason why a player returned no move.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum PlayerError {
    /// The player committed a fault, and loses.
    #[error(transparent)]
    Fault(Fault),
    /// The match is being stopped.
    #[error("interrupted")]
    Stopped,
}

#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("{detail}")]
pub struct Fault {
    pub kind: FaultKind,
    /// Details, as a predicate whose subject is the player's name.
    pub detail: String,
}

kelso_syntax::named! {
    #[derive(PartialOrd, Ord)]
    pub enum FaultKind {
        /// The player moved too late.
        Time: "time", "time forfeit";
        /// The player did not answer at all.
        Hang: "hang", "hang";
        /// The player exited, closed its pipes, or could not be started.
        Crash: "crash", "crash";
        /// The player wrote too much output.
        Flood: "flood", "flood";
        IllegalMove: "illegal-move", "illegal move";
        /// The player sent a move without a `go`.
        ExtraMove: "extra-move", "unexpected bestmove";
        /// The player does not have an option, or rejected its value.
        Option: "option", "rejected option";
    }
}

pub(crate) fn fault(kind: FaultKind, detail: impl Into<String>) -> PlayerError {
    PlayerError::Fault(Fault { kind, detail: detail.into() })
}

impl PlayerError {
    /// Returns the error for a player that returned no move in a position with legal moves.
    pub fn no_move() -> Self {
        fault(FaultKind::IllegalMove, "returned no move")
    }

    pub(crate) fn with(self, more: &str) -> Self {
        match self {
            Self::Fault(Fault { kind, detail }) => fault(kind, detail + more),
            Self::Stopped => Self::Stopped,
        }
    }

    /// After a crash, waits briefly for the match to be stopped, and then replaces the crash with `Stopped`,
    /// since a scheduler or a terminal may end the engines before the match.
    #[must_use]
    pub fn await_stop_after_crash(self, stop: &StopToken) -> Self {
        let has_crashed = matches!(&self, Self::Fault(fault) if fault.kind == FaultKind::Crash);
        if has_crashed && stop.wait_timeout(STOP_DELAY) { Self::Stopped } else { self }
    }
}

impl SearchResult {
    /// Creates a result without any further information.
    pub fn of(mv: Move) -> Self {
        Self { mv, ponder: None, info: SearchInfo::default(), line: vec![mv], time: Duration::ZERO }
    }

    /// Creates a result from a reported line, if it has a move.
    pub fn of_line(report: LineReport) -> Option<Self> {
        let mv = *report.line.first()?;
        let ponder = report.line.get(1).copied();
        Some(Self { mv, ponder, info: report.info(), time: report.time, line: report.line })
    }
}

/// The game and the clocks before a move.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    pub game: &'a Game,
    pub clocks: Clocks,
    /// Stops the search.
    pub stop: &'a StopToken,
    /// The limits of this move, in addition to the player's own.
    pub limits: &'a Limits,
    /// Receives results during the search, best so far, if they are wanted.
    pub report: Option<&'a dyn Fn(&SearchResult)>,
}

static NO_LIMITS: LazyLock<Limits> = LazyLock::new(Limits::default);

impl<'a> Turn<'a> {
    /// Creates the turn of a player that has only its own limits and reports nothing during the search.
    pub fn new(game: &'a Game, clocks: Clocks, stop: &'a StopToken) -> Self {
        Self { game, clocks, stop, limits: &NO_LIMITS, report: None }
    }
}

/// A source of moves: a search in this process, an engine in a child process, or a random choice. New games
/// are announced by the caller of [`play`], since some games continue from a position in the previous one.
pub trait Player {
    /// Chooses a move in a position with at least one legal move.
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError>;

    /// Starts to ponder on the expected reply, if the player ponders.
    fn ponder(&mut self, _turn: &Turn<'_>, _reply: Move) -> Result<(), PlayerError> {
        Ok(())
    }
}

/// An observer that follows a game and decides when it ends.
pub trait Observer {
    /// Returns the end of the game, if it has ended.
    fn end(&self, game: &Game) -> Option<GameEnd>;

    /// Called after a search, before its move is played. May return an end of the game, in which case the
    /// move is not played.
    fn on_search(&mut self, _game: &Game, _found: &SearchResult) -> Option<GameEnd> {
        None
    }

    /// Called after a move, with the time left on the clock of the side that moved.
    fn on_move(&mut self, _side: Color, _found: &SearchResult, _left: Option<Duration>) {}
}

// Ends games only by the rules.
impl Observer for Referee<'_> {
    fn end(&self, game: &Game) -> Option<GameEnd> {
        Self::end(self, game)
    }
}

/// Plays a game to its end. The first player has Black. If a player returns no move, the error contains its
/// side and the reason.
pub fn play<P: Player + ?Sized>(
    players: [&mut P; 2],
    game: &mut Game,
    mut clocks: Clocks,
    observer: &mut impl Observer,
    stop: &StopToken,
) -> Result<GameEnd, (Color, PlayerError)> {
    let [black, white] = players;
    loop {
        if let Some(end) = observer.end(game) {
            return Ok(end);
        }
        let side = game.position().side();
        let player = if side == Color::Black { &mut *black } else { &mut *white };
        let turn = Turn::new(game, clocks, stop);
        let result = player.choose_move(&turn).map_err(|error| (side, error))?;
        if let Some(end) = observer.on_search(game, &result) {
            return Ok(end);
        }
        let left = clocks.get_mut(side.index()).and_then(Option::as_mut).map(|clock| {
            clock.spend(result.time);
            clock.left()
        });
        game.play(result.mv);
        observer.on_move(side, &result, left);
        if let Some(reply) = result.ponder {
            player.ponder(&Turn::new(game, clocks, stop), reply).map_err(|error| (side, error))?;
        }
    }
}

/// An engine in this process.
#[derive(Debug)]
pub struct EnginePlayer<'a> {
    pub engine: &'a Engine,
    /// The limits for each move.
    pub limits: Limits,
}

impl Player for EnginePlayer<'_> {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        let control = Control::stopped_by(turn.stop);
        let limits = turn.limits.within(&self.limits);
        let answer = self.engine.search(turn.game, &limits, &control, &mut |event| {
            if let (SearchEvent::Line(line), Some(report)) = (event, turn.report)
                && let Some(result) = SearchResult::of_line(line)
            {
                report(&result);
            }
        });
        let mv = answer.best.ok_or_else(PlayerError::no_move)?;
        let info = answer.info();
        let line = answer.line();
        Ok(SearchResult { mv, ponder: answer.ponder, info, line, time: answer.time })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;
    use kelso_draughts::notation::{fen, movetext};
    use kelso_draughts::referee::DrawRules;
    use kelso_draughts::result::EndReason;
    use kelso_engine::Setting;
    use std::thread;

    #[test]
    fn a_crash_while_the_match_is_stopped_is_no_fault() {
        let crash = || fault(FaultKind::Crash, "exited on its own");
        let stop = StopToken::default();
        assert_eq!(crash().await_stop_after_crash(&stop), crash());
        // The signal may arrive after the engine has exited.
        let waiting = thread::spawn({
            let stop = stop.clone();
            move || crash().await_stop_after_crash(&stop)
        });
        stop.stop();
        assert_eq!(waiting.join().unwrap(), PlayerError::Stopped);
        assert_eq!(crash().await_stop_after_crash(&stop), PlayerError::Stopped);
        let late = fault(FaultKind::Time, "too long");
        assert_eq!(late.clone().await_stop_after_crash(&stop), late);
    }

    #[test]
    fn an_engine_of_this_process_reports_its_search() {
        let engine = Engine::new([Setting::Hash(1)]).unwrap();
        let (game, stop) = (Game::default(), StopToken::default());
        let mut player = EnginePlayer { engine: &engine, limits: Limits::depth(6) };
        let found = player.choose_move(&Turn::new(&game, [None, None], &stop)).unwrap();
        assert!(game.position().moves().contains(&found.mv) && found.line.first() == Some(&found.mv));
        assert_eq!(found.ponder.as_ref(), found.line.get(1));
        assert!(found.ponder.is_some() && found.time > Duration::ZERO);
        assert_eq!((found.info.depth, found.info.nodes > Some(0)), (Some(6), true));
        assert!(found.info.score.is_some());
    }

    #[test]
    fn the_score_is_that_of_the_best_line() {
        let mut engine = Engine::new([Setting::Hash(1)]).unwrap();
        engine.apply(Setting::MultiPv(6)).unwrap();
        let (game, stop) = (Game::default(), StopToken::default());
        for nodes in (200..4000).step_by(97) {
            engine.new_game();
            let answer = engine.search(&game, &Limits::nodes(nodes), &Control::new(), &mut |_| {});
            engine.new_game();
            let mut player = EnginePlayer { engine: &engine, limits: Limits::nodes(nodes) };
            let found = player.choose_move(&Turn::new(&game, [None, None], &stop)).unwrap();
            assert_eq!((Some(found.mv), found.info.score), (answer.best, answer.info().score));
            assert!(answer.lines.last().unwrap().score < answer.score.unwrap(), "{nodes}");
        }
    }

    #[test]
    fn fault_kinds_have_distinct_words() {
        for kind in FaultKind::ALL {
            assert_eq!(FaultKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(FaultKind::ExtraMove.to_string(), "unexpected bestmove");
        assert_eq!(FaultKind::from_name("no-move"), None);
    }

    fn squares(mv: Move) -> String {
        format!("{}-{}", mv.from(), mv.to())
    }

    /// A player with prepared moves, which all take 3 seconds and expect a reply. Records the replies.
    struct Prepared {
        texts: Vec<&'static str>,
        pondered: Vec<String>,
        fails_to_ponder: bool,
    }

    impl Prepared {
        fn new(texts: &[&'static str]) -> Self {
            let texts = texts.iter().rev().copied().collect();
            Self { texts, pondered: Vec::new(), fails_to_ponder: false }
        }
    }

    impl Player for Prepared {
        fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
            let position = turn.game.position();
            let text = self.texts.pop().ok_or_else(PlayerError::no_move)?;
            let mv = movetext::parse(position, text).unwrap();
            let ponder = position.after(mv).moves().first().copied();
            Ok(SearchResult { time: Duration::from_secs(3), ponder, ..SearchResult::of(mv) })
        }

        fn ponder(&mut self, turn: &Turn<'_>, reply: Move) -> Result<(), PlayerError> {
            assert!(turn.game.position().moves().contains(&reply));
            self.pondered.push(squares(reply));
            if self.fails_to_ponder { Err(PlayerError::Stopped) } else { Ok(()) }
        }
    }

    /// Ends a game by the rules, or before a move. Records the moves with the time left.
    #[derive(Default)]
    struct Recorder {
        resigns_before: Option<&'static str>,
        moves: Vec<(Color, String, Option<u64>)>,
    }

    impl Observer for Recorder {
        fn end(&self, game: &Game) -> Option<GameEnd> {
            game.end()
        }

        fn on_search(&mut self, game: &Game, found: &SearchResult) -> Option<GameEnd> {
            let loser = game.position().side();
            (self.resigns_before == Some(squares(found.mv).as_str()))
                .then(|| GameEnd::won_by(!loser, EndReason::Resignation))
        }

        fn on_move(&mut self, side: Color, found: &SearchResult, left: Option<Duration>) {
            self.moves.push((side, squares(found.mv), left.map(|left| left.as_secs())));
        }
    }

    #[test]
    fn players_move_in_turn_until_the_game_ends() {
        let start = || Game::new(fen::parse("W:W17,32:B5").unwrap());
        let clocks = [None, Some(Clock::new("10+1".parse().unwrap()))];
        let stop = StopToken::default();
        let run = |black: &mut Prepared, white: &mut Prepared, recorder: &mut Recorder| {
            let mut game = start();
            let end = play([black, white], &mut game, clocks, recorder, &stop);
            (end, game.position().piece_count())
        };
        let (mut black, mut white) = (Prepared::new(&["5-9"]), Prepared::new(&["17-13", "13x6"]));
        let mut recorder = Recorder::default();
        let (end, pieces) = run(&mut black, &mut white, &mut recorder);
        assert_eq!((end, pieces), (Ok(GameEnd::won_by(Color::White, EndReason::NoMove)), 2));
        let moves =
            [(Color::White, "17-13", Some(8)), (Color::Black, "5-9", None), (Color::White, "13-6", Some(6))];
        assert_eq!(recorder.moves, moves.map(|(side, text, left)| (side, text.to_owned(), left)));
        assert_eq!((black.pondered, white.pondered), (vec!["13-6".to_owned()], vec!["5-9".to_owned()]));
        // A game may end before a move is played.
        let mut recorder = Recorder { resigns_before: Some("5-9"), ..Recorder::default() };
        let (end, _) = run(&mut Prepared::new(&["5-9"]), &mut Prepared::new(&["17-13"]), &mut recorder);
        assert_eq!(end, Ok(GameEnd::won_by(Color::White, EndReason::Resignation)));
        assert_eq!(recorder.moves.len(), 1);
        // Errors name the side.
        let mut none = Prepared::new(&[]);
        let (end, _) = run(&mut none, &mut Prepared::new(&["17-13"]), &mut Recorder::default());
        assert_eq!(end, Err((Color::Black, fault(FaultKind::IllegalMove, "returned no move"))));
        let mut failing = Prepared { fails_to_ponder: true, ..Prepared::new(&["17-13"]) };
        let mut recorder = Recorder::default();
        let (end, _) = run(&mut none, &mut failing, &mut recorder);
        assert_eq!((end, recorder.moves.len()), (Err((Color::White, PlayerError::Stopped)), 1));
    }

    #[test]
    fn a_referee_observes_a_game() {
        let mut referee = Referee::new(DrawRules::default(), None).limited_to(Some(2));
        let mut game = Game::default();
        let players = [&mut Prepared::new(&["11-15"]), &mut Prepared::new(&["23-19"])];
        let end = play(players, &mut game, [None, None], &mut referee, &StopToken::default());
        assert_eq!((end, game.moves().len()), (Ok(GameEnd::draw(EndReason::MaxPlies)), 2));
    }

    #[test]
    fn only_faults_are_extended_with_details() {
        let more = PlayerError::no_move().with("; more");
        assert_eq!(more, fault(FaultKind::IllegalMove, "returned no move; more"));
        assert_eq!(PlayerError::Stopped.with("; more"), PlayerError::Stopped);
    }
}
