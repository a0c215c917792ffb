//! `kelso best`: the best moves of many positions.

mod answer;
mod open;
mod request;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, LineWriter, Write, stdin, stdout};
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use self::answer::{Answer, Failed, Found, RequestOutcome};
use self::open::OpenRequests;
use self::request::{BestCommand, Defaults, SearchRequest};
use crate::cli::arguments::engine::{LimitArgs, Settings};
use crate::cli::arguments::files::Json;
use crate::cli::arguments::position::Moves;
use crate::cli::outcome::{Outcome, Status, say};
use crate::cli::values::{seconds, within};
use kelso_batch::pool::InOrder;
use kelso_engine::search::{Control, MAX_DEPTH};
use kelso_engine::{Engine, EngineSettings, Level, MAX_LINES, Setting};
use kelso_runtime::lines::{InputLine, read_lines};
use kelso_runtime::stop::StopToken;
use kelso_runtime::sync::lock;

/// Megabytes of an engine's table, which is cleared before each search.
const HASH: usize = 16;
/// A search of at most this many nodes has a smaller table, which is cleared sooner.
const SMALL_NODES: u64 = 50_000;
const SMALL_HASH: usize = 1;

/// Find the best moves of positions
///
/// Prints a line for each position: the position, the best move, its score for the side to move, the chances
/// of a win, a draw and a loss in thousandths, and the expected moves, separated by tabs. Positions are FENs
/// or `startpos`: arguments, or lines of files or of standard input. With --json, the input and the output
/// are lines of JSON, so that a program can ask for many positions at once. With --nodes or --depth, an
/// answer does not depend on earlier ones.
#[derive(clap::Args, Debug)]
#[command(mut_arg("time", |time| time.help("Time per position [default: 1s, unless --nodes or --depth is given]")))]
#[command(after_help = examples!(
    "kelso best W:WK15,24:B4,K6,12",
    "kelso best --file positions.txt --nodes 100000 --concurrency 2",
    "kelso best --json --concurrency 2 < requests.jsonl > answers.jsonl"
))]
pub struct Args {
    /// Positions as FENs, or startpos for the starting position [default: the lines of standard input]
    #[arg(value_name = "FEN")]
    positions: Vec<String>,
    #[command(flatten)]
    moves: Moves,
    /// Read positions from the lines of FILE, or - for standard input; can be repeated
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Search depth per position, in plies
    #[arg(long, value_name = "N", value_parser = within(1..=MAX_DEPTH), group = "limit")]
    depth: Option<usize>,
    /// End every search after this time, whatever a request asks for
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Number of best moves per position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1..=MAX_LINES))]
    lines: usize,
    /// Playing strength: 1 (weakest) to 10 [default: full strength]
    #[arg(long, value_name = "N", value_parser = within(1..=Level::HIGHEST))]
    level: Option<usize>,
    /// Number of positions to search concurrently
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1..=1024_u16))]
    concurrency: u16,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    json: Json,
    /// With --json, answer in the order of the requests, not as soon as each answer is found
    #[arg(long, requires = "json")]
    in_order: bool,
}

pub fn run(args: &Args) -> Outcome {
    let settings = args.settings.read()?;
    let threads = 0..args.concurrency;
    let workers = threads.map(|_| Worker::new(settings.clone())).collect::<Result<Vec<_>, _>>()?;
    let open = Arc::new(OpenRequests::default());
    let (sender, jobs) = mpsc::channel();
    let reader = args.reader(sender, Arc::clone(&open))?;
    // No thread is joined, since it may wait for input when the output can no longer be written.
    thread::Builder::new().spawn(move || reader.read()).context("cannot start a thread")?;
    let jobs = Arc::new(Mutex::new(jobs));
    let (sender, answers) = mpsc::channel();
    for worker in workers {
        let jobs = Arc::clone(&jobs);
        let answers = sender.clone();
        thread::Builder::new().spawn(move || worker.run(&jobs, &answers)).context("cannot start a thread")?;
    }
    drop(sender);
    let mut output = AnswerOutput {
        out: LineWriter::new(stdout()),
        form: args.json,
        waiting: (args.in_order || !args.json.json).then(InOrder::default),
        open,
        has_failed: false,
    };
    for answer in answers {
        output.add(answer)?;
    }
    output.out.flush()?;
    Ok(Status::from(!output.has_failed))
}

impl Args {
    /// Returns the reader of all requests, once all files are open.
    fn reader(&self, jobs: Sender<Job>, open: Arc<OpenRequests>) -> anyhow::Result<Reader> {
        let limits = self.limits.limits(self.depth, Duration::from_secs(1));
        let defaults = Defaults {
            limits,
            lines: self.lines,
            level: self.level.and_then(Level::new),
            max_time: self.max_time,
        };
        ensure!(
            !self.positions.is_empty() || self.moves.is_empty(),
            "--moves needs a position as an argument"
        );
        let mut given = Vec::new();
        for text in &self.positions {
            let request = defaults.of_fen(text)?;
            given.push(defaults.search(self.moves.game(*request.game.position())?));
        }
        let mut inputs = self.files.iter().map(RequestInput::open).collect::<anyhow::Result<Vec<_>>>()?;
        if given.is_empty() && inputs.is_empty() {
            ensure!(
                !stdin().is_terminal(),
                "no positions: give FENs, --file FILE, or lines on standard input"
            );
            inputs.push(RequestInput::standard());
        }
        if inputs.iter().filter(|input| input.name == STANDARD_INPUT).count() > 1 {
            bail!("standard input can be read only once");
        }
        Ok(Reader { defaults, is_json: self.json.json, given, inputs, jobs, open, count: 0 })
    }
}

const STANDARD_INPUT: &str = "standard input";

/// A file with requests.
struct RequestInput {
    name: String,
    lines: Box<dyn BufRead + Send>,
}

impl RequestInput {
    fn open(path: &PathBuf) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::standard());
        }
        let cannot_read = || format!("cannot read \"{}\"", path.display());
        ensure!(!path.is_dir(), "{}: it is a folder", cannot_read());
        let file = File::open(path).with_context(cannot_read)?;
        Ok(Self { name: path.display().to_string(), lines: Box::new(BufReader::new(file)) })
    }

    fn standard() -> Self {
        Self { name: STANDARD_INPUT.to_owned(), lines: Box::new(BufReader::new(stdin())) }
    }
}

/// A request with the number of its answer, or what is wrong with it.
struct Job {
    number: usize,
    id: Value,
    /// Where the request is.
    place: String,
    request: Result<Box<SearchRequest>, String>,
    stop: StopToken,
}

/// The thread that reads requests, and stops those that need not be answered in full.
struct Reader {
    defaults: Defaults,
    is_json: bool,
    given: Vec<SearchRequest>,
    inputs: Vec<RequestInput>,
    jobs: Sender<Job>,
    open: Arc<OpenRequests>,
    count: usize,
}

impl Reader {
    fn read(mut self) {
        for request in std::mem::take(&mut self.given) {
            self.submit(Value::Null, "arguments".to_owned(), Ok(Box::new(request)));
        }
        for RequestInput { name, lines } in std::mem::take(&mut self.inputs) {
            let mut number = 0;
            read_lines(lines, |line| {
                number += 1;
                let place = format!("{name}:{number}");
                match line {
                    InputLine::Line(text) => self.read_line(text.trim(), place),
                    InputLine::TooLong => {
                        self.fail(Value::Null, "the line is longer than 1 MiB".to_owned(), place)
                    }
                    InputLine::End(None) => true,
                    InputLine::End(Some(error)) => {
                        self.fail(Value::Null, format!("cannot read the input: {error}"), place)
                    }
                }
            });
        }
    }

    /// Reads a line. Returns `false` if answers are no longer written.
    fn read_line(&mut self, text: &str, place: String) -> bool {
        if text.is_empty() || text.starts_with('#') {
            return true;
        }
        if !self.is_json {
            return match self.defaults.of_fen(text) {
                Ok(request) => self.submit(Value::Null, place, Ok(Box::new(request))),
                Err(error) => self.fail(Value::Null, error.to_string(), place),
            };
        }
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return self.fail(Value::Null, format!("invalid JSON: {error}"), place),
        };
        let id = value.get("id").cloned().unwrap_or(Value::Null);
        match self.defaults.of_json(&value) {
            Ok(BestCommand::Search(request)) => self.submit(id, place, Ok(request)),
            Ok(BestCommand::Stop) => {
                self.open.stop(&id);
                true
            }
            Err(error) => self.fail(id, error.to_string(), place),
        }
    }

    fn fail(&mut self, id: Value, error: String, place: String) -> bool {
        self.submit(id, place, Err(error))
    }

    fn submit(&mut self, id: Value, place: String, request: Result<Box<SearchRequest>, String>) -> bool {
        let (number, stop) = (self.count, self.open.open(self.count, id.clone()));
        self.count += 1;
        self.jobs.send(Job { number, id, place, request, stop }).is_ok()
    }
}

/// A thread that searches.
struct Worker {
    settings: EngineSettings,
    /// An engine for each level and size of the table so far, since levels have other databases.
    engines: Vec<((Option<Level>, usize), Engine)>,
}

impl Worker {
    /// Creates the engine of full strength, which shows whether the settings can be used.
    fn new(settings: EngineSettings) -> anyhow::Result<Self> {
        let mut worker = Self { settings, engines: Vec::new() };
        worker.engine(None, HASH)?;
        Ok(worker)
    }

    fn engine(&mut self, level: Option<Level>, hash: usize) -> anyhow::Result<&mut Engine> {
        let key = (level, hash);
        if let Some(index) = self.engines.iter().position(|(of, _)| *of == key) {
            return Ok(&mut self.engines[index].1);
        }
        let mut engine = Engine::new(self.settings.clone().with_default(Setting::Hash(hash)))?;
        if level.is_some() {
            engine.apply(Setting::Level(level))?;
        }
        engine.apply(Setting::ShowWdl(true))?;
        self.engines.push((key, engine));
        Ok(&mut self.engines.last_mut().context("an engine was just added")?.1)
    }

    /// Answers requests until there are no more, or the program is about to exit.
    fn run(mut self, jobs: &Mutex<Receiver<Job>>, answers: &Sender<Answer>) {
        iter::from_fn(|| lock(jobs).recv().ok()).for_each(|job| drop(answers.send(self.answer(job))));
    }

    fn answer(&mut self, job: Job) -> Answer {
        let Job { number, id, place, request, stop } = job;
        let search = |request: Box<SearchRequest>| {
            catch_unwind(AssertUnwindSafe(|| self.search(&request, &stop)))
                .map_err(|_| "the search has failed; standard error says why".to_owned())?
                .map_err(|error| error.to_string())
        };
        let result = request
            .and_then(search)
            .map_or_else(|error| RequestOutcome::Failed(Failed { error, place }), RequestOutcome::Found);
        Answer { number, id, result }
    }

    fn search(&mut self, request: &SearchRequest, stop: &StopToken) -> anyhow::Result<Found> {
        let is_small = request.limits.nodes.is_some_and(|nodes| nodes <= SMALL_NODES);
        let engine = self.engine(request.level, if is_small { SMALL_HASH } else { HASH })?;
        engine.apply(Setting::MultiPv(request.lines))?;
        engine.new_game();
        let answer = engine.search(&request.game, &request.limits, &Control::stopped_by(stop), &mut |_| {});
        Ok(Found::new(request, &answer))
    }
}

/// The answers written so far.
struct AnswerOutput {
    out: LineWriter<io::Stdout>,
    form: Json,
    /// The answers that wait for earlier ones, if they are written in order.
    waiting: Option<InOrder<Answer>>,
    open: Arc<OpenRequests>,
    has_failed: bool,
}

impl AnswerOutput {
    fn add(&mut self, answer: Answer) -> io::Result<()> {
        let Some(waiting) = &mut self.waiting else { return self.write(&answer) };
        let ready: Vec<_> = waiting.add(answer.number, answer).collect();
        ready.iter().try_for_each(|answer| self.write(answer))
    }

    fn write(&mut self, answer: &Answer) -> io::Result<()> {
        self.open.close(answer.number);
        if let RequestOutcome::Failed(_) = answer.result {
            self.has_failed = true;
        }
        if self.form.json {
            return writeln!(self.out, "{}", serde_json::to_string(answer)?);
        }
        match &answer.result {
            RequestOutcome::Found(found) => self.out.write_all(found.text().as_bytes()),
            RequestOutcome::Failed(Failed { error, place }) => {
                say(&format!("{place}: error: {error}"));
                Ok(())
            }
        }
    }
}
