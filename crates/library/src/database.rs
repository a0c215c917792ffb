//! A library in a file: an `SQLite` database, which several programs can use at the same time, and which is
//! whole after any of them is killed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::time::Duration;

use rusqlite::ffi::ErrorCode;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::import::{IMPORTED, ImportReport, Importer};
use crate::library::Library;
use crate::store::{Change, Result, Saved, Store, StoreError, visits_of};
use crate::stored_game::{
    GameId, Heading, LibraryGame, NewGame, Stored, StoredGame, Summary, Visit, result_of, result_text,
};

/// The number by which the database of this program is recognised.
const APPLICATION: i64 = 0x4b65_6c73;
/// The version of the schema. A new version needs an entry in [`MIGRATIONS`].
#[expect(clippy::cast_possible_wrap, reason = "a small number")]
const VERSION: i64 = MIGRATIONS.len() as i64;
/// The first bytes of every `SQLite` database.
pub const MAGIC: &[u8] = b"SQLite format 3\0";
/// How long to wait for another program that writes.
const BUSY: Duration = Duration::from_secs(20);
/// Files up to this size are checked completely when they are opened.
const MAX_CHECKED: u64 = 64 << 20;

/// How a library is opened to read it. If it could not be written, `SQLite` would leave its journal there.
const READING: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// The statements that bring a database from each version to the next.
const MIGRATIONS: [&str; 1] = ["
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    name TEXT UNIQUE,
    revision INTEGER NOT NULL,
    added INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    collection TEXT NOT NULL,
    digest INTEGER NOT NULL,
    reviewed INTEGER NOT NULL,
    black TEXT NOT NULL,
    white TEXT NOT NULL,
    event TEXT NOT NULL,
    date TEXT NOT NULL,
    result TEXT NOT NULL,
    opening TEXT NOT NULL,
    length INTEGER NOT NULL,
    annotated INTEGER NOT NULL
);
CREATE INDEX games_by_revision ON games (revision);
CREATE TABLE texts (game INTEGER PRIMARY KEY, pdn TEXT NOT NULL, state TEXT);
CREATE TABLE visits (position INTEGER, game INTEGER, next INTEGER, PRIMARY KEY (position, game)) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE changes (revision INTEGER NOT NULL);
INSERT INTO changes VALUES (0);
"];

const COLUMNS: &str = "id, revision, added, deleted, collection, digest, reviewed, black, white, event, date, result, \
                       opening, length, annotated";

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.into()),
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Other(error.into()),
        }
    }
}

impl ToSql for GameId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for GameId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        FromSql::column_result(value).map(Self)
    }
}

/// A store in a file.
#[derive(Debug)]
pub struct Database(Connection);

impl Database {
    /// Opens a library, or creates it if the file does not exist. A file that is not a library, is damaged or
    /// was written by a newer version is not changed.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(StoreError::Io)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let (mut connection, version) = connect(path, flags)?;
        if version < VERSION {
            migrate(&mut connection)?;
        }
        // Commits survive the end of the program. After a power cut, the last ones may be missing.
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; \
             PRAGMA journal_size_limit = 16000000;",
        )?;
        Ok(Self(connection))
    }

    /// Opens a library of the current version to read it.
    pub fn read_only(path: &Path) -> Result<Self> {
        match connect(path, READING)? {
            (connection, VERSION) => {
                connection.execute_batch("PRAGMA query_only = ON")?;
                Ok(Self(connection))
            }
            (_, version) => Err(StoreError::Older(version, VERSION)),
        }
    }

    fn write(&mut self) -> Result<(Transaction<'_>, i64)> {
        let transaction = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let revision = transaction.query_row(
            "UPDATE changes SET revision = revision + 1 RETURNING revision",
            [],
            first_column,
        )?;
        Ok((transaction, revision))
    }
}

/// Opens and checks a database. Returns its version, which is not newer than the current one.
fn connect(path: &Path, flags: OpenFlags) -> Result<(Connection, i64)> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    let number = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], first_column);
    let is_empty = connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], first_column)?;
    let application: i64 = number("application_id")?;
    if application != APPLICATION && !(is_empty && application == 0) {
        return Err(StoreError::Foreign);
    }
    let version = supported_version(&connection)?;
    if fs::metadata(path).is_ok_and(|file| file.len() <= MAX_CHECKED) {
        let damage: String = connection.query_row("PRAGMA quick_check(1)", [], first_column)?;
        if damage != "ok" {
            return Err(StoreError::Damaged(damage.into()));
        }
    }
    Ok((connection, version))
}

/// Returns the version of a database, unless it is newer than the current one.
fn supported_version(connection: &Connection) -> Result<i64> {
    let version = connection.query_row("PRAGMA user_version", [], first_column)?;
    if version > VERSION { Err(StoreError::Newer(version, VERSION)) } else { Ok(version) }
}

/// Brings a database to the current version. Another program may do so at the same time.
fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = supported_version(&transaction)?;
    for (_, statements) in (0..).zip(MIGRATIONS).filter(|&(number, _)| number >= version) {
        transaction.execute_batch(statements)?;
    }
    transaction
        .execute_batch(&format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"))?;
    Ok(transaction.commit()?)
}

/// The games of a library that are not deleted, as PDN text.
#[derive(Debug)]
pub struct PdnText {
    database: Database,
    ids: std::vec::IntoIter<GameId>,
    part: Cursor<Vec<u8>>,
}

impl PdnText {
    /// Opens a library to read its games.
    pub fn open(path: &Path) -> Result<Self> {
        let database = Database::read_only(path)?;
        let ids = {
            let mut statement = database.0.prepare("SELECT id FROM games WHERE NOT deleted ORDER BY id")?;
            let ids = statement.query_map([], first_column)?;
            ids.collect::<rusqlite::Result<Vec<GameId>>>()?
        };
        Ok(Self { database, ids: ids.into_iter(), part: Cursor::default() })
    }

    /// Returns the size of the text of a library in bytes, without checking the library.
    pub fn size(path: &Path) -> Result<u64> {
        let connection = Connection::open_with_flags(path, READING)?;
        // A game ends with a line break, and an empty line follows.
        let sum = "SELECT ifnull(sum(octet_length(pdn) + 1), 0) FROM texts \
                   JOIN games ON game = id WHERE NOT deleted";
        let size: i64 = connection.query_row(sum, [], first_column)?;
        Ok(size.unsigned_abs())
    }
}

impl Read for PdnText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.part.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let Some(id) = self.ids.next() else { return Ok(0) };
            // Another program may have deleted the game.
            if let Some(game) = find_game(&self.database.0, id).map_err(io::Error::other)? {
                self.part = Cursor::new(format!("{}\n\n", game.value.pdn.trim_end()).into_bytes());
            }
        }
    }
}

/// The size of the text that is collected before its games are added together.
const COLLECTED: usize = 8 << 20;

/// A library to which games are added, at a time in milliseconds since 1970.
#[derive(Debug)]
pub struct LibraryWriter {
    library: Library,
    text: String,
    added: i64,
    report: ImportReport,
}

impl LibraryWriter {
    /// Opens a library, or creates it if the file does not exist.
    pub fn open(path: &Path, added: i64) -> Result<Self> {
        Self::new(Database::open(path)?, added)
    }

    /// Turns an empty file into a library. No other process uses the file until it is complete.
    pub fn create(path: &Path, added: i64) -> Result<Self> {
        let mut connection = Connection::open(path)?;
        // A journal would be a second file.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
        migrate(&mut connection)?;
        Self::new(Database(connection), added)
    }

    fn new(database: Database, added: i64) -> Result<Self> {
        let library = Library::new(Box::new(database))?;
        Ok(Self { library, text: String::new(), added, report: ImportReport::default() })
    }

    /// Adds whole games.
    pub fn add(&mut self, pdn: &str) -> Result<()> {
        self.text.push_str(pdn);
        if self.text.len() < COLLECTED { Ok(()) } else { self.store() }
    }

    fn store(&mut self) -> Result<()> {
        let text = std::mem::take(&mut self.text);
        for batch in Importer::new(text.as_bytes(), IMPORTED, self.added) {
            self.library.add(batch, &mut self.report)?;
        }
        Ok(())
    }

    /// Stores all games that were added, except those that the library has.
    pub fn finish(mut self) -> Result<ImportReport> {
        self.store()?;
        Ok(self.report)
    }
}

fn first_column<T: FromSql>(row: &Row<'_>) -> rusqlite::Result<T> {
    row.get(0)
}

/// Reads a row that begins with a number, a revision and the columns of a value.
fn stored<T>(
    row: &Row<'_>,
    value: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Stored<T>> {
    Ok(Stored { id: row.get(0)?, revision: row.get(1)?, value: value(row)? })
}

fn summary(row: &Row<'_>) -> rusqlite::Result<Summary> {
    Ok(Summary {
        added: row.get(2)?,
        deleted: row.get(3)?,
        collection: row.get(4)?,
        digest: row.get(5)?,
        heading: Heading {
            reviewed: row.get(6)?,
            black: row.get(7)?,
            white: row.get(8)?,
            event: row.get(9)?,
            date: row.get(10)?,
            result: result_of(row.get_ref(11)?.as_str()?),
            opening: row.get(12)?,
            length: row.get(13)?,
            annotated: row.get(14)?,
        },
    })
}

fn find_game(connection: &Connection, id: GameId) -> Result<Option<StoredGame>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS}, name, pdn, state FROM games JOIN texts ON game = id WHERE id = ?1"
    ))?;
    let game = |row: &Row<'_>| {
        let summary = summary(row)?;
        Ok(LibraryGame { summary, name: row.get(15)?, pdn: row.get(16)?, state: row.get(17)? })
    };
    Ok(statement.query_row([id], |row| stored(row, game)).optional()?)
}

fn find_name(connection: &Connection, name: &str) -> Result<Option<GameId>> {
    let mut statement = connection.prepare_cached("SELECT id FROM games WHERE name = ?1")?;
    Ok(statement.query_row([name], first_column).optional()?)
}

/// Writes a game, and returns its number. Without a number, it is a new one.
fn put(
    transaction: &Transaction<'_>,
    id: Option<GameId>,
    revision: i64,
    LibraryGame { summary, name, pdn, state }: &LibraryGame,
) -> Result<GameId> {
    let heading = &summary.heading;
    let mut statement = transaction.prepare_cached(&format!(
        "INSERT OR REPLACE INTO games ({COLUMNS}, name) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) RETURNING id"
    ))?;
    let values = params![
        id,
        revision,
        summary.added,
        summary.deleted,
        summary.collection,
        summary.digest,
        heading.reviewed,
        heading.black,
        heading.white,
        heading.event,
        heading.date,
        result_text(heading.result),
        heading.opening,
        heading.length,
        heading.annotated,
        name,
    ];
    let id = statement.query_row(values, first_column)?;
    let mut statement =
        transaction.prepare_cached("INSERT OR REPLACE INTO texts (game, pdn, state) VALUES (?1, ?2, ?3)")?;
    statement.execute(params![id, pdn, state])?;
    Ok(id)
}

fn put_visits(transaction: &Transaction<'_>, visits: impl IntoIterator<Item = Visit<GameId>>) -> Result<()> {
    let mut statement = transaction
        .prepare_cached("INSERT OR IGNORE INTO visits (position, game, next) VALUES (?1, ?2, ?3)")?;
    for visit in visits {
        statement.execute(params![visit.position, visit.game, visit.next])?;
    }
    Ok(())
}

impl Store for Database {
    fn revision(&mut self) -> Result<i64> {
        Ok(self.0.prepare_cached("SELECT revision FROM changes")?.query_row([], first_column)?)
    }

    fn changed_since(&mut self, revision: i64, each: &mut dyn FnMut(Stored<Summary>)) -> Result<()> {
        let sql = format!("SELECT {COLUMNS} FROM games WHERE revision > ?1 ORDER BY id");
        let mut statement = self.0.prepare_cached(&sql)?;
        for found in statement.query_map([revision], |row| stored(row, summary))? {
            each(found?);
        }
        Ok(())
    }

    fn game(&mut self, id: GameId) -> Result<Option<StoredGame>> {
        find_game(&self.0, id)
    }

    fn named(&mut self, name: &str) -> Result<Option<GameId>> {
        find_name(&self.0, name)
    }

    fn add(&mut self, games: Vec<NewGame>) -> Result<Vec<GameId>> {
        let (transaction, revision) = self.write()?;
        let mut ids = Vec::with_capacity(games.len());
        let mut all_visits = Vec::new();
        for NewGame { game, visits, .. } in games {
            let id = put(&transaction, None, revision, &game)?;
            ids.push(id);
            all_visits.extend(visits.into_iter().map(|visit| visit.in_game(id)));
        }
        // In the order of the index, each of its pages is written once.
        all_visits.sort_unstable();
        put_visits(&transaction, all_visits)?;
        transaction.commit()?;
        Ok(ids)
    }

    fn save(&mut self, id: Option<GameId>, revision: i64, game: LibraryGame) -> Result<Saved> {
        let (transaction, new_revision) = self.write()?;
        let named = match &game.name {
            Some(name) => find_name(&transaction, name)?,
            None => None,
        };
        let mut before = match named.or(id) {
            Some(id) => find_game(&transaction, id)?,
            None => None,
        };
        if let Some(before) = before.take_if(|before| before.revision != revision) {
            return Ok(Saved::Conflict(Box::new(before)));
        }
        let id = put(&transaction, before.as_ref().map(|before| before.id), new_revision, &game)?;
        let before = before.map(|before| before.value.pdn);
        if before.as_ref() != Some(&game.pdn) {
            let mut statement =
                transaction.prepare_cached("DELETE FROM visits WHERE position = ?1 AND game = ?2")?;
            for visit in before.iter().flat_map(|before| visits_of(id, before)) {
                statement.execute(params![visit.position, id])?;
            }
            drop(statement);
            put_visits(&transaction, visits_of(id, &game.pdn))?;
        }
        transaction.commit()?;
        Ok(Saved::As(id, new_revision))
    }

    fn change(&mut self, ids: &[GameId], change: &Change) -> Result<()> {
        let (transaction, revision) = self.write()?;
        for id in ids {
            match change {
                Change::Deleted(deleted) => transaction
                    .prepare_cached("UPDATE games SET deleted = ?1, revision = ?2 WHERE id = ?3")?
                    .execute(params![deleted, revision, id])?,
                Change::Collection(name) => transaction
                    .prepare_cached("UPDATE games SET collection = ?1, revision = ?2 WHERE id = ?3")?
                    .execute(params![name, revision, id])?,
            };
        }
        Ok(transaction.commit()?)
    }

    fn visits(&mut self, position: i64) -> Result<Vec<Visit<GameId>>> {
        let mut statement = self.0.prepare_cached("SELECT game, next FROM visits WHERE position = ?1")?;
        let visits = statement
            .query_map([position], |row| Ok(Visit { position, game: row.get(0)?, next: row.get(1)? }))?;
        Ok(visits.collect::<rusqlite::Result<_>>()?)
    }

    fn settings(&mut self) -> Result<BTreeMap<String, String>> {
        let mut statement = self.0.prepare_cached("SELECT name, value FROM settings")?;
        let settings = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(settings.collect::<rusqlite::Result<_>>()?)
    }

    fn set(&mut self, settings: &BTreeMap<String, String>) -> Result<()> {
        let (transaction, _) = self.write()?;
        for (name, value) in settings {
            transaction
                .prepare_cached("INSERT OR REPLACE INTO settings (name, value) VALUES (?1, ?2)")?
                .execute([name, value])?;
        }
        Ok(transaction.commit()?)
    }
}
