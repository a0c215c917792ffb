//! Creates engines with settings, and divides work among them.

use engine::{Engine, EngineSettings, SettingError};
use runs::pool::divide;
use runs::stop::StopToken;
use runs::store::StoreError;

/// The reason why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] StoreError),
    /// The engine rejects a setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Describes the options of a run, for its checkpoint.
pub(crate) fn options_text(settings: &EngineSettings) -> String {
    let options: Vec<_> = settings.settings.iter().map(|setting| format!("{setting:?}")).collect();
    options.join(", ")
}

/// Creates an engine with the given settings and table size, and checks its endgame databases.
pub fn checked_engine(mebibytes: usize, settings: &EngineSettings) -> Result<Engine, SettingError> {
    let engine = settings.engine(mebibytes)?;
    engine.databases().check();
    match engine.take_problems().into_iter().next() {
        Some(problem) => Err(SettingError::Endings(problem)),
        None => Ok(engine),
    }
}

/// Runs jobs, one at a time on each engine, until all are done or `stop` is set. `work` returns `None` if it
/// was interrupted. Calls `on_result` with each result; an error from it ends the run. Returns whether the
/// run was stopped.
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
