//! Runs a [`Player`] as an engine: the engine's side of the native protocol, with one move at a time.
//!
//! Two threads share the work. The first reads lines and answers what cannot wait, such as `stop`; the other runs the
//! player. Commands are executed in order.

use std::cell::RefCell;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Instant;

use super::game::{Player, SearchResult, Turn};
use kelso_draughts::board::{Game, Position};
use kelso_engine::search::{LineReport, SearchAnswer, SearchEvent};
use kelso_protocol::{Command, CommandError, EngineOutput, GoParams, Native, Protocol};
use kelso_runtime::lines::{InputLine, read_lines};
use kelso_runtime::stop::StopToken;
use kelso_runtime::sync::lock;
use kelso_text::syntax::Quoted;

/// A player that can run as an engine.
pub trait ProtocolPlayer: Player {
    /// Returns the engine's name.
    fn name(&self) -> String;

    /// Returns the declarations of its options: lines of the protocol.
    fn options(&self) -> &'static str {
        ""
    }

    /// Sets an option. The error says which options there are.
    fn set_option(&mut self, name: &str, _value: Option<&str>) -> Result<(), String> {
        Err(format!("unknown option {}: this engine has no options", Quoted(name)))
    }

    /// Prepares for another game.
    fn new_game(&mut self) {}
}

/// Maximum number of commands that wait for a search.
const MAX_WAITING: usize = 10_000;

/// A player and its game.
#[derive(Debug)]
pub struct PlayerSession<P> {
    player: P,
    game: Game,
}

/// A parsed line.
enum Request {
    Set(String, Option<String>),
    Command(Command),
    Error(CommandError),
}

impl Request {
    /// Parses a line, or returns `None` for a blank line.
    fn parse(line: &str) -> Option<Self> {
        let command = match Native::assignment(line) {
            Ok(Some((name, value))) => return Some(Self::Set(name, value.map(str::to_owned))),
            Ok(None) => Native.read(line),
            Err(error) => Err(error),
        };
        command.map_or_else(|error| Some(Self::Error(error)), |command| command.map(Self::Command))
    }

    /// Returns whether a search continues until it is stopped.
    fn is_endless(&self) -> bool {
        matches!(self, Self::Command(Command::Go(go)) if go.ponder || go.is_unlimited())
    }
}

fn write(output: &EngineOutput) -> String {
    Native.write(output)
}

fn error(text: impl Into<String>) -> String {
    write(&EngineOutput::Error(CommandError::Engine(text.into())))
}

impl<P: ProtocolPlayer> PlayerSession<P> {
    /// Creates a session.
    pub fn new(player: P) -> Self {
        Self { player, game: Game::default() }
    }

    /// Returns the answer to a line: lines that end with newlines. A search without limits ends when the player
    /// ends it.
    pub fn answer(&mut self, line: &str) -> String {
        let Some(request) = Request::parse(line) else { return String::new() };
        let text = RefCell::new(String::new());
        let last = self.execute(request, &StopToken::default(), &|part| text.borrow_mut().push_str(part));
        text.into_inner() + &last
    }

    /// Reads lines and answers them until `quit` or the end of the input. At the end of the input, searches with a
    /// limit are completed.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn run(
        &mut self,
        input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> io::Result<()> {
        let output = Arc::new(SessionOutput { output: Mutex::new(output), searches: AtomicUsize::new(0) });
        let (sender, requests) = sync_channel(MAX_WAITING);
        let reader = Reader {
            requests: sender,
            output: Arc::clone(&output),
            stop: StopToken::default(),
            endless: StopToken::default(),
        };
        thread::Builder::new().name("input".into()).spawn(move || {
            let mut reader = reader;
            read_lines(input, |line| reader.read(line));
        })?;
        for (request, stop) in requests {
            let is_search = matches!(request, Request::Command(Command::Go(_)));
            let is_endless = request.is_endless();
            let last = self.execute(request, &stop, &|text| {
                if output.write(text).is_err() {
                    stop.stop();
                }
            });
            if is_endless {
                stop.wait_while(|| true);
            }
            if is_search {
                output.searches.fetch_sub(1, Ordering::AcqRel);
            }
            output.write(&last)?;
        }
        Ok(())
    }

    /// Executes a request. Calls `emit` with reports of its search, and returns the rest of the answer.
    fn execute(&mut self, request: Request, stop: &StopToken, emit: &dyn Fn(&str)) -> String {
        let position = *self.game.position();
        let output = match request {
            Request::Set(name, value) => {
                return self.player.set_option(&name, value.as_deref()).err().map_or_else(String::new, error);
            }
            Request::Error(error) => EngineOutput::Error(error),
            Request::Command(Command::Identify) => {
                let (name, options) = (self.player.name(), self.player.options());
                return format!("id name {name}\nid author the Kelso developers\n{options}uciok\n");
            }
            Request::Command(Command::Ready) => EngineOutput::Ready,
            Request::Command(Command::NewGame) => {
                self.game = Game::default();
                self.player.new_game();
                return String::new();
            }
            Request::Command(Command::Position(game)) => {
                self.game = game;
                return String::new();
            }
            Request::Command(Command::Go(go)) => return self.go(&go, stop, emit),
            Request::Command(Command::Moves) => EngineOutput::Moves(position),
            Request::Command(Command::Paths) => EngineOutput::Paths(position),
            Request::Command(Command::Show) => EngineOutput::Show(self.game.clone()),
            Request::Command(Command::Stop | Command::PonderHit | Command::Quit) => return String::new(),
            Request::Command(_) => return error("this engine does not have this command"),
        };
        write(&output)
    }

    /// Searches. Returns the lines that end the answer.
    fn go(&mut self, go: &GoParams, stop: &StopToken, emit: &dyn Fn(&str)) -> String {
        let position = *self.game.position();
        let limits = match go.limits(&position) {
            Ok(limits) => limits,
            Err(error) => return write(&EngineOutput::Error(error)),
        };
        let started = Instant::now();
        let report = |found: &SearchResult| emit(&info(&position, found, started));
        let mut answer = SearchAnswer::default();
        if position.can_move() {
            let turn =
                Turn { limits: &limits, report: Some(&report), ..Turn::new(&self.game, [None; 2], stop) };
            match self.player.choose_move(&turn) {
                Ok(found) => answer = SearchAnswer { best: Some(found.mv), ponder: found.ponder, ..answer },
                Err(reason) => emit(&error(reason.to_string())),
            }
        }
        write(&EngineOutput::Answer(position, answer))
    }
}

/// Formats a report of a search.
fn info(position: &Position, found: &SearchResult, started: Instant) -> String {
    let Some(score) = found.info.score else { return String::new() };
    let depth = found.info.depth.unwrap_or(0) as usize;
    let report = LineReport {
        depth,
        selective_depth: depth,
        nodes: found.info.nodes.unwrap_or(0),
        time: started.elapsed(),
        ..LineReport::new(score.into(), found.line.clone())
    };
    write(&EngineOutput::Search(*position, SearchEvent::Line(report)))
}

/// The output of a session, and the number of searches that are running or waiting.
struct SessionOutput<W> {
    output: Mutex<W>,
    searches: AtomicUsize,
}

impl<W: Write> SessionOutput<W> {
    fn write(&self, text: &str) -> io::Result<()> {
        let mut output = lock(&self.output);
        output.write_all(text.as_bytes())?;
        output.flush()
    }
}

/// The thread that reads lines.
struct Reader<W> {
    requests: SyncSender<(Request, StopToken)>,
    output: Arc<SessionOutput<W>>,
    /// Stops the searches with a limit.
    stop: StopToken,
    /// Stops the searches without a limit.
    endless: StopToken,
}

impl<W: Write> Reader<W> {
    /// Reads a line. Returns `false` at the end.
    fn read(&mut self, line: InputLine) -> bool {
        let request = match line {
            InputLine::Line(line) => Request::parse(&line),
            InputLine::TooLong => Some(Request::Error(CommandError::TooLong)),
            InputLine::End(_) => {
                self.endless.stop();
                return false;
            }
        };
        let Some(request) = request else { return true };
        match &request {
            Request::Command(Command::Stop | Command::Quit) => {
                self.endless.stop();
                self.stop.stop();
            }
            Request::Command(Command::PonderHit) => self.endless.stop(),
            Request::Command(Command::Ready) if self.output.searches.load(Ordering::Acquire) > 0 => {
                return self.output.write(&write(&EngineOutput::Ready)).is_ok();
            }
            _ => {}
        }
        for token in [&mut self.stop, &mut self.endless] {
            if token.is_stopped() {
                *token = StopToken::default();
            }
        }
        let is_last = matches!(request, Request::Command(Command::Quit));
        let is_search = matches!(request, Request::Command(Command::Go(_)));
        let stop = if request.is_endless() { &self.endless } else { &self.stop };
        if is_search {
            self.output.searches.fetch_add(1, Ordering::AcqRel);
        }
        match self.requests.try_send((request, stop.clone())) {
            Ok(()) => !is_last,
            Err(TrySendError::Disconnected(_)) => false,
            Err(TrySendError::Full(_)) => {
                if is_search {
                    self.output.searches.fetch_sub(1, Ordering::AcqRel);
                }
                let busy = CommandError::Busy(MAX_WAITING, "commands are waiting for a search");
                self.output.write(&write(&EngineOutput::Error(busy))).is_ok() && !is_last
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PlayerError;
    use kelso_draughts::record::SearchInfo;
    use kelso_draughts::score::ReportedScore;
    use std::io::{BufReader, PipeReader, PipeWriter, pipe};

    /// Searches until it is stopped, unless there is a limit.
    struct Slow;

    impl Player for Slow {
        fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
            let depth = turn.limits.depth.and_then(|depth| u32::try_from(depth).ok());
            let info =
                SearchInfo { score: Some(ReportedScore::Cp(7)), depth, nodes: turn.limits.nodes, time: None };
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
        let (answers, output): (PipeReader, PipeWriter) = pipe().unwrap();
        thread::spawn(move || PlayerSession::new(Slow).run(BufReader::new(input), output));
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
            // Which of the two threads writes first is open.
            answers.sort();
            assert!(answers[0].starts_with("info depth ") && answers[1] == "readyok\n", "{answers:?}");
            writeln!(input, "{end}").unwrap();
            assert!(next().starts_with("bestmove "), "{go}");
        }
    }

    #[test]
    fn searches_with_a_limit_are_completed_at_the_end_of_the_input() {
        let (mut input, mut next) = start();
        writeln!(input, "go depth 4\ngo nodes 9\ngo infinite").unwrap();
        drop(input);
        assert!(next().starts_with("info depth 4 seldepth 4 multipv 1 score cp 7 nodes 0 "));
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
            "info string error: unknown option \"Hash\": this engine has no options",
            "info string error: invalid command",
            "info string error: unknown command \"fly\"",
            "info string error: this engine does not have this command",
            "info string error: move 1: ",
        ];
        assert_eq!(lines.lines().count(), expected.len(), "{lines}");
        assert!(lines.lines().zip(expected).all(|(line, start)| line.starts_with(start)), "{lines}");
    }
}
