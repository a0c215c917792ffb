//! Any lines, or random commands, as input to an engine with a small table, in both protocols. Each valid
//! search has exactly one best move, and the session ends within a second of processor time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kelso_draughts::board::{Color, Game};
use kelso_engine::{Engine, Setting};
use kelso_protocol::{Autodetect, Command, Protocol, Session, SingleThreadedSession};
use kelso_runtime::lines::InputLine;
use rustix::time::{ClockId, clock_gettime};

/// The lines of random sessions. `go` is frequent, so that searches wait for each other.
const LINES: [[&str; 26]; 2] = [
    [
        "uci",
        "isready",
        "setoption name Hash value 2",
        "setoption name MultiPV value 3",
        "setoption name Threads value 2",
        "setoption name Searcher value mtdf",
        "setoption name Level value 2",
        "ucinewgame",
        "position startpos moves 11-15 23-19",
        "position fen B:W32:BK22,K23",
        "position fen W:W:B14",
        "moves",
        "probe",
        "go",
        "go infinite",
        "go depth 3",
        "go nodes 500",
        "go movetime 3",
        "go ponder",
        "go ponder infinite",
        "go ponder wtime 10 btime 10",
        "go ponder searchmoves 11-15",
        "go searchmoves 11-15 depth 2",
        "ponderhit",
        "ponderhit",
        "stop",
    ],
    [
        "hub",
        "init",
        "ping",
        "set-param name=hash value=2",
        "set-param name=level value=2",
        "set-param name=threads value=2",
        "new-game",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 23-19\"",
        "pos pos=BeeeeebeewweeeeeewweeeeeeeeeeeeeW",
        "level depth=3",
        "level nodes=500",
        "level move-time=0.003",
        "level time=0.01",
        "level infinite",
        "level",
        "go think",
        "go think",
        "go think",
        "go ponder",
        "go ponder",
        "go analyze",
        "go",
        "ponder-hit",
        "ponder-hit",
        "stop",
    ],
];

/// The processor time that a session may take.
const SECOND: Duration = Duration::from_secs(1);

/// Returns whether a command takes long, needs much memory, or names system files.
fn is_costly(command: &Command) -> bool {
    match command {
        Command::Bench(depth) => depth.is_none_or(|depth| depth > 1),
        Command::Perft(depth) => *depth > 4,
        // Searches without a limit are stopped at the end of the input.
        Command::Go(go) => {
            let is_short =
                |time: Option<Duration>| time.is_some_and(|time| time <= Duration::from_millis(10));
            let ends_soon = go.depth.is_some_and(|depth| depth <= 3)
                || go.nodes.is_some_and(|nodes| nodes <= 2_000)
                || is_short(go.move_time)
                || Color::BOTH
                    .into_iter()
                    .any(|side| is_short(go.clock(side)) && is_short(Some(go.increment(side))));
            !go.is_unlimited() && !ends_soon
        }
        Command::Offer => true,
        Command::Set { name, value } => match Setting::parse(name, value.as_deref()) {
            Ok(Setting::Hash(size)) => size > 2,
            Ok(Setting::Threads(threads)) => threads > 2,
            Ok(setting) => {
                matches!(setting.name(), "EgdbPath" | "EgdbCache" | "EvalFile" | "Weights" | "BookFile")
            }
            Err(_) => false,
        },
        _ => false,
    }
}

/// The lines of a session.
#[derive(Default)]
struct Input {
    lines: Vec<String>,
    /// The number of valid searches.
    searches: usize,
    /// Whether every search has a limit.
    is_limited: bool,
}

impl Input {
    /// Selects the lines that can be sent.
    fn new<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut input = Self { is_limited: true, ..Self::default() };
        let mut protocol = Autodetect::default();
        let mut game = Game::default();
        for line in lines.take(30) {
            let command = protocol.read(line);
            if command.as_ref().is_ok_and(|command| command.as_ref().is_some_and(is_costly)) {
                continue;
            }
            input.lines.push(line.to_owned());
            match command {
                Ok(Some(Command::Quit)) => break,
                Ok(Some(Command::NewGame)) => game = Game::default(),
                Ok(Some(Command::Position(position))) => game = position,
                Ok(Some(Command::Go(go))) => {
                    let is_valid = go.search_moves.iter().all(|mv| mv.resolve(game.position()).is_ok());
                    input.searches += usize::from(is_valid);
                    input.is_limited &= !go.ponder && !go.is_unlimited();
                }
                _ => {}
            }
        }
        input
    }
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<String>>);

impl Written {
    fn push(&self, text: &str) {
        assert!(text.is_empty() || text.ends_with('\n'));
        self.0.lock().expect("no panic before").push_str(text);
    }

    /// Checks that each valid search has one answer.
    fn check(&self, input: &Input) {
        let text = self.0.lock().expect("no panic before");
        let is_answer = |line: &&str| matches!(line.split_whitespace().next(), Some("bestmove" | "done"));
        assert_eq!(text.lines().filter(is_answer).count(), input.searches, "answers:\n{text}");
    }
}

fn run_threads(lines: Vec<String>, quits: bool, output: &Written) {
    let engine = Engine::new([Setting::Hash(1)]).expect("memory for the table");
    let written = output.clone();
    let read = move |handle: &mut dyn FnMut(InputLine) -> bool| {
        let sent = lines.into_iter().all(|line| handle(InputLine::Line(line)));
        let end = if quits { InputLine::Line("quit".to_owned()) } else { InputLine::End(None) };
        let _ = sent && handle(end);
    };
    let write = move |text: &str| {
        written.push(text);
        Ok(())
    };
    Session::run(engine, Autodetect::default(), read, write).expect("writing to memory cannot fail");
}

fn run_one_thread(lines: &[String], output: &Written) {
    let engine = Engine::new([Setting::Hash(1)]).expect("memory for the table");
    let written = output.clone();
    let session = SingleThreadedSession::new(engine, Autodetect::default(), move |text: &str| {
        written.push(text);
        Ok(())
    });
    for line in lines {
        session.line(line).expect("writing to memory cannot fail");
        while session.work().expect("writing to memory cannot fail") {}
    }
}

pub fn run(data: &[u8]) {
    let Some((&kind, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let input = match kind / 3 % 4 {
        number @ (0 | 1) => {
            let lines = &LINES[usize::from(number)];
            Input::new(data.iter().map(|&byte| lines[usize::from(byte) % lines.len()]))
        }
        _ => Input::new(text.lines()),
    };
    let output = Written::default();
    let start = processor_time();
    if kind % 3 == 0 && input.is_limited {
        run_one_thread(&input.lines, &output);
    } else {
        run_threads(input.lines.clone(), kind % 3 == 1, &output);
    }
    let time = processor_time() - start;
    assert!(time < SECOND, "the session took {time:?}");
    output.check(&input);
}

/// Returns the processor time of this process, which other processes do not affect.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().expect("it is not negative")
}
