//! Compliance checks: whether an engine does what its protocol requires, for authors of any engine.
//!
//! Each step checks one requirement. When it fails, it reports the reason and a likely cause, and the next steps run with
//! a new process. An engine that leaves two steps in a row without an answer is not asked further. Some steps are required of every engine that plays matches, the others are optional. Like a client, a
//! step sees nothing of the engine but its output.

mod cases;
mod failure;
mod steps;

use engine::search::Limits;
use std::time::{Duration, Instant};

use crate::client::EngineClient;
use crate::game::{Fault, PlayerError};
use crate::process::Process;
use crate::spec::EngineSpec;
use draughts::board::{Game, Move};
use draughts::referee::EndReason;
use failure::{Cause, Failure};
use protocol::{Client, Command, GoParams, Info, Reply};
use runs::stop::{OnStop, StopToken};

pub use steps::{STEPS, Step};

type Result<T> = std::result::Result<T, Failure>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepResult {
    /// The step passed; a summary.
    Passed(String),
    Failed {
        reason: String,
        /// The likely cause.
        hint: String,
    },
    /// The step does not apply; the reason.
    Skipped(&'static str),
}

/// The number of steps in a row without an answer after which the remaining steps are skipped.
const MAX_SILENT_STEPS: usize = 2;

/// Runs all steps, and calls `on_start` before each and `report` after it. Ends early if it is stopped, which also kills
/// the engine.
pub fn run(
    spec: &EngineSpec,
    interrupt: &StopToken,
    on_start: impl Fn(&Step),
    mut report: impl FnMut(&Step, StepResult),
) {
    let (mut engine, mut silent_steps) = (None, 0);
    for (number, step) in STEPS.iter().enumerate() {
        on_start(step);
        let result = run_step(step, spec, interrupt, &mut engine);
        if interrupt.is_stopped() {
            break;
        }
        let is_silent = result.as_ref().is_err_and(|failure| failure.cause() == Some(&Cause::Silence));
        silent_steps = if is_silent { silent_steps + 1 } else { 0 };
        // Without a handshake the remaining steps are pointless.
        let is_last = silent_steps == MAX_SILENT_STEPS || number == 0 && result.is_err();
        report(step, step_result(step, result));
        if is_last {
            break;
        }
    }
}

fn step_result(step: &Step, result: Result<String>) -> StepResult {
    match result {
        Ok(seen) => StepResult::Passed(seen),
        Err(Failure::Skipped(reason)) => StepResult::Skipped(reason),
        Err(Failure::Failed { reason, cause }) => StepResult::Failed { reason, hint: step.hint_for(&cause) },
    }
}

/// Runs a step with the engine of the previous step, unless that failed or has ended the engine, or with a new one.
fn run_step(
    step: &Step,
    spec: &EngineSpec,
    interrupt: &StopToken,
    running: &mut Option<TestedEngine>,
) -> Result<String> {
    let mut engine = running.take().map_or_else(|| TestedEngine::start(spec, interrupt), Ok)?;
    match (step.run)(&mut engine) {
        Err(Failure::Failed { reason, cause: cause @ (Cause::Answer | Cause::Silence) }) => {
            Err(Failure::new(engine.move_after_stop().map_or(cause, Cause::Searching), reason))
        }
        Err(failure @ Failure::Failed { .. }) => Err(failure),
        result => {
            *running = Some(engine).filter(TestedEngine::is_running);
            result
        }
    }
}

/// The time that an engine has to stop a search.
const STOP_TIME: Duration = Duration::from_millis(500);

struct TestedEngine {
    engine: EngineClient,
    client: &'static dyn Client,
    spec: EngineSpec,
    stop: StopToken,
    /// Kills the engine when the check is stopped.
    _killing: OnStop,
}

struct Search {
    mv: Option<Move>,
    ponder: Option<Move>,
    info: Info,
    time: Duration,
}

impl Search {
    fn with_move(self, what: &str) -> Result<Self> {
        if self.mv.is_none() { Err(format!("no move in {what}").into()) } else { Ok(self) }
    }
}

impl TestedEngine {
    fn start(spec: &EngineSpec, stop: &StopToken) -> Result<Self> {
        let process =
            Process::spawn(&spec.command).map_err(|error| Failure::new(Cause::Start, error.to_string()))?;
        let killing = stop.on_stop(process.killer());
        let engine =
            EngineClient::connect(spec, process, stop, &|_| ()).map_err(|error| Failure::of(&error))?;
        Ok(Self {
            engine,
            client: spec.protocol.client(),
            spec: spec.clone(),
            stop: stop.clone(),
            _killing: killing,
        })
    }

    fn is_running(&self) -> bool {
        matches!(self.engine.process.wait_until(Instant::now()), Ok(None))
    }

    /// Describes an error, with stderr after a crash.
    fn describe(&self, error: PlayerError) -> Failure {
        match error {
            PlayerError::Fault(Fault { reason: EndReason::Crash, .. }) => {
                // Stderr is complete once the process has ended.
                self.engine.process.kill();
                Failure::of(&self.engine.with_stderr(error))
            }
            error => Failure::of(&error),
        }
    }

    fn send(&self, line: &str) -> Result<()> {
        self.engine.send(line, Instant::now() + self.spec.timeout).map_err(|error| self.describe(error))
    }

    /// Returns the next line and its time of arrival, or none at the deadline.
    fn line(&self, deadline: Instant, lines: &mut u32) -> Result<Option<(String, Instant)>> {
        self.engine.line(deadline, &self.stop, lines).map_err(|error| self.describe(error))
    }

    /// Sends a ping, waits for the answer, and returns the lines before it.
    fn ping(&self) -> Result<Vec<String>> {
        let ping = self.client.verb(&Command::Ping);
        self.send(ping)?;
        let deadline = Instant::now() + self.spec.timeout;
        let (mut lines, mut count) = (Vec::new(), 0);
        while let Some((line, _)) = self.line(deadline, &mut count)? {
            if self.client.parse_reply(&line) == Reply::Ready {
                return Ok(lines);
            }
            lines.push(line);
        }
        let seconds = self.spec.timeout.as_secs_f64();
        Err(Failure::new(Cause::Silence, format!("no answer to \"{ping}\" within {seconds} s")))
    }

    /// Sends a ping, and fails if a move comes before the answer.
    fn ping_without_move(&self, after: &str) -> Result<()> {
        let lines = self.ping()?;
        match lines.iter().find(|line| self.is_best_move(line)) {
            Some(line) => Err(format!("unexpected \"{line}\" after {after}").into()),
            None => Ok(()),
        }
    }

    fn is_best_move(&self, line: &str) -> bool {
        matches!(self.client.parse_reply(line), Reply::BestMove { .. })
    }

    fn search(&self, state: &Game, go: &GoParams) -> Result<Search> {
        let time = go.time(state.position().side());
        let allowed = time.map_or(self.spec.timeout, |time| time.saturating_add(self.spec.margin));
        self.ask(&self.client.search(state, go), state, allowed)
    }

    /// Searches to depth 1.
    fn quick_search(&self, state: &Game) -> Result<Search> {
        self.search(state, &Limits::depth(1).into())
    }

    fn stop(&self, state: &Game) -> Result<Search> {
        self.ask("stop", state, self.spec.margin + STOP_TIME)
    }

    /// Sends lines that lead to a move, waits for it and checks every line before.
    fn ask(&self, lines: &str, state: &Game, allowed: Duration) -> Result<Search> {
        let start = Instant::now();
        self.send(lines)?;
        let request = lines.replace('\n', "\" \"");
        // Longer than allowed, so that a late answer is distinguished from a missing one.
        let deadline = start + allowed + self.spec.timeout;
        let (mut info, mut count) = (Info::default(), 0);
        loop {
            let Some((line, arrived)) = self.line(deadline, &mut count)? else {
                return Err(Failure::new(Cause::Silence, format!("no answer to \"{request}\"")));
            };
            match self.client.parse_reply(&line) {
                Reply::Info(later, _) => {
                    self.client.check_info(&line)?;
                    info.update(later);
                }
                // Without a legal move, an engine may report an error first.
                Reply::Error(_) if !state.position().can_move() => {}
                Reply::Error(text) => return Err(format!("\"{request}\" was refused: \"{text}\"").into()),
                Reply::BestMove { mv, ponder } => {
                    let time = arrived.saturating_duration_since(start);
                    if time > allowed {
                        let (time, allowed) = (time.as_secs_f64(), allowed.as_secs_f64());
                        return Err(format!(
                            "\"{request}\" took {time:.3} s, at most {allowed:.3} s are allowed"
                        )
                        .into());
                    }
                    let parse = |position, text| {
                        self.client.parse_move(position, text).map_err(|error| format!("\"{line}\": {error}"))
                    };
                    let mv = mv.map(|text| parse(state.position(), text)).transpose()?;
                    let ponder = match (mv, ponder) {
                        (Some(mv), Some(text)) => Some(parse(&state.position().after(mv), text)?),
                        _ => None,
                    };
                    return Ok(Search { mv, ponder, info, time });
                }
                Reply::Ready | Reply::Other => {}
            }
        }
    }

    /// Stops the engine, and returns the move that it gives if it was still searching.
    fn move_after_stop(&self) -> Option<String> {
        self.send("stop").ok()?;
        self.move_within(self.spec.margin.max(STOP_TIME)).ok()?
    }

    fn expect_no_move_for(&self, time: Duration, request: &str) -> Result<()> {
        match self.move_within(time)? {
            Some(line) => Err(format!("\"{request}\" was answered at once by \"{line}\"").into()),
            None => Ok(()),
        }
    }

    /// Returns the line of the first move that comes within a time.
    fn move_within(&self, time: Duration) -> Result<Option<String>> {
        let (deadline, mut lines) = (Instant::now() + time, 0);
        while let Some((line, _)) = self.line(deadline, &mut lines)? {
            if self.is_best_move(&line) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }
}
