//! A session: one short handler for each command. A session never searches or waits for a search, so it
//! responds immediately even during a search.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use super::Protocol;
use super::command::{Command, CommandError, EngineCommand, EngineOutput, GoParams};
use super::worker::{self, Delivery, Emit, Message, SessionEngine, WorkerJob, perform, work};
use kelso_draughts::ballot::Deck;
use kelso_draughts::board::Game;
use kelso_engine::Engine;
use kelso_engine::search::Control;
use kelso_runtime::lines::{InputLine, MAX_LINE};
use thiserror::Error;

/// Capacity of the message queue, which is small because lines may be long.
const QUEUE_CAPACITY: usize = 16;
/// Maximum number of unfinished jobs that can be stopped, and of those that cannot.
const MAX_JOBS: usize = 10_000;

/// A job that can be stopped.
#[derive(Debug)]
struct StoppableJob {
    control: Arc<Control>,
    is_limited: bool,
}

impl StoppableJob {
    fn limited() -> Self {
        Self { control: Arc::new(Control::new()), is_limited: true }
    }

    /// Returns whether the job ends without being stopped.
    fn ends_on_its_own(&self) -> bool {
        self.is_limited && !self.control.is_pondering()
    }
}

/// The reason why a session failed.
#[derive(Error, Debug)]
pub enum SessionError {
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The input cannot be read.
    #[error("cannot read the input: {0}")]
    Read(io::Error),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Write(io::Error),
    /// The engine panicked. Contains its message.
    #[error("the engine has failed ({0}); restart the program")]
    Engine(String),
}

/// A session with a client. `write` writes and flushes whole lines.
#[derive(Debug)]
pub struct Session<P, W, E = Engine> {
    protocol: P,
    write: W,
    game: Game,
    /// Sends jobs to the worker; `None` once the session is closing.
    jobs: Option<Sender<WorkerJob<E>>>,
    /// Unfinished jobs that can be stopped, first the one that is running or next to run.
    stoppable: VecDeque<StoppableJob>,
    /// Number of unfinished jobs that cannot be stopped.
    unstoppable: usize,
    /// Whether `quit` was received. If so, a pending new game need not begin.
    quits: Arc<AtomicBool>,
    /// The error that ended the input.
    read_error: Option<io::Error>,
}

impl<P: Protocol, W: FnMut(&str) -> io::Result<()>, E: SessionEngine + 'static> Session<P, W, E> {
    /// Runs a session until the input ends or a `quit` arrives. `read` calls its argument with each line, as
    /// [`read_lines`](kelso_runtime::lines::read_lines) does.
    pub fn run(
        engine: E,
        protocol: P,
        read: impl FnOnce(&mut dyn FnMut(InputLine) -> bool) + Send + 'static,
        write: W,
    ) -> Result<(), SessionError>
    where
        E: Send,
    {
        Self::run_with(move |jobs, session| work(engine, jobs, session), protocol, read, write)
    }

    /// Runs a session whose jobs are done by `work`.
    fn run_with(
        work: impl FnOnce(&Receiver<WorkerJob<E>>, &SyncSender<Delivery>) + Send + 'static,
        protocol: P,
        read: impl FnOnce(&mut dyn FnMut(InputLine) -> bool) + Send + 'static,
        write: W,
    ) -> Result<(), SessionError> {
        let (sender, messages) = sync_channel(QUEUE_CAPACITY);
        let (jobs, job_list) = channel();
        let worker_sender = sender.clone();
        thread::Builder::new()
            .name("engine".into())
            .spawn(move || {
                let end = catch_unwind(AssertUnwindSafe(|| work(&job_list, &worker_sender)));
                let panicked = |payload: Box<dyn Any + Send>| Delivery::Panicked(panic_text(&*payload));
                // Sending fails only if the session has ended.
                drop(worker_sender.send(end.map_or_else(panicked, |()| Delivery::Ended)));
            })
            .map_err(SessionError::Thread)?;
        thread::Builder::new()
            .name("input".into())
            .spawn(move || read(&mut |line| sender.send(Delivery::Message(Message::Input(line))).is_ok()))
            .map_err(SessionError::Thread)?;
        let mut session = Self::new(protocol, write, jobs);
        for message in messages {
            match message {
                Delivery::Ended => break,
                Delivery::Panicked(reason) => {
                    let error = SessionError::Engine(reason);
                    let output = EngineOutput::Error(CommandError::Engine(error.to_string()));
                    session.send(&output).map_err(SessionError::Write)?;
                    return Err(error);
                }
                Delivery::Message(message) => session.receive(message).map_err(SessionError::Write)?,
            }
        }
        session.read_error.map_or(Ok(()), |error| Err(SessionError::Read(error)))
    }

    fn new(protocol: P, write: W, jobs: Sender<WorkerJob<E>>) -> Self {
        Self {
            protocol,
            write,
            game: Game::default(),
            jobs: Some(jobs),
            stoppable: VecDeque::new(),
            unstoppable: 0,
            quits: Arc::default(),
            read_error: None,
        }
    }

    fn receive(&mut self, message: Message) -> io::Result<()> {
        match message {
            Message::Input(input) => self.handle(input)?,
            Message::Output(output) => self.send(&output)?,
            Message::Answered(output) => {
                self.stoppable.pop_front();
                self.send(&output)?;
            }
            Message::Done => self.unstoppable -= 1,
        }
        Ok(())
    }

    fn handle(&mut self, input: InputLine) -> io::Result<()> {
        if self.jobs.is_none() {
            return Ok(());
        }
        let result = match input {
            InputLine::End(error) => {
                self.read_error = error;
                let interrupts = self.protocol.interrupts();
                self.stop(|job| interrupts || !job.ends_on_its_own());
                self.jobs = None;
                Ok(None)
            }
            InputLine::TooLong => Err(CommandError::TooLong),
            InputLine::Line(line) => {
                log::debug!("in: {line}");
                let command = self.protocol.read(&line);
                command.and_then(|command| command.map_or(Ok(None), |command| self.execute(command)))
            }
        };
        match result {
            Ok(None) => Ok(()),
            Ok(Some(output)) => self.send(&output),
            Err(error) => self.send(&EngineOutput::Error(error)),
        }
    }

    /// Executes a command. Returns its output, unless the engine's thread will answer.
    fn execute(&mut self, command: Command) -> Result<Option<EngineOutput>, CommandError> {
        let position = *self.game.position();
        match command {
            Command::Identify => return Ok(Some(EngineOutput::Identity)),
            Command::Moves => return Ok(Some(EngineOutput::Moves(position))),
            Command::Paths => return Ok(Some(EngineOutput::Paths(position))),
            Command::Ballots(deck, number) => return ballots(deck, number).map(Some),
            Command::Show => return Ok(Some(EngineOutput::Show(self.game.clone()))),
            Command::Help => return Ok(Some(EngineOutput::Help)),
            Command::Ping => return Ok(Some(EngineOutput::Pong)),
            Command::Ready if !self.stoppable.is_empty() => return Ok(Some(EngineOutput::Ready)),
            Command::Ready => self.submit(worker::ready)?,
            Command::Set { name, value } => {
                let setting = E::setting(name, value)?;
                self.submit(move |engine, emit| {
                    if let Err(error) = engine.apply(setting) {
                        emit(EngineOutput::Error(error));
                    }
                })?;
            }
            Command::Probe => self.submit_command(EngineCommand::Probe(self.game.clone()))?,
            Command::Evaluate => self.submit_command(EngineCommand::Evaluate(position))?,
            Command::NewGame => {
                self.game = Game::default();
                let quits = Arc::clone(&self.quits);
                self.submit(move |engine, _| {
                    if !quits.load(Ordering::Relaxed) {
                        engine.new_game();
                    }
                })?;
            }
            Command::Position(game) => self.game = game,
            Command::Go(go) => self.go(&go)?,
            Command::Offer => self.start_command(EngineCommand::Offer(self.game.clone()))?,
            Command::Perft(depth) => self.start(StoppableJob::limited(), move |_, control, emit| {
                worker::perft(&position, depth, control, emit)
            })?,
            Command::Bench(depth) => self.start_command(EngineCommand::Bench(depth))?,
            Command::Stop => self.stop(|_| true),
            Command::PonderHit => self.ponder_hit()?,
            Command::Quit => {
                self.quits.store(true, Ordering::Relaxed);
                self.stop(|_| true);
                self.jobs = None;
            }
        }
        Ok(None)
    }

    fn go(&mut self, go: &GoParams) -> Result<(), CommandError> {
        let limits = go.limits(self.game.position())?;
        let game = self.game.clone();
        if self.protocol.interrupts() {
            self.stop(|job| !job.ends_on_its_own());
        }
        let control = Arc::new(if go.ponder { Control::pondering() } else { Control::new() });
        let job = StoppableJob { control, is_limited: limits.is_limited() };
        self.start(job, move |engine, control, emit| {
            let answer = engine.search(&game, &limits, control, emit);
            EngineOutput::Answer(*game.position(), answer)
        })
    }

    /// Stops the jobs that `which` selects.
    fn stop(&self, which: impl Fn(&StoppableJob) -> bool) {
        self.stoppable.iter().filter(|job| which(job)).for_each(|job| job.control.stop());
    }

    fn ponder_hit(&mut self) -> Result<(), CommandError> {
        // A stopped search may already have answered.
        let mut jobs = self.stoppable.iter();
        let pondering = jobs.find(|job| job.control.is_pondering() && !job.control.is_stopped());
        let control = &pondering.ok_or(CommandError::NotPondering)?.control;
        if E::SEARCHES_AFTER_PONDER_HIT {
            control.ponder_hit();
        } else {
            control.stop();
        }
        Ok(())
    }

    /// Submits a job that is always completed. Only a limited number of such jobs can wait, since the search
    /// before them may never end.
    fn submit(&mut self, work: impl FnOnce(&mut E, Emit<'_>) + Send + 'static) -> Result<(), CommandError> {
        if !self.stoppable.is_empty() {
            check_queue(self.unstoppable, "commands are waiting for a search")?;
        }
        self.submit_job(Box::new(move |engine, emit| {
            work(engine, emit);
            None
        }));
        self.unstoppable += 1;
        Ok(())
    }

    /// Submits a command that takes no time.
    fn submit_command(&mut self, command: EngineCommand) -> Result<(), CommandError> {
        self.submit(|engine, emit| emit(engine.execute(command, &Control::new(), emit)))
    }

    fn submit_job(&self, job: WorkerJob<E>) {
        if let Some(jobs) = &self.jobs {
            // Sending fails only if the engine has panicked, which ends the session.
            drop(jobs.send(job));
        }
    }

    /// Submits a job that can be stopped, and that returns its last output.
    fn start(
        &mut self,
        job: StoppableJob,
        work: impl FnOnce(&mut E, &Control, Emit<'_>) -> EngineOutput + Send + 'static,
    ) -> Result<(), CommandError> {
        check_queue(self.stoppable.len(), "searches are waiting")?;
        let control = Arc::clone(&job.control);
        self.submit_job(Box::new(move |engine, emit| Some(work(engine, &control, emit))));
        self.stoppable.push_back(job);
        Ok(())
    }

    /// Submits a command that can be stopped.
    fn start_command(&mut self, command: EngineCommand) -> Result<(), CommandError> {
        self.start(StoppableJob::limited(), |engine, control, emit| engine.execute(command, control, emit))
    }

    fn send(&mut self, output: &EngineOutput) -> io::Result<()> {
        let text = self.protocol.write(output);
        (self.write)(&text)
    }
}

/// A session and its engine on one thread, for platforms without threads. The caller delivers lines and runs
/// the engine's jobs.
///
/// A search calls [`kelso_runtime::platform::pause`] from time to time. If the host delivers lines during
/// that call, commands that stop the search or need no engine take effect immediately.
///
/// ```
/// use kelso_engine::{Engine, Setting};
/// use kelso_protocol::{Native, SingleThreadedSession};
///
/// let mut output = String::new();
/// let write = |text: &str| Ok(output.push_str(text));
/// let session = SingleThreadedSession::new(Engine::new([Setting::Hash(1)])?, Native, write);
/// session.line("go depth 3")?;
/// while session.work()? {}
/// drop(session);
/// assert!(output.contains("bestmove "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SingleThreadedSession<P, W, E = Engine> {
    session: RefCell<Session<P, W, E>>,
    engine: RefCell<E>,
    jobs: Receiver<WorkerJob<E>>,
}

impl<P: Protocol, W: FnMut(&str) -> io::Result<()>, E: SessionEngine + 'static>
    SingleThreadedSession<P, W, E>
{
    /// Begins a session. `write` writes and flushes whole lines.
    pub fn new(engine: E, protocol: P, write: W) -> Self {
        let (sender, jobs) = channel();
        Self {
            session: RefCell::new(Session::new(protocol, write, sender)),
            engine: RefCell::new(engine),
            jobs,
        }
    }

    /// Executes a line. Jobs for the engine wait for [`Self::work`].
    pub fn line(&self, line: &str) -> io::Result<()> {
        let input = match line.len() {
            length if length > MAX_LINE => InputLine::TooLong,
            _ => InputLine::Line(line.to_owned()),
        };
        self.session.borrow_mut().receive(Message::Input(input))
    }

    /// Runs the next waiting job. Returns `false` if no job is waiting or the engine is already working.
    pub fn work(&self) -> io::Result<bool> {
        let Ok(mut engine) = self.engine.try_borrow_mut() else { return Ok(false) };
        let Ok(job) = self.jobs.try_recv() else { return Ok(false) };
        let first_error = RefCell::new(Ok(()));
        perform(&mut *engine, job, &|message| {
            let sent = self.session.borrow_mut().receive(message);
            if sent.is_err() {
                *first_error.borrow_mut() = sent;
            }
        });
        first_error.into_inner().map(|()| true)
    }

    /// Changes the engine between two jobs. Returns `false` if the engine is working.
    pub fn with_engine(&self, change: impl FnOnce(&mut E)) -> bool {
        self.engine.try_borrow_mut().map(|mut engine| change(&mut engine)).is_ok()
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref().copied()).unwrap_or("for an unknown reason").to_owned()
}

fn check_queue(jobs: usize, description: &'static str) -> Result<(), CommandError> {
    if jobs < MAX_JOBS { Ok(()) } else { Err(CommandError::Busy(jobs, description)) }
}

/// Returns the ballots of a deck, or the ballot with the given number.
fn ballots(deck: Deck, number: Option<u32>) -> Result<EngineOutput, CommandError> {
    let mut ballots: Vec<_> = deck.in_play().collect();
    if let Some(number) = number {
        ballots.retain(|ballot| ballot.number == number);
        if ballots.is_empty() {
            return Err(CommandError::Ballot { deck, number });
        }
    }
    Ok(EngineOutput::Ballots(deck, ballots))
}

#[cfg(test)]
mod tests;
