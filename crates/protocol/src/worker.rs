//! The engine's thread, which runs jobs one after another, so that commands are executed in order and the
//! session never waits.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};

use super::command::{CommandError, EngineOutput};
use kelso_draughts::board::{Game, Position, divide};
use kelso_engine::search::{Control, Limits};
use kelso_engine::{BENCH_DEPTH, Engine};
use kelso_runtime::lines::InputLine;

#[derive(Debug)]
pub(super) enum Message {
    Input(InputLine),
    Output(EngineOutput),
    /// A job is done.
    Done {
        stoppable: bool,
    },
    /// All jobs are done, or one panicked with this message.
    Finished(Result<(), String>),
}

/// Receives the outputs of a job.
pub(super) type Emit<'a> = &'a dyn Fn(EngineOutput);

/// A task of the engine's thread.
type Work = dyn FnOnce(&mut Engine, Emit<'_>) + Send;

pub(super) struct WorkerJob {
    pub(super) work: Box<Work>,
    /// Whether the job can be stopped.
    pub(super) stoppable: bool,
}

/// Runs jobs until there are no more.
pub(super) fn work(mut engine: Engine, jobs: &Receiver<WorkerJob>, session: &SyncSender<Message>) {
    // The table is not warmed up before the first job, so as not to delay the first answer.
    let mut next = jobs.recv().ok();
    // Sending fails only if the session has ended and the program is about to exit.
    let send = |message| drop(session.send(message));
    while let Some(job) = next {
        perform(&mut engine, job, &send);
        next = next_job(&mut engine, jobs);
    }
}

/// Runs a job, and sends its outputs to the session.
pub(super) fn perform(engine: &mut Engine, job: WorkerJob, send: &dyn Fn(Message)) {
    let emit = |output| send(Message::Output(output));
    (job.work)(engine, &emit);
    send(Message::Done { stoppable: job.stoppable });
    report_errors(engine, &emit);
}

/// Reports that all earlier jobs are done. Opens the databases first, so that database errors are reported
/// before this answer rather than during a move.
pub(super) fn ready(engine: &mut Engine, emit: Emit<'_>) {
    if engine.options().egdb_path.is_some() {
        let _ = engine.databases();
    }
    report_errors(engine, emit);
    emit(EngineOutput::Ready);
}

pub(super) fn search(engine: &mut Engine, game: &Game, limits: &Limits, control: &Control, emit: Emit<'_>) {
    let root = *game.position();
    let _ = engine.databases();
    control.begin(limits);
    let answer = engine.search(game, limits, control, &mut |event| emit(EngineOutput::Search(root, event)));
    emit(EngineOutput::Answer(root, answer));
}

fn report_errors(engine: &Engine, emit: Emit<'_>) {
    let Some(databases) = engine.opened_databases() else { return };
    for error in databases.take_errors() {
        emit(EngineOutput::Error(CommandError::engine(error)));
    }
    for missing in databases.take_missing() {
        log::warn!("{missing}");
    }
}

/// Warms up the table until there is a job, and returns it.
fn next_job(engine: &mut Engine, jobs: &Receiver<WorkerJob>) -> Option<WorkerJob> {
    loop {
        match jobs.try_recv() {
            Ok(job) => return Some(job),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if engine.warm_up() => {}
            Err(TryRecvError::Empty) => return jobs.recv().ok(),
        }
    }
}

pub(super) fn perft(position: &Position, depth: u32, control: &Control, emit: Emit<'_>) {
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
    emit(EngineOutput::PerftTotal { depth, leaves: complete, time });
}

pub(super) fn bench(engine: &Engine, depth: Option<usize>, control: &Control, emit: Emit<'_>) {
    let start = control.elapsed();
    let lines = match engine.bench(depth.unwrap_or(BENCH_DEPTH), control) {
        Ok(lines) => lines,
        Err(error) => return emit(EngineOutput::Error(CommandError::engine(error))),
    };
    let mut nodes = 0;
    for line in lines {
        nodes += line.nodes;
        emit(EngineOutput::BenchLine(line));
    }
    let complete = (!control.is_stopped()).then_some(nodes);
    emit(EngineOutput::BenchTotal { nodes: complete, time: control.elapsed().saturating_sub(start) });
}
