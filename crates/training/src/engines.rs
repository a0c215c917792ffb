//! Engines with settings.

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
