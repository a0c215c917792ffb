//! The engine's thread, which runs jobs one after another, so that commands are executed in order and the
//! session never waits.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};

use super::command::{CommandError, EngineCommand, EngineOutput};
use kelso_draughts::board::{Game, Position, divide};
use kelso_endgames::DatabaseError;
use kelso_engine::search::{Control, Limits, SearchAnswer};
use kelso_engine::{BENCH_DEPTH, Engine, Setting};
use kelso_runtime::lines::InputLine;

#[derive(Debug)]
pub(super) enum Message {
    Input(InputLine),
    Output(EngineOutput),
    /// A job that can be stopped is done, with this last output. A client that has read it may rely on the
    /// job's end.
    Answered(EngineOutput),
    /// Another job is done.
    Done,
}

/// A message to a session, or the end of the jobs.
#[derive(Debug)]
pub(super) enum Delivery {
    Message(Message),
    /// All jobs are done.
    Ended,
    /// A job panicked with this message.
    Panicked(String),
}

/// Receives the outputs of a job.
pub type Emit<'a> = &'a dyn Fn(EngineOutput);

/// An engine that a session runs.
pub trait SessionEngine {
    /// A search continues after a ponder hit; otherwise, the hit stops it.
    const SEARCHES_AFTER_PONDER_HIT: bool;

    /// An option with its value.
    type Setting: Send;

    /// Prepares for another game.
    fn new_game(&mut self);

    /// Searches, and waits until the answer may be given.
    fn search(&mut self, game: &Game, limits: &Limits, control: &Control, emit: Emit<'_>) -> SearchAnswer;

    /// Parses an option, which is set after all earlier jobs.
    fn setting(name: String, value: Option<String>) -> Result<Self::Setting, CommandError>;

    fn apply(&mut self, setting: Self::Setting) -> Result<(), CommandError>;

    /// Executes a command that an engine need not have. Returns its last output, which is an error by
    /// default.
    fn execute(&mut self, _command: EngineCommand, _control: &Control, _emit: Emit<'_>) -> EngineOutput {
        EngineOutput::Error(CommandError::Unsupported)
    }

    /// Prepares for the next search, so that its errors are reported before it.
    fn prepare(&self) {}

    fn report_errors(&self, _emit: Emit<'_>) {}

    /// Does a part of the preparations that need not be done before a search. Returns `false` if none is
    /// left.
    fn warm_up(&mut self) -> bool {
        false
    }
}

impl SessionEngine for Engine {
    const SEARCHES_AFTER_PONDER_HIT: bool = true;

    type Setting = Setting;

    fn new_game(&mut self) {
        Self::new_game(self);
    }

    fn search(&mut self, game: &Game, limits: &Limits, control: &Control, emit: Emit<'_>) -> SearchAnswer {
        let _ = self.databases();
        control.begin(limits);
        let root = *game.position();
        Self::search(self, game, limits, control, &mut |event| emit(EngineOutput::Search(root, event)))
    }

    fn setting(name: String, value: Option<String>) -> Result<Setting, CommandError> {
        Ok(Setting::parse(&name, value.as_deref())?)
    }

    fn apply(&mut self, setting: Setting) -> Result<(), CommandError> {
        Ok(Self::apply(self, setting)?)
    }

    fn execute(&mut self, command: EngineCommand, control: &Control, emit: Emit<'_>) -> EngineOutput {
        match command {
            EngineCommand::Probe(game) => EngineOutput::Probe(Box::new(self.probe(&game))),
            EngineCommand::Evaluate(position) => {
                EngineOutput::Evaluation(self.evaluation_id().name, Box::new(self.explain(&position)))
            }
            EngineCommand::Offer(game) => EngineOutput::Offer(self.answer_offer(&game, control)),
            EngineCommand::Bench(depth) => bench(self, depth, control, emit),
        }
    }

    fn prepare(&self) {
        if self.options().egdb_path.is_some() {
            self.databases().open_all();
        }
    }

    fn report_errors(&self, emit: Emit<'_>) {
        let Some(databases) = self.opened_databases() else { return };
        for error in databases.take_errors() {
            match error {
                DatabaseError::Incomplete(missing) => log::warn!("{missing}"),
                error => emit(EngineOutput::Error(error.into())),
            }
        }
    }

    fn warm_up(&mut self) -> bool {
        Self::warm_up(self)
    }
}

/// A task of the engine's thread. Returns the last output if it can be stopped.
pub(super) type WorkerJob<E> = Box<dyn FnOnce(&mut E, Emit<'_>) -> Option<EngineOutput> + Send>;

/// Runs jobs until there are no more.
pub(super) fn work<E: SessionEngine>(
    mut engine: E,
    jobs: &Receiver<WorkerJob<E>>,
    session: &SyncSender<Delivery>,
) {
    // The table is not warmed up before the first job, so as not to delay the first answer.
    let mut next = jobs.recv().ok();
    // Sending fails only if the session has ended and the program is about to exit.
    let send = |message| drop(session.send(Delivery::Message(message)));
    while let Some(job) = next {
        perform(&mut engine, job, &send);
        next = next_job(&mut engine, jobs);
    }
}

/// Runs a job, and sends its outputs to the session.
pub(super) fn perform<E: SessionEngine>(engine: &mut E, job: WorkerJob<E>, send: &dyn Fn(Message)) {
    let emit = |output| send(Message::Output(output));
    send(job(engine, &emit).map_or(Message::Done, Message::Answered));
    engine.report_errors(&emit);
}

/// Reports that all earlier jobs are done. Opens the databases first, so that database errors are reported
/// before this answer rather than during a move.
pub(super) fn ready<E: SessionEngine>(engine: &mut E, emit: Emit<'_>) {
    engine.prepare();
    engine.report_errors(emit);
    emit(EngineOutput::Ready);
}

/// Warms up the table until there is a job, and returns it.
fn next_job<E: SessionEngine>(engine: &mut E, jobs: &Receiver<WorkerJob<E>>) -> Option<WorkerJob<E>> {
    loop {
        match jobs.try_recv() {
            Ok(job) => return Some(job),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if engine.warm_up() => {}
            Err(TryRecvError::Empty) => return jobs.recv().ok(),
        }
    }
}

pub(super) fn perft(position: &Position, depth: u32, control: &Control, emit: Emit<'_>) -> EngineOutput {
    let start = control.elapsed();
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        divide(position, depth, &mut || !control.is_stopped(), &mut |branch| {
            total += branch.leaves;
            emit(EngineOutput::PerftBranch(branch));
        });
    }
    let complete = (!control.is_stopped()).then_some(total);
    let time = control.elapsed().saturating_sub(start);
    EngineOutput::PerftTotal { depth, leaves: complete, time }
}

fn bench(engine: &Engine, depth: Option<usize>, control: &Control, emit: Emit<'_>) -> EngineOutput {
    let start = control.elapsed();
    let lines = match engine.bench(depth.unwrap_or(BENCH_DEPTH), control) {
        Ok(lines) => lines,
        Err(error) => return EngineOutput::Error(error.into()),
    };
    let mut nodes = 0;
    for line in lines {
        nodes += line.nodes;
        emit(EngineOutput::BenchLine(line));
    }
    let complete = (!control.is_stopped()).then_some(nodes);
    EngineOutput::BenchTotal { nodes: complete, time: control.elapsed().saturating_sub(start) }
}
