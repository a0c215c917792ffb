//! The explorer: the moves in a position, with data from the opening book, the endgame databases and
//! collections of games.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::games;
use super::query::{self, QueryError, number, parameter};
use super::review;
use kelso_draughts::ballot::Ballot;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::notation::movetext;
use kelso_draughts::notation::pdn::PdnReader;
use kelso_draughts::result::KnownValue;
use kelso_engine::book::BookPosition;
use kelso_engine::{EmbeddedData, Engine, Probe, ProbedMove};
use kelso_library::continuations::{Continuation, PositionIndex};
use kelso_runtime::sync::lock;

/// Maximum number of collections kept for pages. When there are more, the oldest is replaced.
const MAX_COLLECTIONS: u64 = 8;
/// The number of the collection from the command line.
const OWN: u64 = 0;

/// Indexes the positions of the games of a PDN text.
pub fn index(text: impl Read) -> PositionIndex {
    PositionIndex::new(PdnReader::new(text).map(|entry| entry.game))
}

/// The explorer's data sources.
#[derive(Debug)]
pub struct Explorer {
    /// The engine whose book and databases are shown.
    engine: Engine,
    /// The collections by their numbers.
    collections: Mutex<BTreeMap<u64, Arc<PositionIndex>>>,
}

impl Explorer {
    /// Creates an explorer for the book and the databases of an engine, and the collection from the command
    /// line.
    pub fn new(own: Option<PositionIndex>, engine: Engine) -> Self {
        let collections = Mutex::new(own.map(|own| (OWN, Arc::new(own))).into_iter().collect());
        Self { engine, collections }
    }

    /// Replaces the book and the databases.
    pub fn embed(&mut self, embedded: EmbeddedData) {
        self.engine.embed(embedded);
    }

    /// Reads the games of a PDN text as [`games::read`] does, and stores their positions as a collection.
    pub fn read(&self, text: &[u8]) -> Value {
        let mut answer = games::read(text);
        answer["collection"] = self.keep(index(text)).into();
        answer
    }

    /// Stores a collection for a page and returns its number.
    fn keep(&self, collection: PositionIndex) -> u64 {
        let mut collections = lock(&self.collections);
        let number = collections.last_key_value().map_or(OWN, |(&number, _)| number) + 1;
        collections.insert(number, Arc::new(collection));
        collections.retain(|&known, _| known == OWN || known + MAX_COLLECTIONS > number);
        number
    }

    /// Returns the collection that a query names, or `None` if it does not exist or was replaced.
    fn collection(&self, query: &str) -> Result<Option<Arc<PositionIndex>>, QueryError> {
        let number = number(query, "games")?.unwrap_or(OWN);
        Ok(lock(&self.collections).get(&number).cloned())
    }

    /// Describes the position of a query, given by `fen` and the `moves` from there. `played` are the moves
    /// of the library's games, or else those of the collection with the number `games` count. The opening is that
    /// of the moves in `line`, if it is given.
    pub fn explore(&self, query: &str, played: Option<Vec<Continuation>>) -> Result<Value, QueryError> {
        let game = query::game(query, "moves")?;
        let position = game.last_position();
        let named = if parameter(query, "line").is_some() { query::game(query, "line")? } else { game };
        let collection = if played.is_some() { None } else { self.collection(query)? };
        let is_known = played.is_some() || collection.is_some();
        let index = collection.as_ref().map(|collection| collection.continuations(&position).list());
        let continuations = played.or(index).unwrap_or_default();
        Ok(json!({
            "known": is_known,
            "opening": Ballot::of_game(&named).map(Ballot::title),
            "moves": self.moves(&position, &continuations),
            "ended": continuations.iter().find(|continuation| continuation.text.is_none()),
        }))
    }

    /// Returns the moves of a position, most popular first, then best first.
    fn moves(&self, position: &Position, continuations: &[Continuation]) -> Vec<Value> {
        let book = self.engine.book().and_then(|book| book.look_up(position));
        let mut moves = Vec::new();
        for ProbedMove { mv, known, errors } in Probe::of(self.engine.databases(), position).best_first() {
            let text = movetext::format(position, mv);
            let place = book.as_ref().and_then(|book| book.moves.iter().position(|entry| entry.mv == mv));
            let played = continuations.iter().find(|played| played.text.as_ref() == Some(&text));
            let games = played.map_or(0, |played| played.games);
            let value = known.map(database_value).or_else(|| book_value(book.as_ref()?, mv));
            let errors = errors.map(|errors| errors.to_string());
            let entry = json!({ "move": text, "played": played, "value": value, "errors": errors });
            moves.push(((std::cmp::Reverse(games), place), entry));
        }
        moves.sort_by_key(|&(key, _)| key);
        moves.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// Returns the value of a move as a score in the page's format, for the side that makes it.
fn database_value(result: KnownValue) -> Value {
    let mut value = review::score(result.into());
    value["by"] = "database".into();
    value
}

fn book_value(position: &BookPosition, mv: Move) -> Option<Value> {
    let book_move = position.moves.iter().find(|book_move| book_move.mv == mv)?;
    let score = position.score.less(book_move.drop)?;
    let mut value = review::score(score.reported());
    value["by"] = "book".into();
    value["depth"] = position.depth.into();
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_engine::Setting;

    fn engine() -> Engine {
        Engine::new([Setting::Hash(1)]).unwrap()
    }

    fn explorer(pdn: &str) -> Explorer {
        Explorer::new(Some(index(pdn.as_bytes())), engine())
    }

    #[test]
    fn moves_have_games_and_values() {
        let explorer =
            explorer("[White \"Ann\"] 11-15 23-19 1-0\n\n[White \"Bob\"] 11-15 22-18 0-1\n\n9-13 *\n");
        let value = explorer.explore("moves=", None).unwrap();
        assert_eq!((&value["moves"][0]["move"], &value["known"]), (&json!("11-15"), &json!(true)));
        assert_eq!(
            (&value["moves"][0]["played"]["games"], &value["moves"][0]["value"]["by"]),
            (&json!(2), &json!("book"))
        );
        assert_eq!(value["moves"].as_array().unwrap().len(), 7);
        let value = explorer.explore("moves=", Some(Vec::new())).unwrap();
        assert_eq!((&value["moves"][0]["played"], &value["known"]), (&Value::Null, &json!(true)));
        for query in ["moves=11-15,23-18,8-11", "moves=11-15&line=11-15,23-18,8-11"] {
            let value = explorer.explore(query, None).unwrap();
            assert!(value["opening"].as_str().unwrap().contains("Cross"), "{value}");
        }
    }

    #[test]
    fn endings_have_the_values_of_databases() {
        let value = explorer("").explore("fen=B:W32:BK22,K23", None).unwrap();
        assert_eq!(value["moves"][0]["value"], json!({ "kind": "win", "value": 5, "by": "database" }));
        for query in ["fen=x", "moves=11-17", "moves=x", "games=x"] {
            assert!(explorer("").explore(query, None).is_err(), "{query}");
        }
    }

    #[test]
    fn collections_of_pages_are_kept_for_some_time() {
        let explorer = Explorer::new(None, engine());
        let numbers: Vec<u64> =
            (0..=MAX_COLLECTIONS).map(|_| explorer.keep(index(&b"11-15 *"[..]))).collect();
        let is_known =
            |number: u64| explorer.explore(&format!("games={number}"), None).unwrap()["known"].clone();
        let found = (is_known(numbers[0]), is_known(numbers[1]), is_known(OWN));
        assert_eq!(found, (json!(false), json!(true), json!(false)));
    }
}
