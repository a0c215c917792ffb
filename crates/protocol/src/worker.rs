//! The thread on which the engine works. It does one job after the other, so that whatever the session asks for
//! happens in order, and the session itself never waits.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};

use super::command::CommandError;
use super::message::{Job, Message};
use super::output::Output;
use draughts::board::{Position, divide};
use engine::search::Control;
use engine::{BENCH_DEPTH, Engine};

/// Works until there are no more jobs or nobody listens.
pub(super) fn work(mut engine: Engine, jobs: &Receiver<Job>, inbox: &SyncSender<Message>) {
    // The first job is not kept waiting: whoever starts a program wants its first answer soon.
    let mut first = jobs.recv().ok();
    // Without a listener the program is about to end.
    let send = |message| drop(inbox.send(message));
    let tell = |output| send(Message::Output(output));
    while let Some(job) = first.take().or_else(|| next_job(&mut engine, jobs)) {
        match job {
            Job::Apply(setting) => {
                if let Err(error) = engine.apply(setting) {
                    tell(failed(&error));
                }
            }
            Job::Last => {
                send(Message::Last);
                return;
            }
            Job::NewGame => engine.new_game(),
            Job::Ready => {
                // Whoever has named a folder hears before this what is wrong with its databases, and doesn't pay for opening
                // them with the time of a move.
                if engine.options().egdb_path.is_some() {
                    let _ = engine.databases();
                }
                tell_problems(&engine, &tell);
                tell(Output::Ready);
            }
            Job::Evaluate(position) => {
                tell(Output::Evaluation(engine.evaluation_name(), Box::new(engine.explain(&position))));
            }
            Job::Probe(position) => tell(Output::Probe(Box::new(engine.probe(&position)))),
            Job::Offer(game, control) => {
                tell(Output::Offer(engine.answer_offer(&game, &control)));
                send(Message::Done);
            }
            Job::Search(game, limits, control) => {
                let root = *game.position();
                let answer =
                    engine.search(&game, &limits, &control, &mut |event| tell(Output::Search(root, event)));
                tell(Output::Answer(root, answer));
                send(Message::Done);
            }
            Job::Perft(position, depth, control) => {
                count(&position, depth, &control, tell);
                send(Message::Done);
            }
            Job::Bench(depth, control) => {
                bench(&engine, depth, &control, tell);
                send(Message::Done);
            }
        }
        tell_problems(&engine, &tell);
    }
}

fn failed(reason: &impl std::fmt::Display) -> Output {
    Output::Error(CommandError::Failed(reason.to_string()))
}

fn tell_problems(engine: &Engine, tell: &impl Fn(Output)) {
    for problem in engine.take_problems() {
        if problem.is_fault() {
            tell(failed(&problem));
        } else {
            log::warn!("{problem}");
        }
    }
}

/// Waits for a job, and makes use of the time.
fn next_job(engine: &mut Engine, jobs: &Receiver<Job>) -> Option<Job> {
    loop {
        match jobs.try_recv() {
            Ok(job) => return Some(job),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if engine.warm_up() => {}
            Err(TryRecvError::Empty) => return jobs.recv().ok(),
        }
    }
}

fn count(position: &Position, depth: u32, control: &Control, tell: impl Fn(Output)) {
    let began = control.elapsed();
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        divide(position, depth, &mut || !control.is_stopped(), &mut |branch| {
            total += branch.leaves;
            tell(Output::PerftBranch(branch));
        });
    }
    let complete = (!control.is_stopped()).then_some(total);
    tell(Output::PerftTotal(depth, complete, control.elapsed().saturating_sub(began)));
}

fn bench(engine: &Engine, depth: Option<usize>, control: &Control, tell: impl Fn(Output)) {
    let began = control.elapsed();
    let mut nodes = 0;
    let result = engine.bench(depth.unwrap_or(BENCH_DEPTH), control, &mut |line| {
        nodes += line.nodes;
        tell(Output::BenchLine(line));
    });
    match result {
        Ok(complete) => {
            let time = control.elapsed().saturating_sub(began);
            tell(Output::BenchTotal(complete.then_some(nodes), time));
        }
        Err(error) => tell(failed(&error)),
    }
}
