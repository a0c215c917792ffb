//! Engines with settings.

use engine::{Engine, Setting, SettingError};

/// Returns an engine with a table of some MiB and these settings, whose endgame databases are sound.
///
/// # Errors
///
/// Returns an error if there is no memory, a setting is refused, or a database is damaged.
pub fn checked_engine(mebibytes: usize, settings: &[Setting]) -> Result<Engine, SettingError> {
    let mut engine = Engine::with_table(mebibytes)?;
    for setting in settings {
        engine.apply(setting.clone())?;
    }
    engine.databases().check();
    match engine.take_problems().into_iter().next() {
        Some(problem) => Err(SettingError::Endings(problem)),
        None => Ok(engine),
    }
}
