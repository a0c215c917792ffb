//! The requests of the page to the library, as JSON.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::DerefMut;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::games;
use super::query::{self, QueryError, line, parameter};
use kelso_draughts::board::Position;
use kelso_draughts::notation::fen;
use kelso_library::continuations::{Continuation, find_position};
use kelso_library::filter::{Field, PositionKeys};
use kelso_library::import::{IMPORTED, ImportReport, Importer};
use kelso_library::library::{Neighbours, Query, Save};
use kelso_library::store::{self, Change, StoreError};
use kelso_library::stored_game::{GameId, LibraryGame, StoredGame, read_game};
use kelso_library::{Filter, Library, Memory};

/// The maximum number of rows in an answer.
const MAX_ROWS: usize = 200;
/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 30;
/// The maximum number of imports whose reports are kept.
const MAX_REPORTS: usize = 20;
/// The setting with the reports of the latest imports.
const IMPORTS: &str = "imports";

/// The reason why a request fails.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    #[error("invalid request: {0}")]
    Invalid(serde_json::Error),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error("the library cannot be used: {0}")]
    Store(StoreError),
}

impl From<serde_json::Error> for RequestError {
    fn from(error: serde_json::Error) -> Self {
        Self::Invalid(error)
    }
}

impl From<StoreError> for RequestError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

type Result<T, E = RequestError> = std::result::Result<T, E>;

/// A filter whose position is a FEN and moves from there.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FilterRequest {
    fen: String,
    moves: String,
    /// The position also counts with the colours exchanged.
    reversed: bool,
    #[serde(flatten)]
    filter: Filter,
}

type QueryRequest = Query<FilterRequest>;

/// The games that a request names: by their numbers, or all those of a list.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GameSelection {
    ids: Option<Vec<GameId>>,
    #[serde(flatten)]
    query: QueryRequest,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum LibraryRequest {
    /// Returns some of the games of a list.
    List {
        #[serde(flatten)]
        query: QueryRequest,
        #[serde(default)]
        offset: usize,
        #[serde(default)]
        limit: usize,
    },
    Collections {},
    /// Returns players, events or openings that contain words, the most frequent ones first.
    Suggest {
        field: Field,
        words: String,
    },
    /// Returns a game, and the ply at which it reaches a position.
    Game {
        game: String,
        #[serde(default)]
        fen: String,
        #[serde(default)]
        moves: String,
    },
    Save(Save),
    /// Deletes or restores games, or moves them to a collection. Returns their numbers.
    Change {
        ids: Option<Vec<GameId>>,
        #[serde(flatten)]
        query: QueryRequest,
        deleted: Option<bool>,
        to: Option<String>,
    },
    /// Returns the place of a game in a list, and the games around it.
    Neighbours {
        #[serde(flatten)]
        query: QueryRequest,
        game: String,
    },
    /// Returns the settings, after changes.
    Settings(SettingsChange),
    /// Returns the reports of the latest imports.
    Imports {},
}

/// Changes of settings, by their names.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SettingsChange {
    set: Map<String, Value>,
    /// The settings that are used if there are none.
    initial: Map<String, Value>,
    /// Members that are added to those of settings.
    merge: BTreeMap<String, Map<String, Value>>,
}

/// What an import is told besides the games.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Import {
    /// The name of the file.
    pub name: String,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

/// A library, or its changes, in the browser's database.
#[derive(Debug, Default, Serialize, Deserialize)]
struct LibraryState {
    games: Vec<StoredGame>,
    settings: BTreeMap<String, String>,
    revision: i64,
}

/// Answers the requests of pages to the user's library.
#[derive(Debug)]
pub struct LibraryService(Library);

impl LibraryService {
    pub const fn new(library: Library) -> Self {
        Self(library)
    }

    /// Closes the library. Later changes are lost.
    pub fn close(&mut self) {
        self.0.close();
    }

    pub fn answer(&mut self, request: &[u8]) -> Result<Value> {
        Ok(match serde_json::from_slice(request)? {
            LibraryRequest::List { query, offset, limit } => {
                self.list(&placed(query)?, offset, limit.min(MAX_ROWS))?
            }
            LibraryRequest::Collections {} => {
                let (collections, deleted) = self.0.collections()?;
                json!({ "collections": collections, "deleted": deleted })
            }
            LibraryRequest::Suggest { field, words } => {
                let mut texts = self.0.suggestions(field, &words)?;
                texts.truncate(MAX_SUGGESTIONS);
                texts.into()
            }
            LibraryRequest::Game { game, fen, moves } => {
                self.open(&game, &line(&fen, &moves)?.last_position())?
            }
            LibraryRequest::Save(save) => match self.0.save(save)? {
                store::Saved::As(id, revision) => json!({ "id": id, "revision": revision }),
                store::Saved::Conflict(other) => json!({ "conflict": opened(&other) }),
            },
            LibraryRequest::Change { ids, query, deleted, to } => {
                let ids = self.selected(GameSelection { ids, query })?;
                let changes = [deleted.map(Change::Deleted), to.map(Change::Collection)];
                for change in changes.iter().flatten() {
                    self.0.change(&ids, change)?;
                }
                json!({ "ids": ids })
            }
            LibraryRequest::Neighbours { query, game } => self.neighbours(&placed(query)?, &game)?,
            LibraryRequest::Settings(change) => self.change_settings(change)?,
            LibraryRequest::Imports {} => self.reports()?,
        })
    }

    /// Returns rows of a list, each with the last position of its game, and the number of games in the list.
    fn list(&mut self, query: &Query, offset: usize, limit: usize) -> Result<Value> {
        let ids = self.0.ids(query)?;
        let mut games = Vec::new();
        for id in ids.iter().skip(offset).take(limit) {
            let Some(game) = self.0.store().game(*id)? else { continue };
            let mut row = serde_json::to_value(game.summary())?;
            row["name"] = game.value.name.into();
            row["end"] =
                read_game(&game.value.pdn).map(|entry| fen::format(&entry.game.last_position())).into();
            games.push(row);
        }
        Ok(json!({ "count": ids.len(), "games": games }))
    }

    /// Returns a game, and the ply at which it reaches a position.
    fn open(&mut self, game: &str, position: &Position) -> Result<Value> {
        let Some(game) = self.0.game(game)? else { return Ok(Value::Null) };
        let ply = read_game(&game.value.pdn).and_then(|entry| find_position(&entry.game, position, None));
        let mut answer = opened(&game);
        answer["ply"] = ply.map(|(ply, _)| ply).into();
        Ok(answer)
    }

    /// Returns the place of a game in a list, and the games around it.
    fn neighbours(&mut self, query: &Query, game: &str) -> Result<Value> {
        let Some(id) = self.0.id_of(game)? else { return Ok(json!({})) };
        Ok(match self.0.neighbours(query, id)? {
            None => json!({}),
            Some(Neighbours { place, count, previous, next }) => {
                json!({ "place": place, "count": count, "previous": previous, "next": next })
            }
        })
    }

    /// Changes settings, and returns all of them.
    fn change_settings(&mut self, SettingsChange { set, initial, merge }: SettingsChange) -> Result<Value> {
        let earlier = self.0.store().settings()?;
        let mut changes = BTreeMap::new();
        for (name, value) in initial.into_iter().filter(|(name, _)| !earlier.contains_key(name)).chain(set) {
            changes.insert(name, value.to_string());
        }
        for (name, members) in merge {
            let before = earlier.get(&name).and_then(|text| serde_json::from_str(text).ok());
            let mut value: Map<String, Value> = before.unwrap_or_default();
            value.extend(members);
            changes.insert(name, Value::Object(value).to_string());
        }
        if !changes.is_empty() {
            self.0.store().set(&changes)?;
        }
        let mut all = Map::new();
        for (name, text) in earlier.into_iter().chain(changes).filter(|(name, _)| name != IMPORTS) {
            all.insert(name, serde_json::from_str(&text).unwrap_or(Value::Null));
        }
        Ok(Value::Object(all))
    }

    /// Counts the moves that the games which pass the `filter` of a query, as JSON, played in its position.
    pub fn found(&mut self, query: &str) -> Result<Option<Vec<Continuation>>> {
        let Some(filter) = parameter(query, "filter") else { return Ok(None) };
        let position = query::game(query, "moves")?.last_position();
        // The position is that of the query, not that of the filter.
        let FilterRequest { filter, reversed, .. } = serde_json::from_str(&filter)?;
        Ok(Some(self.0.continuations(&position, reversed, filter)?.list()))
    }

    /// Returns what was changed after a revision, to be stored by a page without a server.
    pub fn changes(&mut self, since: i64) -> Result<Value> {
        let mut ids = Vec::new();
        self.0.store().changed_since(since, &mut |summary| ids.push(summary.id))?;
        let mut games = Vec::new();
        for id in ids {
            games.extend(self.0.store().game(id)?);
        }
        let saved = LibraryState {
            games,
            settings: self.0.store().settings()?,
            revision: self.0.store().revision()?,
        };
        Ok(serde_json::to_value(saved)?)
    }

    /// Restores a library from its stored changes.
    pub fn restore(saved: &[u8]) -> Result<Self> {
        let LibraryState { games, settings, revision } = serde_json::from_slice(saved)?;
        Ok(Self(Library::new(Box::new(Memory::of(games, settings, revision)))?))
    }

    fn reports(&mut self) -> Result<Value> {
        let reports = self.0.store().settings()?.remove(IMPORTS);
        Ok(reports.and_then(|reports| serde_json::from_str(&reports).ok()).unwrap_or_else(|| json!([])))
    }

    /// Returns the games that a request for an [`export`](Self::export) names.
    pub fn exported(&mut self, request: &[u8]) -> Result<Vec<GameId>> {
        self.selected(serde_json::from_slice(request)?)
    }

    fn selected(&mut self, selection: GameSelection) -> Result<Vec<GameId>> {
        match selection.ids {
            Some(ids) => Ok(ids),
            None => Ok(self.0.ids(&placed(selection.query)?)?),
        }
    }

    /// Appends games to a text in PDN.
    pub fn export(&mut self, ids: &[GameId], out: &mut String) -> Result<()> {
        Ok(self.0.export(ids, out)?)
    }

    /// Imports the games of a text, and returns the report, which is also kept if the import fails. Between two
    /// parts, others can use the library.
    pub fn import<L: DerefMut<Target = Self>>(
        lock: impl Fn() -> L,
        import: &Import,
        text: impl Read,
    ) -> Result<Value> {
        let mut report = ImportReport::default();
        let mut batches = Importer::new(text, IMPORTED, import.now);
        let imported = batches.try_for_each(|batch| lock().0.add(batch, &mut report));
        let kept = lock().keep(import, &report, imported.as_ref().err());
        imported?;
        kept
    }

    /// Adds the report of an import to the latest ones, and returns it.
    fn keep(&mut self, import: &Import, report: &ImportReport, error: Option<&StoreError>) -> Result<Value> {
        let mut entry = serde_json::to_value(report)?;
        entry["name"] = import.name.as_str().into();
        entry["time"] = import.now.into();
        entry["collection"] = IMPORTED.into();
        if let Some(error) = error {
            entry["error"] = error.to_string().into();
        }
        let mut reports = vec![entry.clone()];
        reports.extend(self.reports()?.as_array().into_iter().flatten().take(MAX_REPORTS - 1).cloned());
        self.0.store().set(&[(IMPORTS.to_owned(), Value::Array(reports).to_string())].into())?;
        Ok(entry)
    }
}

/// Reads the position of a query's filter, if it has one.
fn placed(Query { filter, sort, descending }: QueryRequest) -> Result<Query> {
    let FilterRequest { fen, moves, reversed, mut filter } = filter;
    if !(fen.is_empty() && moves.is_empty()) {
        filter.position = Some(PositionKeys::of(&line(&fen, &moves)?.last_position(), reversed));
    }
    Ok(Query { filter, sort, descending })
}

/// Returns what the page has stored of a game.
fn stated(game: &StoredGame) -> Option<Value> {
    game.value.state.as_ref().and_then(|state| serde_json::from_str(state).ok())
}

/// Returns a game for the page: what it has stored, and the game as read from its text.
fn opened(game: &StoredGame) -> Value {
    let StoredGame { id, revision, value: LibraryGame { summary, name, pdn, .. } } = game;
    json!({
        "id": id, "name": name, "revision": revision, "collection": summary.collection,
        "added": summary.added, "deleted": summary.deleted, "state": stated(game),
        "game": games::first(pdn.as_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;
    use kelso_batch::testing::Folder;
    use kelso_library::Database;
    use kelso_library::import::BATCH;

    /// Returns a library with one game.
    fn service() -> LibraryService {
        let mut service = LibraryService(Library::new(Box::<Memory>::default()).unwrap());
        assert_eq!(ask(&mut service, &save()), json!({ "id": 1, "revision": 1 }));
        service
    }

    fn save() -> Value {
        json!({ "do": "save", "game": "m1", "revision": 0, "pdn": "11-15 23-19 1-0", "state": "{\"a\":1}", "now": 5 })
    }

    fn ask(service: &mut LibraryService, request: &Value) -> Value {
        service.answer(request.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_conflict_has_the_other_game() {
        let conflict = &ask(&mut service(), &save())["conflict"];
        assert_eq!(conflict["state"], json!({ "a": 1 }));
        assert_eq!(conflict["game"]["plies"], "11-15 23-19");
    }

    #[test]
    fn lists_have_the_games_with_a_position() {
        let mut service = service();
        let mut list =
            |filter: Value| ask(&mut service, &json!({ "do": "list", "limit": 9, "filter": filter }));
        let found = list(json!({ "moves": "11-15" }));
        assert_eq!(found["count"], 1);
        assert_eq!(found["games"][0]["name"], "m1");
        assert_eq!(found["games"][0]["result"], "1-0");
        assert_eq!(list(json!({ "moves": "11-15", "reversed": true }))["count"], 1);
        assert_eq!(list(json!({ "moves": "9-13" }))["count"], 0);
        let place = ask(&mut service, &json!({ "do": "neighbours", "game": "m1" }));
        assert_eq!(place, json!({ "place": 0, "count": 1, "previous": null, "next": null }));
    }

    #[test]
    fn games_are_deleted() {
        let mut service = service();
        let deleted = ask(&mut service, &json!({ "do": "change", "ids": [1], "deleted": true }));
        assert_eq!(deleted["ids"], json!([1]));
        assert_eq!(ask(&mut service, &json!({ "do": "list" }))["count"], 0);
        let collections = ask(&mut service, &json!({ "do": "collections" }));
        assert_eq!(collections, json!({ "collections": {}, "deleted": 1 }));
    }

    #[test]
    fn a_game_is_opened_at_a_position() {
        let mut service = service();
        let place = ask(&mut service, &json!({ "do": "game", "game": "m1", "moves": "11-15" }));
        assert_eq!(place["ply"], 1);
        assert_eq!(place["game"]["plies"], "11-15 23-19");
        assert_eq!(ask(&mut service, &json!({ "do": "game", "game": "9" })), Value::Null);
    }

    #[test]
    fn settings_are_set_merged_or_initialized() {
        let mut service = service();
        for (request, settings) in [
            (json!({ "set": { "a": [1] }, "initial": { "a": 2, "b": 3 } }), json!({ "a": [1], "b": 3 })),
            (json!({ "initial": { "b": 4 } }), json!({ "a": [1], "b": 3 })),
            (json!({ "merge": { "c": { "x": 1 } } }), json!({ "a": [1], "b": 3, "c": { "x": 1 } })),
            (json!({ "merge": { "c": { "y": 2 } } }), json!({ "a": [1], "b": 3, "c": { "x": 1, "y": 2 } })),
        ] {
            let mut all = request;
            all["do"] = "settings".into();
            assert_eq!(ask(&mut service, &all), settings, "{all}");
        }
    }

    #[test]
    fn invalid_requests_are_refused() {
        for wrong in [
            json!({}),
            json!({ "do": "x" }),
            json!({ "do": "list", "filter": { "fen": "x" } }),
            json!({ "do": "list", "filter": { "colour": "b" } }),
            json!({ "do": "list", "x": 1 }),
            json!({ "do": "collections", "x": 1 }),
            json!({ "do": "suggest", "field": "player", "words": "a", "x": 1 }),
            json!({ "do": "game", "game": "1", "x": 1 }),
            json!({ "do": "save", "game": "m2", "revision": 0, "pdn": "", "now": 5, "x": 1 }),
            json!({ "do": "change", "game": [1], "deleted": true }),
            json!({ "do": "neighbours", "game": "1", "x": 1 }),
            json!({ "do": "settings", "x": 1 }),
            json!({ "do": "imports", "x": 1 }),
        ] {
            assert!(service().answer(wrong.to_string().as_bytes()).is_err(), "{wrong}");
        }
        assert!(service().exported(br#"{"games": [1]}"#).is_err());
    }

    #[test]
    fn an_import_that_fails_leaves_a_report_of_what_was_added() {
        let folder = Folder::new();
        let path = folder.path("games.library");
        let opened = |database| LibraryService::new(Library::new(Box::new(database)).unwrap());
        let writable = RefCell::new(opened(Database::open(&path).unwrap()));
        let read_only = RefCell::new(opened(Database::read_only(&path).unwrap()));
        let games: Vec<_> =
            (0..=BATCH).map(|number| format!("[Event \"{number}\"] {{x}} 11-15 *\n\n")).collect();
        let uses = Cell::new(0);
        // The second batch cannot be written.
        let lock = || {
            uses.set(uses.get() + 1);
            if uses.get() == 2 { &read_only } else { &writable }.borrow_mut()
        };
        let failed = LibraryService::import(lock, &Import::default(), games.concat().as_bytes()).unwrap_err();
        let report = &ask(&mut writable.borrow_mut(), &json!({ "do": "imports" }))[0];
        assert_eq!(report["added"], BATCH);
        let error = report["error"].as_str().unwrap();
        assert!(!error.is_empty() && failed.to_string().ends_with(error), "{failed}: {error}");
    }

    #[test]
    fn a_library_is_restored_from_its_changes() {
        let mut service = service();
        let changes = service.changes(0).unwrap();
        let mut restored = LibraryService::restore(changes.to_string().as_bytes()).unwrap();
        assert_eq!(restored.changes(0).unwrap(), changes);
        assert_eq!(restored.changes(99).unwrap()["games"], json!([]));
    }

    #[test]
    fn moves_of_the_filtered_games_are_found() {
        let mut service = service();
        let mut found = |query: &str| service.found(query).unwrap().map(|moves| moves.len());
        assert_eq!(found("filter={}&moves="), Some(1));
        assert_eq!(found("filter={\"player\":\"bob\"}&moves="), Some(0));
        assert_eq!(found("moves="), None);
        assert!(service.found("filter=x").is_err());
    }

    #[test]
    fn names_are_suggested() {
        let mut service = service();
        let save = json!({ "do": "save", "game": "named", "revision": 0, "pdn": "[Black \"Ann\"] 11-15 *", "now": 5 });
        service.answer(save.to_string().as_bytes()).unwrap();
        let names = json!({ "do": "suggest", "field": "player", "words": "an" });
        assert_eq!(service.answer(names.to_string().as_bytes()).unwrap(), json!(["Ann"]));
    }
}
