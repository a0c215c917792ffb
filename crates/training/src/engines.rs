//! Engines with settings, and work that is divided among them.

use std::collections::BTreeMap;

use engine::{Engine, EngineSettings, SettingError};
use runs::checkpoint::CheckpointError;
use runs::pool::{self, Queue};
use runs::stop::StopToken;

/// An error that keeps games from being played.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] CheckpointError),
    /// The engine refuses a setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Describes the options of a run, for its checkpoint.
pub(crate) fn options_text(settings: &EngineSettings) -> String {
    let options: Vec<_> = settings.settings.iter().map(|setting| format!("{setting:?}")).collect();
    options.join(", ")
}

/// Returns an engine with a table of some MiB and these settings, whose endgame databases are sound.
pub fn checked_engine(mebibytes: usize, settings: &EngineSettings) -> Result<Engine, SettingError> {
    let engine = settings.engine(mebibytes)?;
    engine.databases().check();
    match engine.take_problems().into_iter().next() {
        Some(problem) => Err(SettingError::Endings(problem)),
        None => Ok(engine),
    }
}

/// Does jobs, one on each worker at a time, until all are done or `receive` returns false. `receive` is called with each
/// result, and now and then without one; its error ends the work.
pub(crate) fn divide<W: Send, J, R: Send, E>(
    workers: impl IntoIterator<Item = W>,
    jobs: impl IntoIterator<Item = J, IntoIter: Send>,
    work: impl Fn(&mut W, J) -> R + Sync,
    receive: impl FnMut(Option<R>) -> Result<bool, E>,
) -> Result<(), E> {
    let queue = Queue::new(jobs);
    let run = |mut worker: W, report: &dyn Fn(R)| {
        while let Some(job) = queue.next() {
            report(work(&mut worker, job));
        }
    };
    pool::run(workers, run, || queue.close(), receive).map(drop)
}

/// Does work on equal parts of items and returns the results in order, so that they do not depend on the number of threads.
/// Calls `on_progress` with the number of items done; if it returns false, there are no results.
pub(crate) fn in_parts<T: Sync, R: Send>(
    items: &[T],
    parts: usize,
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
    on_progress: &dyn Fn(usize) -> bool,
) -> Option<Vec<R>> {
    let (mut results, mut done, mut running) = (BTreeMap::new(), 0, true);
    let jobs = items.chunks(items.len().div_ceil(parts).max(1)).enumerate();
    let work = |(): &mut (), (index, part): (usize, &[T])| (index, part.len(), work(part));
    let _: Result<(), ()> = divide(vec![(); threads.clamp(1, parts)], jobs, work, |result| {
        if let Some((index, count, result)) = result {
            results.insert(index, result);
            done += count;
        }
        running = running && on_progress(done);
        Ok(running)
    });
    running.then(|| results.into_values().collect())
}

/// Does jobs, one on each engine at a time, until all are done or `stop` is set. `work` returns none if it was stopped.
/// `on_result` is called with each result; an error ends the work. Returns true if it was stopped.
pub(crate) fn run_jobs<J: Copy + Sync, R: Send, E>(
    engines: Vec<Engine>,
    jobs: &[J],
    stop: &StopToken,
    work: impl Fn(&mut Engine, J, &StopToken) -> Option<R> + Sync,
    on_result: &mut dyn FnMut(R) -> Result<(), E>,
) -> Result<bool, E> {
    let halt = stop.child();
    let jobs = jobs.iter().copied().take_while(|_| !halt.is_stopped());
    divide(
        engines,
        jobs,
        |engine, job| work(engine, job, &halt),
        |result| {
            let received = result.flatten().map_or(Ok(()), &mut *on_result);
            received.inspect_err(|_| halt.stop())?;
            Ok(!stop.is_stopped())
        },
    )?;
    Ok(stop.is_stopped())
}
