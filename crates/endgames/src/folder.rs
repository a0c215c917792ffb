//! The default folder of databases.

use std::env;
use std::path::PathBuf;

/// Returns the folder of endgame databases in the user's data folder, whether it exists or not. Returns `None` if the user
/// has no home.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = if cfg!(windows) {
        absolute("APPDATA")
    } else if cfg!(target_os = "macos") {
        absolute("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))
    };
    data.map(|data| data.join("kelso").join("egdb"))
}
