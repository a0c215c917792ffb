//! A client that checks every line from its engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::conformance::{self, Conformance};
use super::failure::{Cause, Checked, Failure};
use crate::client::EngineClient;
use crate::player::{Fault, FaultKind, PlayerError};
use crate::spec::EngineSpec;
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::record::SearchInfo;
use kelso_engine::search::Limits;
use kelso_process::Process;
use kelso_protocol::{Client, GoParams, Reply, Verb};
use kelso_runtime::stop::{OnStop, StopToken};

/// Time within which an engine must stop a search.
pub(super) const STOP_TIME: Duration = Duration::from_millis(500);

/// Time within which a second move, or the move after a faulty line, would arrive.
const SECOND_MOVE_TIME: Duration = Duration::from_millis(20);

/// A client that reports every fault of its engine, where other clients skip irrelevant lines.
pub(super) struct CheckedEngine {
    pub(super) client: EngineClient,
    pub(super) protocol: &'static dyn Client,
    pub(super) spec: EngineSpec,
    stop: StopToken,
    /// Kills the engine if the check is stopped.
    _killing: OnStop,
}

/// The end of a search: legal moves.
pub(super) struct CheckedMove {
    pub(super) mv: Option<Move>,
    pub(super) ponder: Option<Move>,
    pub(super) info: SearchInfo,
    pub(super) time: Duration,
}

impl CheckedMove {
    pub(super) fn with_move(self, what: &str) -> Checked<Self> {
        if self.mv.is_none() { Err(format!("no move in {what}").into()) } else { Ok(self) }
    }
}

impl CheckedEngine {
    pub(super) fn start(spec: &EngineSpec, stop: &StopToken) -> Checked<Self> {
        let process =
            Process::spawn(&spec.command).map_err(|error| Failure::new(Cause::Start, error.to_string()))?;
        let killing = stop.on_stop(process.killer());
        let client = EngineClient::connect(spec, Arc::new(process), None, stop, &|_| ())
            .map_err(|error| Failure::of(&error))?;
        let protocol = spec.protocol.client();
        let spec = spec.clone();
        Ok(Self { client, protocol, spec, stop: stop.clone(), _killing: killing })
    }

    pub(super) const fn conformance(&self) -> &'static Conformance {
        conformance::of(self.spec.protocol)
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.client.process().wait_until(Instant::now()), Ok(None))
    }

    /// Describes an error. After a crash, the description includes the output on stderr.
    fn describe(&self, error: PlayerError) -> Failure {
        match error {
            PlayerError::Fault(Fault { kind: FaultKind::Crash, .. }) => {
                // The output on stderr is complete once the process has exited.
                self.client.process().kill();
                Failure::of(&self.client.with_stderr(error))
            }
            error => Failure::of(&error),
        }
    }

    pub(super) fn send(&self, lines: &str) -> Checked<()> {
        self.client.send(lines, Instant::now() + self.spec.timeout).map_err(|error| self.describe(error))
    }

    /// Sends a command without arguments.
    pub(super) fn command(&self, verb: Verb) -> Checked<()> {
        self.send(self.protocol.verb(verb))
    }

    /// Reads lines, with their times of arrival, until one yields a value. Returns `None` after a timeout.
    fn replies<T>(
        &self,
        time: Duration,
        read: impl FnMut(&str, Reply<'_>, Instant) -> Option<T>,
    ) -> Checked<Option<T>> {
        self.client.replies(Instant::now() + time, &self.stop, read).map_err(|error| self.describe(error))
    }

    /// Sends a ping and waits for the answer. Returns the lines before it.
    pub(super) fn ping(&self) -> Checked<Vec<String>> {
        self.command(Verb::Ping)?;
        let mut lines = Vec::new();
        let end = self.replies(self.spec.timeout, |line, reply, _| {
            let is_last = reply == Reply::Ready;
            if !is_last {
                lines.push(line.to_owned());
            }
            is_last.then_some(())
        })?;
        let ping = self.protocol.verb(Verb::Ping);
        let seconds = self.spec.timeout.as_secs_f64();
        match end {
            Some(()) => Ok(lines),
            None => Err(Failure::new(Cause::Silence, format!("no answer to \"{ping}\" within {seconds} s"))),
        }
    }

    /// Sends a ping. Fails if a move arrives before the answer.
    pub(super) fn ping_without_move(&self, after: &str) -> Checked<()> {
        match self.ping()?.iter().find(|line| self.is_best_move(line)) {
            Some(line) => Err(format!("unexpected \"{line}\" after {after}").into()),
            None => Ok(()),
        }
    }

    pub(super) fn is_best_move(&self, line: &str) -> bool {
        matches!(self.protocol.parse_reply(line), Reply::BestMove { .. })
    }

    pub(super) fn search(&self, game: &Game, go: &GoParams) -> Checked<CheckedMove> {
        let time = go.time(game.position().side());
        let allowed = time.map_or(self.spec.timeout, |time| time.saturating_add(self.spec.margin));
        if let Some(line) = self.move_within(SECOND_MOVE_TIME)? {
            return Err(format!("a second move after a search: \"{line}\"").into());
        }
        self.ask(&self.protocol.search(game, go), game, allowed)
    }

    /// Searches to depth 1.
    pub(super) fn quick_search(&self, game: &Game) -> Checked<CheckedMove> {
        self.search(game, &Limits::depth(1).into())
    }

    pub(super) fn stop(&self, game: &Game) -> Checked<CheckedMove> {
        self.ask(self.protocol.verb(Verb::Stop), game, self.spec.margin + STOP_TIME)
    }

    /// Sends lines that start a search, waits for the move, and checks every line before it.
    pub(super) fn ask(&self, lines: &str, game: &Game, allowed: Duration) -> Checked<CheckedMove> {
        let start = Instant::now();
        let request = lines.replace('\n', "\" \"");
        self.send(lines)?;
        let mut info = SearchInfo::default();
        // Wait longer than allowed, to distinguish a late answer from a missing one.
        let answer = self.replies(allowed + self.spec.timeout, |line, reply, arrived| match reply {
            Reply::Info(later, _) => {
                info.update(later);
                (self.conformance().check_info)(line).err().map(Err)
            }
            // If there is no legal move, an engine may report an error first.
            Reply::Error(_) if !game.position().can_move() => None,
            Reply::Error(text) => Some(Err(format!("\"{request}\" was refused: \"{text}\"").into())),
            Reply::BestMove { mv, ponder } => {
                Some(self.legal_moves(game, [mv, ponder], line).map(|moves| (moves, arrived)))
            }
            Reply::Ready | Reply::Other => None,
        })?;
        let Some(answer) = answer else {
            return Err(Failure::new(Cause::Silence, format!("no answer to \"{request}\"")));
        };
        let ([mv, ponder], arrived) = answer?;
        let time = arrived.saturating_duration_since(start);
        if time > allowed {
            let time = time.as_secs_f64();
            let allowed = allowed.as_secs_f64();
            let reason = format!("\"{request}\" took {time:.3} s; the limit is {allowed:.3} s");
            return Err(reason.into());
        }
        Ok(CheckedMove { mv, ponder, info, time })
    }

    /// Parses the move and the expected reply in a line.
    fn legal_moves(
        &self,
        game: &Game,
        [mv, ponder]: [Option<&str>; 2],
        line: &str,
    ) -> Checked<[Option<Move>; 2]> {
        let Some(mv) = mv else { return Ok([None, None]) };
        let mv = self.parse_move(game.position(), mv, line)?;
        let after = game.position().after(mv);
        let ponder = ponder.map(|reply| self.parse_move(&after, reply, line)).transpose()?;
        Ok([Some(mv), ponder])
    }

    fn parse_move(&self, position: &Position, text: &str, line: &str) -> Checked<Move> {
        let parsed = self.protocol.parse_move(position, text);
        parsed.map_err(|error| format!("\"{line}\": {error}").into())
    }

    /// Stops the engine. If it was still searching, returns its move.
    pub(super) fn move_after_stop(&self) -> Option<String> {
        if self.move_within(SECOND_MOVE_TIME).ok()?.is_some() {
            return None;
        }
        self.command(Verb::Stop).ok()?;
        self.move_within(self.spec.margin.max(STOP_TIME)).ok()?
    }

    /// Starts a search. If the protocol forbids the search to end on its own, waits for `time` to check that
    /// it does not.
    pub(super) fn start_search(&self, game: &Game, go: &GoParams, time: Duration) -> Checked<()> {
        let lines = self.protocol.search(game, go);
        self.send(&lines)?;
        if !self.conformance().searches_until_stopped {
            return Ok(());
        }
        match self.move_within(time)? {
            Some(line) => {
                let request = lines.lines().last().unwrap_or(&lines);
                Err(format!("\"{request}\" was answered at once by \"{line}\"").into())
            }
            None => Ok(()),
        }
    }

    /// Returns the engine's first `bestmove` line, or `None` if there is none within the given time.
    fn move_within(&self, time: Duration) -> Checked<Option<String>> {
        self.replies(time, |line, reply, _| matches!(reply, Reply::BestMove { .. }).then(|| line.to_owned()))
    }
}
