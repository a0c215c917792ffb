//! Where the games of a library are kept.

use std::collections::BTreeMap;
use std::error::Error;
use std::{fmt, io};

use crate::stored_game::{
    GameId, LibraryGame, NewGame, Stored, StoredGame, Summary, Visit, read_game, visits,
};

/// The reason why a library cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Io(io::Error),
    #[error("it is not a library of games")]
    Foreign,
    #[error("it was written by a newer version of this program (format {0}, this one reads {1})")]
    Newer(i64, i64),
    /// The library is opened for reading only, so it cannot be brought to the current format.
    #[error("it was written by an older version of this program (format {0}, this one reads {1})")]
    Older(i64, i64),
    #[error("it is damaged: {0}")]
    Damaged(Box<dyn Error + Send + Sync>),
    #[error("the disk is full")]
    Full,
    #[error("SQLite: {0}")]
    Other(Box<dyn Error + Send + Sync>),
}

pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// The result of saving a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Saved {
    /// The game was saved with this number and revision.
    As(GameId, i64),
    /// Another client has saved the game since the revision that this one began with.
    Conflict(Box<StoredGame>),
}

/// A change to several games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    Deleted(bool),
    Collection(String),
}

/// A store of games and settings. Every write takes a new revision, so that all users of the store find what
/// has changed since they last looked.
pub trait Store: Send + fmt::Debug {
    /// Returns the revision of the latest change by any user of the store.
    fn revision(&mut self) -> Result<i64>;
    /// Passes the summaries of all games that were changed after a revision.
    fn changed_since(&mut self, revision: i64, each: &mut dyn FnMut(Stored<Summary>)) -> Result<()>;
    fn game(&mut self, id: GameId) -> Result<Option<StoredGame>>;
    /// Returns the number of the game that a client has given this name.
    fn named(&mut self, name: &str) -> Result<Option<GameId>>;
    /// Adds games, and returns their numbers.
    fn add(&mut self, games: Vec<NewGame>) -> Result<Vec<GameId>>;
    /// Saves a game under its name, or the number of a stored game. `revision` is that of the stored game
    /// which was changed; 0 for a new game.
    fn save(&mut self, id: Option<GameId>, revision: i64, game: LibraryGame) -> Result<Saved>;
    fn change(&mut self, ids: &[GameId], change: &Change) -> Result<()>;
    fn visits(&mut self, position: i64) -> Result<Vec<Visit<GameId>>>;
    /// Returns the settings, as JSON by name.
    fn settings(&mut self) -> Result<BTreeMap<String, String>>;
    fn set(&mut self, settings: &BTreeMap<String, String>) -> Result<()>;
}

/// Returns the visits of a game's text, none if it cannot be read.
pub(crate) fn visits_of(id: GameId, pdn: &str) -> impl Iterator<Item = Visit<GameId>> {
    let entry = read_game(pdn).filter(|entry| entry.is_complete() || !entry.game.plies.is_empty());
    entry.into_iter().flat_map(|entry| visits(&entry.game)).map(move |visit| visit.in_game(id))
}
