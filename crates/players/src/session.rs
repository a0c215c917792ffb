//! Runs a [`Player`] as an engine that speaks the native protocol.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use super::player::{Player, SearchResult, Turn};
use kelso_draughts::board::Game;
use kelso_draughts::record::SearchInfo;
use kelso_engine::search::{Control, Limits, SearchAnswer};
use kelso_protocol::{
    Command, CommandError, DeclaredOption, Emit, EngineOutput, Native, Protocol, Session, SessionEngine,
    SessionError, SingleThreadedSession,
};
use kelso_runtime::lines::InputLine;
use kelso_syntax::WordError;

/// A player that can run as an engine.
pub trait ProtocolPlayer: Player {
    fn name(&self) -> String;

    fn options(&self) -> Vec<DeclaredOption> {
        Vec::new()
    }

    /// Sets an option.
    fn set_option(&mut self, name: &str, _value: Option<&str>) -> Result<(), WordError> {
        Err(WordError::unknown("option", name, "none, since this engine has no options"))
    }

    /// Prepares for another game.
    fn new_game(&mut self) {}
}

/// Runs a player as an engine until the input ends or a `quit` arrives.
///
/// # Errors
///
/// If the output cannot be written, or the player panics.
pub fn run(
    player: impl ProtocolPlayer + Send + 'static,
    read: impl FnOnce(&mut dyn FnMut(InputLine) -> bool) + Send + 'static,
    write: impl FnMut(&str) -> io::Result<()>,
) -> Result<(), SessionError> {
    let protocol = PlayerProtocol::of(&player);
    Session::run(PlayerEngine { player, waits: true }, protocol, read, write)
}

/// Returns a function that answers a line: lines that end with newlines. Searches without a limit are
/// answered when the player ends them.
pub fn answers(player: impl ProtocolPlayer + 'static) -> impl FnMut(&str) -> String {
    let output = Rc::new(RefCell::new(String::new()));
    let protocol = PlayerProtocol::of(&player);
    let written = Rc::clone(&output);
    let write = move |text: &str| {
        written.borrow_mut().push_str(text);
        Ok(())
    };
    let session = SingleThreadedSession::new(PlayerEngine { player, waits: false }, protocol, write);
    move |line| {
        let mut works = session.line(line).is_ok();
        while works {
            works = session.work().is_ok_and(|worked| worked);
        }
        output.take()
    }
}

/// The native protocol, with the player's introduction instead of Kelso's.
struct PlayerProtocol {
    introduction: String,
}

impl PlayerProtocol {
    fn of(player: &impl ProtocolPlayer) -> Self {
        Self { introduction: Native::introduction(&player.name(), player.options()) }
    }
}

impl Protocol for PlayerProtocol {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        match Native.read(line)? {
            Some(Command::Help) => Err(CommandError::Unsupported),
            command => Ok(command),
        }
    }

    fn write(&mut self, output: &EngineOutput) -> String {
        match output {
            EngineOutput::Identity => self.introduction.clone(),
            output => Native.write(output),
        }
    }
}

/// A player as the engine of a session.
struct PlayerEngine<P> {
    player: P,
    /// A search without a limit waits until it is stopped.
    waits: bool,
}

impl<P: ProtocolPlayer> SessionEngine for PlayerEngine<P> {
    const SEARCHES_AFTER_PONDER_HIT: bool = false;

    type Setting = (String, Option<String>);

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn search(&mut self, game: &Game, limits: &Limits, control: &Control, emit: Emit<'_>) -> SearchAnswer {
        let position = *game.position();
        let report = |found: &SearchResult| {
            let info = SearchInfo { time: Some(control.elapsed()), ..found.info };
            emit(EngineOutput::Info(position, info, found.line.clone()));
        };
        let mut answer = SearchAnswer::default();
        control.begin(limits);
        if position.can_move() {
            let turn =
                Turn { limits, report: Some(&report), ..Turn::new(game, [None; 2], control.stop_token()) };
            match self.player.choose_move(&turn) {
                Ok(SearchResult { mv, ponder, .. }) => {
                    answer = SearchAnswer { best: Some(mv), ponder, ..answer };
                }
                Err(reason) => emit(EngineOutput::Error(CommandError::Engine(reason.to_string()))),
            }
        }
        if self.waits {
            control.wait(limits.infinite);
        }
        answer
    }

    fn setting(name: String, value: Option<String>) -> Result<Self::Setting, CommandError> {
        Ok((name, value))
    }

    fn apply(&mut self, (name, value): Self::Setting) -> Result<(), CommandError> {
        Ok(self.player.set_option(&name, value.as_deref())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::PlayerError;
    use kelso_draughts::record::SearchInfo;
    use kelso_draughts::score::ReportedScore;
    use kelso_runtime::lines::read_lines;
    use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};

    /// Searches until it is stopped, unless there is a limit.
    struct Slow;

    impl Player for Slow {
        fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
            let depth = turn.limits.depth.and_then(|depth| u32::try_from(depth).ok());
            let info = SearchInfo {
                score: Some(ReportedScore::Cp(7)),
                depth,
                nodes: turn.limits.nodes,
                ..SearchInfo::default()
            };
            let found = SearchResult { info, ..SearchResult::of(turn.game.position().moves()[0]) };
            if let Some(report) = turn.report {
                report(&found);
            }
            if !turn.limits.is_set() {
                turn.stop.wait_while(|| true);
            }
            Ok(found)
        }
    }

    impl ProtocolPlayer for Slow {
        fn name(&self) -> String {
            "Slow".into()
        }
    }

    /// Starts a session. Returns its input and its output.
    fn start() -> (PipeWriter, impl FnMut() -> String) {
        let (input, lines) = pipe().unwrap();
        let (answers, mut output): (PipeReader, PipeWriter) = pipe().unwrap();
        std::thread::spawn(move || {
            let read = |handle: &mut dyn FnMut(InputLine) -> bool| read_lines(BufReader::new(input), handle);
            run(Slow, read, |text| output.write_all(text.as_bytes()))
        });
        let mut answers = BufReader::new(answers);
        let next = move || {
            let mut line = String::new();
            answers.read_line(&mut line).unwrap();
            line
        };
        (lines, next)
    }

    #[test]
    fn a_search_without_a_limit_answers_when_it_is_stopped() {
        for (go, end) in [
            ("go infinite", "stop"),
            ("go ponder", "ponderhit"),
            ("go", "stop"),
            ("go infinite depth 3", "stop"),
        ] {
            let (mut input, mut next) = start();
            writeln!(input, "{go}\nisready").unwrap();
            let mut answers = [next(), next()];
            // Which of the two answers is first is open.
            answers.sort();
            assert!(answers[0].starts_with("info ") && answers[1] == "readyok\n", "{answers:?}");
            writeln!(input, "{end}").unwrap();
            assert!(next().starts_with("bestmove "), "{go}");
        }
    }

    #[test]
    fn searches_with_a_limit_are_completed_at_the_end_of_the_input() {
        let (mut input, mut next) = start();
        writeln!(input, "go depth 4\ngo nodes 9\ngo infinite").unwrap();
        drop(input);
        assert!(next().starts_with("info depth 4 score cp 7 time "));
        assert!(next().starts_with("bestmove "));
        assert!(next().contains(" nodes 9 ") && next().starts_with("bestmove "));
        assert!(next().starts_with("info ") && next().starts_with("bestmove "));
        assert_eq!(next(), "");
    }

    #[test]
    fn invalid_lines_and_options_are_errors() {
        let (mut input, mut next) = start();
        writeln!(input, "uci\nsetoption name Hash value 1\nsetoption\nfly\nbench\ngo searchmoves 1-2\nquit")
            .unwrap();
        let mut lines = String::new();
        loop {
            match next() {
                line if line.is_empty() => break,
                line => lines += &line,
            }
        }
        let expected = [
            "id name Slow",
            "id author the Kelso developers",
            "uciok",
            "info string error: unknown option \"Hash\": expected none, since this engine has no options",
            "info string error: invalid command",
            "info string error: unknown command \"fly\"",
            "info string error: this engine does not have this command",
            "info string error: move 1: ",
        ];
        assert_eq!(lines.lines().count(), expected.len(), "{lines}");
        // The player's thread reports the options that it does not have.
        for start in expected {
            assert!(lines.lines().any(|line| line.starts_with(start)), "{start}: {lines}");
        }
    }
}
