//! Settings of engines, and errors of games.

use kelso_batch::error::RunError;
use kelso_engine::{EngineSettings, SettingError};
use kelso_players::player::PlayerError;

/// The reason why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] RunError),
    /// The engine rejects a setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// An engine returned no move.
    #[error("the engine {0}")]
    Player(PlayerError),
}

/// Describes the options of a run, for its checkpoint.
pub(crate) fn options_text(settings: &EngineSettings) -> String {
    let options = settings.options.iter().map(|setting| format!("{}={}", setting.name(), setting.value()));
    options.collect::<Vec<_>>().join(", ")
}
