//! The settings that CheckerBoard can change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use kelso_draughts::board::{Game, Move, Position};
use kelso_endgames::MAX_PIECES;
use kelso_engine::Setting;
use kelso_syntax::Quoted;

use super::system;

pub(super) enum SettingKind {
    /// A value that cannot be changed.
    Fixed(&'static str),
    /// An option of the engine.
    Option(&'static str),
    /// A number with a default and a maximum.
    Number(u32, u32),
}

/// The values of settings, as text.
pub(super) type Values = BTreeMap<&'static str, String>;

/// All settings except for the game history.
const SETTINGS: [(&str, SettingKind); 12] = [
    ("protocolversion", SettingKind::Fixed("2")),
    ("gametype", SettingKind::Fixed("21")),
    ("hashsize", SettingKind::Option("Hash")),
    ("searchthreads", SettingKind::Option("Threads")),
    ("dbpath", SettingKind::Option("EgdbPath")),
    ("dbmbytes", SettingKind::Option("EgdbCache")),
    ("bookfile", SettingKind::Option("BookFile")),
    // Use of the opening book, from 0 (no book) to 3 (only the best moves).
    ("book", SettingKind::Number(3, 3)),
    // Show the scores of all moves.
    ("allscores", SettingKind::Number(0, 1)),
    // Search until the result is proved, regardless of the time.
    ("solve", SettingKind::Number(0, 1)),
    // Use endgame databases.
    ("enable_wld", SettingKind::Number(1, 1)),
    // Maximum number of pieces to look up. For "no limit", the GUI sends the number of pieces on a full
    // board.
    ("max_dbpieces", SettingKind::Number(MAX_PIECES, 24)),
];

/// For each level of book use, how much worse than the best a book move may be, in hundredths of a man.
/// CheckerBoard calls the levels "no book", "all kinds of moves", "good moves" and "best moves".
const BOOK_LEVELS: [Option<u8>; 4] = [None, Some(15), Some(5), Some(0)];

/// Returns the name and the kind of a setting, or `None` if it is unknown.
pub(super) fn find(key: &str) -> Option<&'static (&'static str, SettingKind)> {
    // An older name of the setting.
    let key = if key == "cpus" { "searchthreads" } else { key };
    SETTINGS.iter().find(|(name, _)| *name == key)
}

/// Returns the value to store for a setting, or an error if the value is invalid.
pub(super) fn check(key: &str, kind: &SettingKind, value: &str) -> Result<String> {
    let invalid = |expected: &str| anyhow!("invalid value {} for {key}: expected {expected}", Quoted(value));
    match kind {
        SettingKind::Fixed(only) if value != *only => Err(invalid(only)),
        SettingKind::Fixed(_) => Ok(value.into()),
        SettingKind::Option(option) => option_setting(key, option, value).map(|_| value.into()),
        SettingKind::Number(_, 1) if !matches!(value, "0" | "1") => Err(invalid("0 or 1")),
        SettingKind::Number(_, max) => {
            let number = value.parse().ok().filter(|number: &u32| number <= max);
            Ok(number.ok_or_else(|| invalid(&format!("a whole number up to {max}")))?.to_string())
        }
    }
}

/// Converts a setting to engine options, given the values of all settings.
pub(super) fn effects(values: &Values, key: &str) -> Result<Vec<Setting>> {
    match (key, find(key), values.get(key)) {
        (_, Some((_, SettingKind::Option(option))), Some(value)) => {
            Ok(vec![option_setting(key, option, value)?])
        }
        ("book", ..) => {
            let variety = BOOK_LEVELS.get(number(values, "book") as usize).copied().flatten();
            Ok(match variety {
                Some(variety) => vec![Setting::Book(true), Setting::BookVariety(variety)],
                None => vec![Setting::Book(false)],
            })
        }
        ("enable_wld" | "max_dbpieces", ..) => {
            let [used, pieces] = ["enable_wld", "max_dbpieces"].map(|key| number(values, key));
            Ok(vec![Setting::EgdbPieces(used * pieces.min(MAX_PIECES))])
        }
        _ => Ok(Vec::new()),
    }
}

/// Parses the value of a setting that is an engine option.
fn option_setting(key: &str, option: &str, value: &str) -> Result<Setting> {
    match (key, value) {
        // The GUI's minimum is 0, but the engine's cache has at least 1 MiB.
        ("dbmbytes", "0") => Ok(Setting::EgdbCache(1)),
        ("bookfile", name) if !name.is_empty() => {
            Ok(Setting::BookFile(Some(book_file(system::library_folder().as_deref(), name))))
        }
        _ => Ok(Setting::parse(option, Some(value))?),
    }
}

/// Returns the path of an opening book. A bare file name is looked up next to the library, then in the
/// current folder.
fn book_file(library_folder: Option<&Path>, name: &str) -> PathBuf {
    let next_to_library = library_folder.map(|folder| folder.join(name));
    next_to_library.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// Returns the value of a numeric setting.
pub(super) fn number(values: &Values, key: &str) -> u32 {
    let value = values.get(key).and_then(|value| value.parse().ok());
    value.unwrap_or_else(|| match find(key) {
        Some((_, SettingKind::Number(default, _))) => *default,
        _ => 0,
    })
}

/// The settings from the GUI.
#[derive(Debug)]
pub(super) struct DriverSettings {
    /// The game that leads to the next position to search, if the GUI sent it.
    pub history: Option<Game>,
    /// The last move returned to the GUI.
    pub last_move: Option<LastMove>,
    /// Values of all changed settings.
    pub values: Values,
    /// Settings to apply before the next search.
    pub waiting: Vec<Setting>,
    /// Errors to show with the next move.
    pub errors: Vec<String>,
    /// Path of the settings file.
    pub file: Option<PathBuf>,
}

impl DriverSettings {
    pub(super) const fn new() -> Self {
        Self {
            history: None,
            last_move: None,
            values: BTreeMap::new(),
            waiting: Vec::new(),
            errors: Vec::new(),
            file: None,
        }
    }

    /// Returns the value of a numeric setting.
    pub(super) fn number(&self, key: &str) -> u32 {
        number(&self.values, key)
    }
}

/// The last move returned, and the game before it.
#[derive(Debug)]
pub(super) struct LastMove {
    pub(super) game: Game,
    pub(super) mv: Move,
}

impl LastMove {
    /// Returns the game that leads to a position: this game with the move and possibly a reply, or the game
    /// without the move if the same position is searched again. Returns `None` for any other position, for
    /// example in a new game or after moves were taken back.
    pub(super) fn continued(self, position: &Position) -> Option<Game> {
        let Self { mut game, mv } = self;
        if game.position() == position {
            return Some(game);
        }
        game.play(mv);
        if game.position() != position {
            let replies = game.position().moves();
            let reply = replies.into_iter().find(|&reply| game.position().after(reply) == *position)?;
            game.play(reply);
        }
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;

    #[test]
    fn a_book_without_a_folder_lies_beside_the_library() {
        let folder = Folder::new();
        let book = folder.write("a.kbook", "");
        assert_eq!(book_file(Some(folder.as_ref()), "a.kbook"), book);
        assert_eq!(book_file(Some(folder.as_ref()), "b.kbook"), Path::new("b.kbook"));
        assert_eq!(book_file(None, "a.kbook"), Path::new("a.kbook"));
        assert_eq!(book_file(Some(folder.as_ref()), &book.display().to_string()), book);
    }
}
