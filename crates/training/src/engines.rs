//! Creates engines with settings.

use engine::{Engine, EngineSettings, SettingError};
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
