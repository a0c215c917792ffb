//! Engines with settings, and work that is divided among them.

use common::pool::{self, Queue};
use common::stop::StopToken;
use engine::{Engine, EngineSettings, SettingError};

/// Returns an engine with a table of some MiB and these settings, whose endgame databases are sound.
///
/// # Errors
///
/// Returns an error if there is no memory, a setting is refused, or a database is damaged.
pub fn checked_engine(mebibytes: usize, settings: &EngineSettings) -> Result<Engine, SettingError> {
    let engine = settings.engine(mebibytes)?;
    engine.databases().check();
    match engine.take_problems().into_iter().next() {
        Some(problem) => Err(SettingError::Endings(problem)),
        None => Ok(engine),
    }
}

/// Does jobs, one on each engine at a time, until all are done or `stop` is set. `work` returns none if it was stopped.
/// `on_result` is called with each result; an error ends the work. Returns whether it was stopped.
///
/// # Errors
///
/// Returns the error of `on_result`.
pub(crate) fn run_jobs<J: Copy + Sync, R: Send, E>(
    engines: Vec<Engine>,
    jobs: &[J],
    stop: &StopToken,
    work: impl Fn(&mut Engine, J, &StopToken) -> Option<R> + Sync,
    on_result: &mut dyn FnMut(R) -> Result<(), E>,
) -> Result<bool, E> {
    let halt = stop.child();
    let queue = Queue::new(jobs.iter().take_while(|_| !halt.is_stopped()));
    let run = |mut engine: Engine, report: &dyn Fn(R)| {
        while let Some(&job) = queue.next() {
            work(&mut engine, job, &halt).into_iter().for_each(report);
        }
    };
    let mut stopped = false;
    pool::run(
        engines,
        run,
        || halt.stop(),
        |result| {
            result.map_or(Ok(()), &mut *on_result)?;
            stopped |= stop.is_stopped();
            Ok(!stopped)
        },
    )?;
    Ok(stopped)
}
