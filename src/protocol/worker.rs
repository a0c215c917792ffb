//! The thread on which the engine works. It does one job after the other, so that whatever the session asks for
//! happens in order, and the session itself never waits.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};

use super::message::{Job, Message, News};
use crate::board::{Position, divide};
use crate::engine::{BENCH_DEPTH, Engine};
use crate::search::Control;

/// Works until there are no more jobs or nobody listens.
pub(super) fn work(mut engine: Engine, jobs: &Receiver<Job>, inbox: &SyncSender<Message>) {
    // The first job is not kept waiting: whoever starts a program wants its first answer soon.
    let mut first = jobs.recv().ok();
    let tell = |news| {
        // Without a listener the program is about to end.
        let _ = inbox.send(Message::News(news));
    };
    while let Some(job) = first.take().or_else(|| next_job(&mut engine, jobs)) {
        match job {
            Job::Apply(setting) => {
                if let Err(error) = engine.apply(setting) {
                    tell(News::Failed(error.to_string()));
                }
            }
            Job::Last => {
                tell(News::Last);
                return;
            }
            Job::NewGame => engine.new_game(),
            Job::Ready => {
                // Whoever waits for this hears before it what is wrong with the databases, and doesn't pay for opening them
                // with the time of a move.
                let _ = engine.databases();
                tell_problems(&engine, &tell);
                tell(News::Ready);
            }
            Job::Evaluate(position) => {
                tell(News::Evaluation(engine.evaluation_name(), Box::new(engine.explain(&position))));
            }
            Job::Probe(position) => tell(News::Probe(Box::new(engine.probe(&position)))),
            Job::Search(game, limits, control) => {
                let root = *game.position();
                let answer =
                    engine.search(&game, &limits, &control, &mut |event| tell(News::Search(root, event)));
                tell(News::Answer(root, answer));
                tell(News::Done);
            }
            Job::Perft(position, depth, control) => {
                count(&position, depth, &control, tell);
                tell(News::Done);
            }
            Job::Bench(depth, control) => {
                bench(&engine, depth, &control, tell);
                tell(News::Done);
            }
        }
        tell_problems(&engine, &tell);
    }
}

fn tell_problems(engine: &Engine, tell: &impl Fn(News)) {
    for problem in engine.take_problems() {
        tell(News::Failed(problem.to_string()));
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

fn count(position: &Position, depth: u32, control: &Control, tell: impl Fn(News)) {
    let began = control.elapsed();
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        divide(position, depth, &mut || !control.is_stopped(), &mut |branch| {
            total += branch.leaves;
            tell(News::PerftBranch(branch));
        });
    }
    let complete = (!control.is_stopped()).then_some(total);
    tell(News::PerftTotal(depth, complete, control.elapsed().saturating_sub(began)));
}

fn bench(engine: &Engine, depth: Option<usize>, control: &Control, tell: impl Fn(News)) {
    let began = control.elapsed();
    let mut nodes = 0;
    let result = engine.bench(depth.unwrap_or(BENCH_DEPTH), control, &mut |line| {
        nodes += line.nodes;
        tell(News::BenchLine(line));
    });
    match result {
        Ok(complete) => {
            let time = control.elapsed().saturating_sub(began);
            tell(News::BenchTotal(complete.then_some(nodes), time));
        }
        Err(error) => tell(News::Failed(error.to_string())),
    }
}
