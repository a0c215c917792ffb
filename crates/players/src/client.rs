//! An engine at the board: a child process with a language, asked for one move after the other.

use std::fmt;
use std::time::{Duration, Instant};

use super::game::{Player, Turn};
use super::protocol::{Identity, Info, Reply, Task};
use super::spec::EngineSpec;
use super::state::GameState;
use crate::process::{Event, Process, SendError};
use common::stop::StopToken;
use draughts::board::{Move, Position};
use draughts::notation::syntax::Quoted;
use draughts::referee::Reason;

/// How long an engine that is late may take to answer `stop`, before it counts as hanging.
const GRACE: Duration = Duration::from_secs(1);
/// How often a waiting thread looks up whether the match is being stopped.
const GLANCE: Duration = Duration::from_millis(100);
/// How long after the end of an engine the match may still hear that it is being stopped.
const HEARSAY: Duration = Duration::from_millis(250);
/// How long an engine is waited for without a word about it.
const SILENCE: Duration = Duration::from_secs(2);
/// Lines that an engine may print in one search.
const MOST_LINES: u32 = 200_000;

/// Called with status messages.
pub type OnStatus = dyn Fn(&str) + Sync;

/// What a player has found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// Its move.
    pub mv: Move,
    /// The reply that it expects.
    pub ponder: Option<Move>,
    /// What it said on the way.
    pub info: Info,
    /// The line that begins with the move, as far as it has told one and its moves are legal.
    pub line: Vec<Move>,
    /// How long it took.
    pub time: Duration,
}

/// Why an engine gave no move that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// It misbehaved and loses.
    Fault(Fault),
    /// The match is being stopped; nobody loses.
    Stopped,
}

/// How an engine misbehaved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind.
    pub reason: Reason,
    /// In full.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.detail)
    }
}

fn fault(reason: Reason, detail: impl Into<String>) -> NoAnswer {
    NoAnswer::Fault(Fault { reason, detail: detail.into() })
}

/// A running engine: a child process that speaks a protocol.
#[derive(Debug)]
pub struct EngineClient {
    spec: EngineSpec,
    process: Process,
    identity: Identity,
    /// The reply on which it ponders at the moment.
    pondering: Option<Move>,
    /// What it has complained about since it was asked last.
    complaint: Option<String>,
}

impl NoAnswer {
    /// There is no move where one was expected.
    #[must_use]
    pub fn no_move() -> Self {
        fault(Reason::IllegalMove, "gave no move, expected one")
    }

    /// What it is when the match is being stopped. A scheduler, or a terminal, tells engines to end along with the
    /// match, and they may go first: that is nobody's loss.
    #[must_use]
    pub fn unless_stopped(self, stop: &StopToken) -> Self {
        if !matches!(&self, Self::Fault(fault) if fault.reason == Reason::Crash) {
            return self;
        }
        let deadline = Instant::now() + HEARSAY;
        while !stop.is_stopped() && Instant::now() < deadline {
            std::thread::sleep(HEARSAY / 25);
        }
        if stop.is_stopped() { Self::Stopped } else { self }
    }
}

impl SearchResult {
    /// A move of which nothing else is known.
    #[must_use]
    pub fn of(mv: Move) -> Self {
        Self { mv, ponder: None, info: Info::default(), line: vec![mv], time: Duration::ZERO }
    }
}

impl Player for EngineClient {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, NoAnswer> {
        let limits = self.spec.limits;
        let task = Task { limits: &limits, clocks: turn.clocks, side: turn.state.position().side() };
        self.think(turn.state, &task, turn.stop)
    }

    fn ponder(&mut self, turn: &Turn<'_>, reply: Move) -> Result<(), NoAnswer> {
        let mut expected = turn.state.clone();
        expected.play(reply);
        if !self.spec.ponder || expected.game().outcome().is_some() {
            return Ok(());
        }
        self.refuse_extra_moves()?;
        let limits = self.spec.limits;
        let task = Task { limits: &limits, clocks: turn.clocks, side: expected.position().side() };
        let lines = self.spec.protocol.ask_to_ponder(&expected, &task);
        self.send(&lines, Instant::now() + limits.timeout)?;
        self.pondering = Some(reply);
        Ok(())
    }
}

impl EngineClient {
    /// Starts an engine and waits until it is ready.
    ///
    /// # Errors
    ///
    /// When it can't be started, or does not introduce itself as its protocol asks.
    pub fn start(spec: &EngineSpec, stop: &StopToken, tell: &OnStatus) -> Result<Self, NoAnswer> {
        let process =
            Process::spawn(&spec.command).map_err(|error| fault(Reason::Crash, error.to_string()))?;
        let mut player = Self {
            spec: spec.clone(),
            process,
            identity: Identity::default(),
            pondering: None,
            complaint: None,
        };
        player.shake_hands(stop, tell).map_err(|failure| match failure {
            NoAnswer::Fault(Fault { reason, detail }) => {
                let stderr = player.stderr();
                let said = if stderr.is_empty() { String::new() } else { format!("; stderr: {stderr}") };
                fault(reason, format!("{detail}{said}"))
            }
            NoAnswer::Stopped => NoAnswer::Stopped,
        })?;
        Ok(player)
    }

    /// What it said of itself.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The end of what it wrote to stderr, on one line.
    #[must_use]
    pub fn stderr(&self) -> String {
        let text = self.process.stderr_end();
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | ")
    }

    fn shake_hands(&mut self, stop: &StopToken, tell: &OnStatus) -> Result<(), NoAnswer> {
        let protocol = self.spec.protocol;
        let deadline = Instant::now() + self.spec.limits.timeout;
        self.send(protocol.greeting(), deadline)?;
        let mut identity = Identity::default();
        let what = format!("answer \"{}\" as the {} protocol asks", protocol.greeting(), protocol.name());
        self.wait(deadline, stop, tell, &what, |line| protocol.introduce(line, &mut identity))?;
        self.identity = identity;
        let known = |name: &str| self.identity.options.iter().any(|option| option.eq_ignore_ascii_case(name));
        if let Some((name, _)) = self.spec.options.iter().find(|(name, _)| !known(name)) {
            let options = self.identity.options.join(", ");
            return Err(fault(Reason::Crash, format!("has no option \"{name}\", expected one of {options}")));
        }
        let mut lines: Vec<String> =
            self.spec.options.iter().map(|(name, value)| protocol.set_option(name, value)).collect();
        lines.push(protocol.initialise().to_owned());
        self.send(&lines.join("\n"), deadline)?;
        match self.wait_until_ready(deadline, stop, tell)? {
            // What it plays with now is not what it was told to.
            Some(complaint) => Err(fault(Reason::Crash, format!("refuses its options: {complaint}"))),
            None => Ok(()),
        }
    }

    /// Waits for the answer to a ping that has been sent, and returns the first thing about which the engine complains
    /// before it.
    fn wait_until_ready(
        &mut self,
        deadline: Instant,
        stop: &StopToken,
        tell: &OnStatus,
    ) -> Result<Option<String>, NoAnswer> {
        let protocol = self.spec.protocol;
        let mut complaint = None;
        self.wait(deadline, stop, tell, "say that it is ready", |line| match protocol.understand(line) {
            Reply::Ready => true,
            Reply::Error(text) => {
                complaint.get_or_insert_with(|| text.to_owned());
                false
            }
            _ => false,
        })?;
        Ok(complaint)
    }

    /// Announces a new game and waits until the engine is ready for it. The seed is for engines that have an option of
    /// that name, so that what they leave to chance is fixed too.
    ///
    /// # Errors
    ///
    /// When the engine misbehaves.
    pub fn new_game(&mut self, seed: u64, stop: &StopToken, tell: &OnStatus) -> Result<(), NoAnswer> {
        let protocol = self.spec.protocol;
        self.stop_pondering(stop)?;
        let deadline = Instant::now() + self.spec.limits.timeout;
        let mut lines = String::new();
        if self.identity.options.iter().any(|name| name == "Seed")
            && !self.spec.options.iter().any(|(name, _)| name == "Seed")
        {
            // Thirty-one bits fit whatever type the engine reads it into.
            lines = protocol.set_option("Seed", &(seed & 0x7fff_ffff).to_string());
            lines.push('\n');
        }
        self.send(&format!("{lines}{}\n{}", protocol.new_game(), protocol.ping()), deadline)?;
        // Nobody has asked for the seed: an engine that does not take ours plays nevertheless.
        self.wait_until_ready(deadline, stop, tell).map(drop)
    }

    /// Asks for a move within limits of the caller's.
    ///
    /// # Errors
    ///
    /// When the engine misbehaves, or the match is being stopped.
    pub fn think(
        &mut self,
        state: &GameState,
        task: &Task<'_>,
        stop: &StopToken,
    ) -> Result<SearchResult, NoAnswer> {
        self.complaint = None;
        let thought = self.answer_to(state, task, stop);
        thought.map_err(|failure| match (failure, self.complaint.take()) {
            // A position that it has refused explains the move that it gives then.
            (NoAnswer::Fault(Fault { reason, detail }), Some(complaint)) => {
                fault(reason, format!("{detail}; it said: {complaint}"))
            }
            (failure, _) => failure,
        })
    }

    fn answer_to(
        &mut self,
        state: &GameState,
        task: &Task<'_>,
        stop: &StopToken,
    ) -> Result<SearchResult, NoAnswer> {
        let protocol = self.spec.protocol;
        let hit = self.pondering.is_some() && self.pondering == state.last();
        if !hit {
            self.stop_pondering(stop)?;
            self.refuse_extra_moves()?;
        }
        let limits = self.spec.limits;
        let allowed = task.time();
        let line = if hit { protocol.ponder_hit().to_owned() } else { protocol.ask(state, task) };
        let began = Instant::now();
        let deadline = began + allowed.map_or(limits.timeout, |time| time.saturating_add(limits.margin));
        self.pondering = None;
        self.send(&line, deadline.max(began + GRACE))?;
        let Some(Answer { mv: text, ponder, info, line, arrived }) = self.answer(deadline, stop)? else {
            return Err(self.overdue(began, allowed, stop));
        };
        let time = arrived.saturating_duration_since(began);
        if let Some(allowed) = allowed
            && time > allowed.saturating_add(limits.margin)
        {
            return Err(late(time, allowed));
        }
        let Some(text) = text else {
            return Err(NoAnswer::no_move());
        };
        let mv =
            protocol.read_move(state.position(), &text).map_err(|error| fault(Reason::IllegalMove, error))?;
        let after = state.position().after(mv);
        let ponder = ponder.and_then(|text| protocol.read_move(&after, &text).ok());
        let line = self.best_line(state.position(), &line, mv);
        Ok(SearchResult { mv, ponder, info, line, time })
    }

    /// The moves of a line as far as they are legal, if it begins with the move that was chosen, and otherwise that move.
    fn best_line(&self, position: &Position, line: &str, mv: Move) -> Vec<Move> {
        let (mut position, mut moves) = (*position, Vec::new());
        for text in line.split_ascii_whitespace() {
            let Ok(next) = self.spec.protocol.read_move(&position, text) else { break };
            moves.push(next);
            position = position.after(next);
        }
        if moves.first() == Some(&mv) { moves } else { vec![mv] }
    }

    /// Ends thinking on the other side's time; the move that comes of it is of no use.
    ///
    /// # Errors
    ///
    /// When the engine misbehaves.
    pub fn stop_pondering(&mut self, stop: &StopToken) -> Result<(), NoAnswer> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        let deadline = Instant::now() + self.spec.limits.timeout;
        self.send("stop", deadline)?;
        match self.answer(deadline, stop)? {
            Some(_) => Ok(()),
            None => Err(fault(Reason::Hang, "did not stop pondering")),
        }
    }

    /// An engine that has not answered in time is asked to stop: what comes then is late, and if nothing comes it hangs.
    fn overdue(&mut self, began: Instant, allowed: Option<Duration>, stop: &StopToken) -> NoAnswer {
        let hang = || {
            let waited = began.elapsed().as_secs_f64();
            fault(
                Reason::Hang,
                format!("has not answered for {waited:.3} s, and not when told to stop either"),
            )
        };
        let grace = GRACE.min(self.spec.limits.timeout);
        if self.send("stop", Instant::now() + grace).is_err() {
            return hang();
        }
        match self.answer(Instant::now() + grace, stop) {
            Ok(Some(Answer { arrived, .. })) => {
                late(arrived.saturating_duration_since(began), allowed.unwrap_or_default())
            }
            Ok(None) => hang(),
            Err(failure) => failure,
        }
    }

    /// Waits for the end of a search; none if it does not come in time.
    fn answer(&mut self, deadline: Instant, stop: &StopToken) -> Result<Option<Answer>, NoAnswer> {
        let protocol = self.spec.protocol;
        let (mut info, mut told, mut lines) = (Info::default(), String::new(), 0_u32);
        loop {
            let Some((line, arrived)) = self.line(deadline, stop, &mut lines)? else { return Ok(None) };
            match protocol.understand(&line) {
                Reply::Info(news) => {
                    info.update(news);
                    if let Some(moves) = protocol.best_line(&line) {
                        moves.clone_into(&mut told);
                    }
                }
                Reply::Best { mv, ponder } => {
                    let (mv, ponder) = (mv.map(str::to_owned), ponder.map(str::to_owned));
                    return Ok(Some(Answer { mv, ponder, info, line: told, arrived }));
                }
                Reply::Error(text) => self.complaint = Some(text.to_owned()),
                Reply::Ready | Reply::Other => {}
            }
        }
    }

    /// Moves that nobody has asked for may be an answer given twice; the next search's answer must not be mixed up with
    /// them.
    fn refuse_extra_moves(&mut self) -> Result<(), NoAnswer> {
        let now = Instant::now();
        for _ in 0..MOST_LINES {
            match self.process.recv_until(now) {
                Event::Line(line, _) => {
                    if let Reply::Best { mv, .. } = self.spec.protocol.understand(&line) {
                        let mv = mv.unwrap_or("none");
                        return Err(fault(
                            Reason::ExtraMove,
                            format!("gave a move ({}) without being asked", Quoted(mv)),
                        ));
                    }
                }
                Event::Timeout => return Ok(()),
                Event::Overlong | Event::Flood => return Err(flood()),
                Event::Eof => return Err(self.crash()),
            }
        }
        Err(flood())
    }

    fn wait(
        &mut self,
        deadline: Instant,
        stop: &StopToken,
        tell: &OnStatus,
        what: &str,
        mut enough: impl FnMut(&str) -> bool,
    ) -> Result<(), NoAnswer> {
        let mut lines = 0;
        // Nobody knows whether a silent engine is slow or waits for something itself.
        let mut first = Some(deadline.min(Instant::now() + SILENCE));
        loop {
            match self.line(first.unwrap_or(deadline), stop, &mut lines)? {
                Some((line, _)) if enough(&line) => return Ok(()),
                Some(_) => {}
                None if first.take().is_some_and(|first| first < deadline) => {
                    let EngineSpec { name, limits, .. } = &self.spec;
                    let seconds = limits.timeout.as_secs_f64();
                    tell(&format!("waiting for {name} to {what}, for {seconds} s at the most"));
                }
                None => {
                    let seconds = self.spec.limits.timeout.as_secs_f64();
                    return Err(fault(Reason::Hang, format!("did not {what} within {seconds} s")));
                }
            }
        }
    }

    /// The next line, and when it came; none if it does not come in time.
    fn line(
        &self,
        deadline: Instant,
        stop: &StopToken,
        lines: &mut u32,
    ) -> Result<Option<(String, Instant)>, NoAnswer> {
        loop {
            let now = Instant::now();
            match self.process.recv_until(deadline.min(now + GLANCE)) {
                Event::Line(line, arrived) => {
                    *lines += 1;
                    return if *lines > MOST_LINES { Err(flood()) } else { Ok(Some((line, arrived))) };
                }
                Event::Overlong | Event::Flood => return Err(flood()),
                Event::Eof => return Err(self.crash()),
                Event::Timeout if stop.is_stopped() => return Err(NoAnswer::Stopped),
                Event::Timeout if Instant::now() >= deadline => return Ok(None),
                Event::Timeout => {}
            }
        }
    }

    fn send(&self, lines: &str, deadline: Instant) -> Result<(), NoAnswer> {
        self.process.send(lines, deadline).map_err(|error| match error {
            SendError::Closed => self.crash(),
            SendError::NotReading => fault(Reason::Hang, "does not read its input"),
            SendError::Io(error) => fault(Reason::Crash, format!("cannot be written to: {error}")),
        })
    }

    fn crash(&self) -> NoAnswer {
        match self.process.wait_until(Instant::now() + GRACE) {
            Ok(Some(status)) => fault(Reason::Crash, format!("ended by itself ({status})")),
            _ => fault(Reason::Crash, "closed its output"),
        }
    }

    /// Ends it by force, and returns the end of what it wrote to stderr, complete.
    pub fn kill(&mut self) -> String {
        self.process.kill();
        self.stderr()
    }

    /// Ends it in good order, or by force.
    pub fn quit(self) {
        let deadline = Instant::now() + GRACE;
        if self.process.send("quit", deadline).is_ok() {
            self.process.close_stdin();
            // Dropping the process kills what is left of it.
            let _ = self.process.wait_until(deadline);
        }
    }
}

/// The end of a search.
struct Answer {
    /// The text of the move.
    mv: Option<String>,
    /// And of the reply to ponder on.
    ponder: Option<String>,
    /// What was said on the way.
    info: Info,
    /// The best line that was told last.
    line: String,
    /// When it came.
    arrived: Instant,
}

fn late(time: Duration, allowed: Duration) -> NoAnswer {
    let over = time.saturating_sub(allowed).as_secs_f64();
    let (time, allowed) = (time.as_secs_f64(), allowed.as_secs_f64());
    fault(Reason::Time, format!("took {time:.3} s of {allowed:.3} s, {over:.3} s too long"))
}

fn flood() -> NoAnswer {
    fault(Reason::Flood, "printed without end")
}
