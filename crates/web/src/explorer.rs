//! The explorer: the moves in a position, with data from the opening book, the endgame databases and
//! collections of games.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::games::{self, GameList, Title};
use super::query::{self, QueryError, parameter};
use super::review;
use kelso_draughts::ballot::Ballot;
use kelso_draughts::board::{Move, Position};
use kelso_draughts::notation::movetext;
use kelso_draughts::notation::pdn::{PdnEntry, PdnReader};
use kelso_draughts::record::GameRecord;
use kelso_draughts::result::{KnownValue, Wdl};
use kelso_draughts::score::ReportedScore;
use kelso_endgames::{DatabaseOptions, Databases};
use kelso_engine::book::{Book, BookPosition};
use kelso_engine::{EmbeddedData, Probe, ProbedMove};
use kelso_library::continuations::{Continuation, PositionIndex, find};
use kelso_library::opening::Ballots;
use kelso_runtime::sync::lock;

/// Maximum number of collections kept for pages. When there are more, the oldest is replaced.
const MAX_COLLECTIONS: u64 = 8;
/// The maximum number of games listed for a position, unless the query has a `limit`.
const MAX_LISTED: usize = 200;
/// The number of the collection from the command line.
const OWN: u64 = 0;

/// A list of games, with an index of their positions.
#[derive(Debug)]
pub struct Collection {
    texts: Vec<Box<[u8]>>,
    titles: Vec<Title>,
    /// The number of plies of each game.
    lengths: Vec<usize>,
    index: PositionIndex,
}

impl Collection {
    /// Reads at most `limit` games from PDN.
    pub fn read(text: impl Read, limit: usize) -> Self {
        Self::read_each(text, limit, &Ballots::new(), |_, _, _| {})
    }

    /// Reads at most `limit` games from PDN. `each` receives them with their texts and titles, and the first
    /// game beyond the limit.
    fn read_each(
        text: impl Read,
        limit: usize,
        ballots: &Ballots,
        mut each: impl FnMut(&PdnEntry, &[u8], &Title),
    ) -> Self {
        let (mut texts, mut titles, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let mut games = PdnReader::new(text);
        let entries = std::iter::from_fn(|| {
            let entry = games.next()?;
            let game = &entry.game;
            let tag = |name| game.tags.get(name).unwrap_or("?").into();
            let opening = ballots.of(game).map_or_else(String::new, Ballot::title);
            let (result, opening) = (game.result_text().into(), opening.into());
            let title = [tag("Black"), tag("White"), tag("Event"), tag("Date"), result, opening];
            each(&entry, games.text(), &title);
            if entry.number > limit {
                return None;
            }
            let game = entry.game;
            titles.push(title);
            lengths.push(game.plies.len());
            texts.push(games.text().into());
            Some(game)
        });
        let index = PositionIndex::new(entries);
        Self { texts, titles, lengths, index }
    }

    /// Returns whether any game has a move that can be read.
    pub fn has_moves(&self) -> bool {
        self.lengths.iter().any(|&plies| plies > 0)
    }

    /// Returns the number of games that reach a position and match all words, and the first `limit` of them.
    fn games(&self, position: &Position, words: &str, limit: usize) -> (usize, Vec<Value>) {
        let words: Vec<String> = words.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let fits = |&(_, title): &(usize, &Title)| {
            words.is_empty() || {
                let title = title.join(" ").to_lowercase();
                words.iter().all(|word| title.contains(word.as_str()))
            }
        };
        let games = self.index.visits(position).filter_map(|(game, _)| Some((game, self.titles.get(game)?)));
        let (mut count, mut listed) = (0, Vec::new());
        for (game, title) in games.filter(fits) {
            count += 1;
            if listed.len() < limit {
                listed.push(json!({ "number": game + 1, "title": title, "length": self.lengths.get(game) }));
            }
        }
        (count, listed)
    }
}

/// The games with a position.
#[derive(Debug, Default)]
pub struct Found {
    /// Whether the collection exists.
    pub known: bool,
    pub continuations: Vec<Continuation>,
    /// The number of games, and the first of them.
    pub count: usize,
    pub games: Vec<Value>,
}

/// The explorer's data sources.
#[derive(Debug)]
pub struct Explorer {
    book: Option<Book>,
    databases: Databases,
    ballots: Ballots,
    /// The collections by their numbers.
    collections: Mutex<BTreeMap<u64, Arc<Collection>>>,
}

impl Explorer {
    /// Creates an explorer for this data and the collection from the command line.
    pub fn new(own: Option<Collection>, embedded: EmbeddedData) -> Self {
        let (book, databases) = open(embedded);
        let collections = Mutex::new(own.map(|own| (OWN, Arc::new(own))).into_iter().collect());
        Self { book, databases, ballots: Ballots::new(), collections }
    }

    /// Replaces the book and the databases.
    pub fn embed(&mut self, embedded: EmbeddedData) {
        (self.book, self.databases) = open(embedded);
    }

    /// Reads the games of a PDN text as [`games::read`] does, and stores them as a collection.
    pub fn read(&self, text: &[u8]) -> Value {
        let mut list = GameList::default();
        let add = |entry: &PdnEntry, text: &[u8], title: &Title| list.add(entry, text, Some(title));
        let collection = Collection::read_each(text, games::MAX_GAMES, &self.ballots, add);
        let mut answer = list.into_json();
        answer["collection"] = self.keep(collection).into();
        answer
    }

    /// Stores a collection for a page and returns its number.
    fn keep(&self, collection: Collection) -> u64 {
        let mut collections = lock(&self.collections);
        let number = collections.last_key_value().map_or(OWN, |(&number, _)| number) + 1;
        collections.insert(number, Arc::new(collection));
        collections.retain(|&known, _| known == OWN || known + MAX_COLLECTIONS > number);
        number
    }

    /// Returns the collection that a query names, or `None` if it does not exist or was replaced.
    fn collection(&self, query: &str) -> Option<Arc<Collection>> {
        let number = parameter(query, "games").map_or(Some(OWN), |number| number.parse().ok())?;
        lock(&self.collections).get(&number).cloned()
    }

    /// Returns a game of a collection, in the format of `/games`, and the ply at which it reaches the
    /// query's position.
    pub fn game(&self, query: &str) -> Option<Value> {
        let number: usize = parameter(query, "number")?.parse().ok()?;
        let collection = self.collection(query)?;
        let text = collection.texts.get(number.checked_sub(1)?)?;
        let mut game = games::read(text)["games"][0].take();
        let entry = PdnReader::new(text.as_ref()).next()?;
        let ply = line(query).ok().and_then(|line| find(&entry.game, &line.last_position(), None));
        game["ply"] = ply.map(|(ply, _)| ply).into();
        Some(game)
    }

    /// Describes the position of a query, given by `fen` and the `moves` from there. `games` is the number of
    /// a collection, and `words` and `limit` restrict the listed games; or else `found` has the games.
    pub fn explore(&self, query: &str, found: Option<Found>) -> Result<Value, QueryError> {
        let game = line(query)?;
        let position = game.last_position();
        let Found { known, continuations, count, games } =
            found.unwrap_or_else(|| self.found(query, &position));
        Ok(json!({
            "known": known,
            "opening": self.ballots.of(&game).map(Ballot::title),
            "moves": self.moves(&position, &continuations),
            "ended": continuations.iter().find(|known| known.text.is_none()),
            "count": count,
            "games": games,
        }))
    }

    /// Finds the games of the collection of a query.
    fn found(&self, query: &str, position: &Position) -> Found {
        let Some(collection) = self.collection(query) else { return Found::default() };
        let words = parameter(query, "words").unwrap_or_default();
        let limit = parameter(query, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(MAX_LISTED);
        let (count, games) = collection.games(position, &words, limit);
        Found { known: true, continuations: collection.index.continuations(position).list(), count, games }
    }

    /// Returns the moves of a position, most popular first, then best first.
    fn moves(&self, position: &Position, continuations: &[Continuation]) -> Vec<Value> {
        let found = self.book.as_ref().and_then(|book| book.look_up(position));
        let played = |text: &str| continuations.iter().find(|known| known.text.as_deref() == Some(text));
        let mut moves: Vec<_> = Probe::of(&self.databases, position)
            .best_first()
            .into_iter()
            .map(|ProbedMove { mv, known, errors }| {
                let text = movetext::format(position, mv);
                let place = found.iter().flat_map(|found| &found.moves).position(|known| known.mv == mv);
                let games = played(&text).map_or(0, |known| known.games);
                let value = known.map(database_value).or_else(|| book_value(found.as_ref()?, mv));
                let errors = errors.map(|errors| errors.to_string());
                let entry =
                    json!({ "move": text, "played": played(&text), "value": value, "errors": errors });
                ((std::cmp::Reverse(games), place), entry)
            })
            .collect();
        moves.sort_by_key(|&(key, _)| key);
        moves.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// Opens the databases and, if there is one, the book.
fn open(EmbeddedData { databases, book }: EmbeddedData) -> (Option<Book>, Databases) {
    let options = DatabaseOptions { embedded: databases, ..DatabaseOptions::default() };
    (Book::in_memory(book).ok(), Databases::open(&options))
}

/// Returns the game of a query: its start and its moves.
fn line(query: &str) -> Result<GameRecord, QueryError> {
    let text = |name| parameter(query, name).unwrap_or_default();
    query::line(&text("fen"), &text("moves"))
}

/// Returns the value of a move as a score in the page's format, for the side that makes it.
fn database_value(known: KnownValue) -> Value {
    let mut value = review::score(match known.result {
        Wdl::Win => ReportedScore::Win(known.plies),
        Wdl::Loss => ReportedScore::Loss(known.plies),
        Wdl::Draw => ReportedScore::Cp(0),
    });
    value["by"] = "database".into();
    value
}

fn book_value(found: &BookPosition, mv: Move) -> Option<Value> {
    let known = found.moves.iter().find(|known| known.mv == mv)?;
    let score = found.score.less(known.drop)?;
    let mut value = review::score(score.reported());
    value["by"] = "book".into();
    value["depth"] = found.depth.into();
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pdn: &str) -> Collection {
        Collection::read(pdn.as_bytes(), 100)
    }

    fn explorer(pdn: &str) -> Explorer {
        Explorer::new(Some(read(pdn)), EmbeddedData::default())
    }

    #[test]
    fn moves_have_games_and_values() {
        let explorer =
            explorer("[White \"Ann\"] 11-15 23-19 1-0\n\n[White \"Bob\"] 11-15 22-18 0-1\n\n9-13 *\n");
        let value = explorer.explore("moves=", None).unwrap();
        assert_eq!((&value["moves"][0]["move"], &value["count"]), (&json!("11-15"), &json!(3)));
        assert_eq!(
            (&value["moves"][0]["played"]["games"], &value["moves"][0]["value"]["by"]),
            (&json!(2), &json!("book"))
        );
        assert_eq!(value["moves"].as_array().unwrap().len(), 7);
        assert_eq!(explorer.explore("games=x", None).unwrap()["known"], json!(false));
        let value = explorer.explore("moves=11-15&words=bob", None).unwrap();
        assert_eq!((&value["count"], &value["games"][0]["number"]), (&json!(1), &json!(2)));
        let game = explorer.game("number=2&moves=11-15").unwrap();
        assert_eq!((&game["plies"], &game["ply"]), (&json!("11-15 22-18"), &json!(1)));
        assert!(explorer.game("number=4").is_none() && explorer.game("number=0").is_none());
        let value = explorer.explore("moves=11-15,23-18,8-11", None).unwrap();
        assert!(value["opening"].as_str().unwrap().contains("Cross"), "{value}");
    }

    #[test]
    fn endings_have_the_values_of_databases() {
        let value = explorer("").explore("fen=B:W32:BK22,K23", None).unwrap();
        assert_eq!(value["moves"][0]["value"], json!({ "kind": "win", "value": 5, "by": "database" }));
        for query in ["fen=x", "moves=11-17", "moves=x"] {
            assert!(explorer("").explore(query, None).is_err(), "{query}");
        }
    }

    #[test]
    fn collections_of_pages_are_kept_for_some_time() {
        let explorer = Explorer::new(None, EmbeddedData::default());
        let numbers: Vec<u64> = (0..=MAX_COLLECTIONS).map(|_| explorer.keep(read("11-15 *"))).collect();
        let count =
            |number: u64| explorer.explore(&format!("games={number}"), None).unwrap()["count"].clone();
        assert_eq!((count(numbers[0]), count(numbers[1]), count(OWN)), (json!(0), json!(1), json!(0)));
    }
}
