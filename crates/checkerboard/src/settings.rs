//! The settings of the interface.

use std::collections::BTreeMap;

use draughts::board::Game;
use endgames::MAX_PIECES;
use engine::Setting;

/// A kind of setting.
pub(super) enum Kind {
    /// It has a single value.
    Fixed(&'static str),
    /// An option of the engine.
    Option(&'static str),
    /// A number with a default and a maximum.
    Number(u32, u32),
}

/// All settings but the history of the game.
const SETTINGS: [(&str, Kind); 12] = [
    ("protocolversion", Kind::Fixed("2")),
    ("gametype", Kind::Fixed("21")),
    ("hashsize", Kind::Option("Hash")),
    ("searchthreads", Kind::Option("Threads")),
    ("dbpath", Kind::Option("EgdbPath")),
    ("dbmbytes", Kind::Option("EgdbCache")),
    ("bookfile", Kind::Option("BookFile")),
    // The level of the opening book, from 0 for no book to 3 for its best moves.
    ("book", Kind::Number(3, 3)),
    // Show the scores of all moves.
    ("allscores", Kind::Number(0, 1)),
    // Search until the result is proved, regardless of the time.
    ("solve", Kind::Number(0, 1)),
    // Use endgame databases.
    ("enable_wld", Kind::Number(1, 1)),
    // The maximum number of pieces in databases. By that of a full board the GUI sets no limit.
    ("max_dbpieces", Kind::Number(MAX_PIECES, 24)),
];

/// Returns the name and the kind of a setting; none if it is unknown.
pub(super) fn find(key: &str) -> Option<&'static (&'static str, Kind)> {
    SETTINGS.iter().find(|(known, _)| *known == key)
}

/// The settings that the GUI has made.
#[derive(Debug)]
pub(super) struct Settings {
    /// The game before the position, if the GUI has sent it.
    pub history: Option<Game>,
    /// The settings that were set, with their values as text.
    pub values: BTreeMap<&'static str, String>,
    /// Settings for the next search.
    pub waiting: Vec<Setting>,
}

impl Settings {
    pub(super) const fn new() -> Self {
        Self { history: None, values: BTreeMap::new(), waiting: Vec::new() }
    }

    /// Returns the value of a setting that is a number.
    pub(super) fn number(&self, key: &str) -> u32 {
        let value = self.values.get(key).and_then(|value| value.parse().ok());
        value.unwrap_or_else(|| match find(key) {
            Some((_, Kind::Number(default, _))) => *default,
            _ => 0,
        })
    }
}
