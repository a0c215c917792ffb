//! The requests to a library.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use serde::Deserialize;

use crate::continuations::Continuations;
use crate::filter::{Column, Entry, Field, Filter, PositionKeys, Texts, select, suggestions};
use crate::import::{ImportBatch, ImportReport};
use crate::memory::Memory;
use crate::store::{Change, Result, Saved, Store};
use crate::stored_game::{
    GameId, Heading, LibraryGame, NewGame, StoredGame, Summary, digest, position_key, read_game,
};
use kelso_draughts::board::Position;

/// The number of lists that are remembered.
const MAX_VIEWS: usize = 6;

/// A filtered and sorted list of games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Query<F = Filter> {
    pub filter: F,
    pub sort: Column,
    pub descending: bool,
}

/// A game to be saved.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The name or number of the game.
    pub game: String,
    /// The revision that the changes were made to; 0 for a new game.
    pub revision: i64,
    pub pdn: String,
    pub state: Option<String>,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

/// The place of a game in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neighbours {
    /// The place in the list, from 0, and the number of games in it.
    pub place: usize,
    pub count: usize,
    pub previous: Option<GameId>,
    pub next: Option<GameId>,
}

/// A library of games: a store, and the summaries of its games in memory.
#[derive(Debug)]
pub struct Library {
    store: Box<dyn Store>,
    /// All games, by their numbers.
    entries: Vec<Entry>,
    texts: Texts,
    /// The games that are not deleted, by the hashes of their texts and outlines.
    digests: BTreeSet<(i64, GameId)>,
    outlines: BTreeSet<(i64, GameId)>,
    revision: i64,
    views: Vec<(Query, Arc<[u32]>)>,
}

impl Library {
    /// Opens a library. Fails if its games cannot be read.
    pub fn new(store: Box<dyn Store>) -> Result<Self> {
        let mut library = Self {
            store,
            entries: Vec::new(),
            texts: Texts::default(),
            digests: BTreeSet::new(),
            outlines: BTreeSet::new(),
            revision: 0,
            views: Vec::new(),
        };
        library.refresh()?;
        Ok(library)
    }

    /// Closes the store. Later changes are lost.
    pub fn close(&mut self) {
        self.store = Box::<Memory>::default();
    }

    pub fn store(&mut self) -> &mut dyn Store {
        self.store.as_mut()
    }

    /// Reads what other users of the store have changed.
    pub fn refresh(&mut self) -> Result<()> {
        let revision = self.store.revision()?;
        if revision == self.revision {
            return Ok(());
        }
        let Self { store, entries, texts, digests, outlines, .. } = self;
        store.changed_since(self.revision, &mut |summary| {
            let entry = texts.entry(summary);
            let at = entries.binary_search_by_key(&entry.id, |known| known.id);
            if let Ok(at) = at {
                digests.remove(&(entries[at].digest, entry.id));
                outlines.remove(&(entries[at].outline, entry.id));
            }
            if !entry.deleted {
                digests.insert((entry.digest, entry.id));
                outlines.insert((entry.outline, entry.id));
            }
            match at {
                Ok(at) => entries[at] = entry,
                Err(at) => entries.insert(at, entry),
            }
        })?;
        self.revision = revision;
        self.views.clear();
        Ok(())
    }

    fn index_of(&self, id: GameId) -> Option<usize> {
        self.entries.binary_search_by_key(&id, |entry| entry.id).ok()
    }

    /// Returns the indices of the entries of a list.
    fn view(&mut self, query: &Query) -> Result<Arc<[u32]>> {
        self.refresh()?;
        if let Some((_, view)) = self.views.iter().find(|(known, _)| known == query) {
            return Ok(Arc::clone(view));
        }
        let visited = match query.filter.position {
            None => None,
            Some(PositionKeys { position, mirror }) => {
                let mut visited = vec![false; self.entries.len()];
                for key in [Some(position), mirror].into_iter().flatten() {
                    for visit in self.store.visits(key)? {
                        if let Some(index) = self.index_of(visit.game) {
                            visited[index] = true;
                        }
                    }
                }
                Some(visited)
            }
        };
        let order = (query.sort, query.descending);
        let view: Arc<[u32]> =
            select(&self.entries, &self.texts, &query.filter, visited.as_deref(), order).into();
        if self.views.len() == MAX_VIEWS {
            self.views.remove(0);
        }
        self.views.push((query.clone(), Arc::clone(&view)));
        Ok(view)
    }

    /// Returns the numbers of the games of a list.
    pub fn ids(&mut self, query: &Query) -> Result<Vec<GameId>> {
        let view = self.view(query)?;
        Ok(view.iter().filter_map(|&index| self.entries.get(index as usize)).map(|entry| entry.id).collect())
    }

    /// Returns the names of the collections with their numbers of games, and the number of deleted games.
    pub fn collections(&mut self) -> Result<(BTreeMap<String, usize>, usize)> {
        self.refresh()?;
        let mut counts = BTreeMap::new();
        let mut deleted = 0;
        for entry in &self.entries {
            if entry.deleted {
                deleted += 1;
            } else {
                *counts.entry(self.texts.collection(entry).to_owned()).or_default() += 1;
            }
        }
        Ok((counts, deleted))
    }

    /// Returns the texts of a field that contain words, the most frequent ones first.
    pub fn suggestions(&mut self, field: Field, words: &str) -> Result<Vec<&str>> {
        self.refresh()?;
        Ok(suggestions(&self.entries, &self.texts, field, words))
    }

    /// Returns the place of a game in a list, if it is there.
    pub fn neighbours(&mut self, query: &Query, id: GameId) -> Result<Option<Neighbours>> {
        let ids = self.ids(query)?;
        let around = |place: usize| {
            let at = |place: Option<usize>| ids.get(place?).copied();
            let (previous, next) = (at(place.checked_sub(1)), at(place.checked_add(1)));
            Neighbours { place, count: ids.len(), previous, next }
        };
        Ok(ids.iter().position(|&other| other == id).map(around))
    }

    /// Returns the number that a name or a number of a game denotes.
    pub fn id_of(&mut self, name: &str) -> Result<Option<GameId>> {
        match name.parse() {
            Ok(id) => Ok(Some(id)),
            Err(_) => self.store.named(name),
        }
    }

    /// Returns a game by its name or number.
    pub fn game(&mut self, name: &str) -> Result<Option<StoredGame>> {
        match self.id_of(name)? {
            Some(id) => self.store.game(id),
            None => Ok(None),
        }
    }

    /// Saves a game, unless it was changed since the client has read it.
    pub fn save(&mut self, save: Save) -> Result<Saved> {
        let before = self.game(&save.game)?;
        let heading = read_game(&save.pdn).map(|entry| Heading::of(&entry.game)).unwrap_or_default();
        let id = before.as_ref().map(|before| before.id);
        let (earlier, name) = if let Some(before) = before {
            (before.value.summary, before.value.name)
        } else {
            let summary = Summary { added: save.now, digest: digest(&save.pdn), ..Summary::default() };
            (summary, Some(save.game).filter(|game| game.parse::<GameId>().is_err()))
        };
        let digest = if name.is_some() { digest(&save.pdn) } else { earlier.digest };
        // A game that goes on here stays, even if another window has deleted it.
        let summary = Summary { deleted: false, heading, digest, ..earlier };
        self.store.save(id, save.revision, LibraryGame { summary, name, pdn: save.pdn, state: save.state })
    }

    pub fn change(&mut self, ids: &[GameId], change: &Change) -> Result<()> {
        self.store.change(ids, change)
    }

    /// Returns the number of the same game in the library. A game that consists of moves only is the same as
    /// one with equal moves and an equal outline.
    fn same(&mut self, NewGame { game, moves, end, .. }: &NewGame) -> Result<Option<GameId>> {
        let same_text = first_with(&self.digests, game.summary.digest);
        let outline = game.summary.heading.outline();
        let moves = moves.filter(|_| same_text.is_none() && first_with(&self.outlines, outline).is_some());
        let Some(moves) = moves else { return Ok(same_text) };
        // Few games have the same last position.
        for visit in self.store.visits(*end)? {
            if self.outlines.contains(&(outline, visit.game))
                && let Some(entry) = self.store.game(visit.game)?.and_then(|game| read_game(&game.value.pdn))
                && entry.game.moves_key() == moves
            {
                return Ok(Some(visit.game));
            }
        }
        Ok(None)
    }

    /// Adds the games of a batch that the library does not have, and adds to the report of the import.
    pub fn add(&mut self, batch: ImportBatch, report: &mut ImportReport) -> Result<()> {
        self.refresh()?;
        let ImportBatch { games, faults } = batch;
        let earlier = games.iter().map(|game| self.same(game)).collect::<Result<Vec<_>>>()?;
        let again: Vec<bool> = are_again(&games).collect();
        let count = games.len();
        let is_only = report.added + report.known == 0 && count == 1;
        let mut indices = Vec::new();
        let mut new = Vec::new();
        for (index, game) in games.into_iter().enumerate() {
            if earlier[index].is_none() && !again[index] {
                indices.push(index);
                new.push(game);
            }
        }
        let ids = if new.is_empty() { Vec::new() } else { self.store.add(new)? };
        report.added += ids.len();
        report.known += count - ids.len();
        let added: BTreeMap<usize, GameId> = indices.into_iter().zip(ids).collect();
        report.only = if is_only { added.get(&0).copied().or(earlier[0]) } else { None };
        for (index, mut fault) in faults {
            fault.game = index.and_then(|index| added.get(&index).copied());
            report.add_fault(fault);
        }
        Ok(())
    }

    /// Counts the moves that games played in a position, or also in that with the colours exchanged.
    pub fn continuations(
        &mut self,
        position: &Position,
        reversed: bool,
        filter: Filter,
    ) -> Result<Continuations> {
        let view = self.view(&Query { filter, ..Query::default() })?;
        let mut passes = vec![false; self.entries.len()];
        for &index in view.iter() {
            passes[index as usize] = true;
        }
        let mut counts = Continuations::new(*position, reversed);
        let mut seen = BTreeSet::new();
        for (here, is_mirror) in [(Some(*position), false), (counts.mirror, true)] {
            let Some(here) = here else { continue };
            let mut visits = Vec::new();
            for visit in self.store.visits(position_key(&here))? {
                let index = self.index_of(visit.game).filter(|&index| passes[index]);
                if let Some(entry) = index.and_then(|index| self.entries.get(index))
                    && (counts.mirror.is_none() || seen.insert(visit.game))
                {
                    visits.push((visit.next, entry.result));
                }
            }
            counts.add_visits(is_mirror, visits);
        }
        Ok(counts)
    }

    /// Appends games to a text in PDN.
    pub fn export(&mut self, ids: &[GameId], out: &mut String) -> Result<()> {
        for (at, &id) in ids.iter().enumerate() {
            let Some(game) = self.store.game(id)? else { continue };
            let gap = if at > 0 { "\n" } else { "" };
            out.extend([gap, game.value.pdn.trim(), "\n"]);
        }
        Ok(())
    }
}

/// Returns the first game with a hash.
fn first_with(games: &BTreeSet<(i64, GameId)>, hash: i64) -> Option<GameId> {
    let (found, id) = games.range((hash, GameId::FIRST)..).next()?;
    (*found == hash).then_some(*id)
}

/// Returns for each game of a batch whether it is the same as an earlier one.
fn are_again(games: &[NewGame]) -> impl Iterator<Item = bool> {
    let mut texts = HashSet::new();
    let mut lines = HashSet::new();
    games.iter().map(move |NewGame { game, moves, .. }| {
        let is_line_new = moves.is_none_or(|moves| lines.insert((game.summary.heading.outline(), moves)));
        !(texts.insert(game.summary.digest) && is_line_new)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    use crate::database::{Database, LibraryWriter};
    use crate::import::Importer;
    use crate::memory::Memory;
    use crate::store::StoreError;
    use kelso_batch::testing::Folder;
    use kelso_draughts::notation::fen;
    use kelso_draughts::record::{GameRecord, Ply};
    use kelso_draughts::result::GameResult;
    use kelso_random::{IndexedRandom, RngExt};

    const GAMES: &str = "[Black \"Ann\"] [White \"Bob\"] [Date \"1910\"] 11-15 23-19 8-11 1-0\n\n\
        [Black \"Bob\"] [White \"Ann\"] [Event \"Cup\"] 11-15 22-18 0-1\n\n\
        [Black \"Cy\"] [White \"Ann\"] 9-13 22-18 11-15 {good} *\n\n[Event \"bad\"] 11-15 11-17 *";

    /// Runs a test with a library in memory and with one in a file.
    fn with_both(test: impl Fn(&mut Library)) {
        let folder = Folder::new();
        let database = Database::open(&folder.path("inner/a.library")).unwrap();
        for store in [Box::new(Memory::default()) as Box<dyn Store>, Box::new(database)] {
            test(&mut Library::new(store).unwrap());
        }
    }

    fn import(library: &mut Library, text: &str) -> ImportReport {
        let mut report = ImportReport::default();
        for batch in Importer::new(text.as_bytes(), "cup", 7) {
            library.add(batch, &mut report).unwrap();
        }
        report
    }

    fn id(number: u32) -> GameId {
        GameId(number.try_into().unwrap())
    }

    fn query(text: &str) -> Query {
        serde_json::from_str(text).unwrap()
    }

    fn at(fen: &str, reversed: bool) -> Query {
        let position = Some(PositionKeys::of(&fen::parse(fen).unwrap(), reversed));
        Query { filter: Filter { position, ..Filter::default() }, ..Query::default() }
    }

    fn report(added: usize, known: usize) -> ImportReport {
        ImportReport { added, known, ..ImportReport::default() }
    }

    #[test]
    fn games_are_imported_once() {
        with_both(|library| {
            let first = import(library, GAMES);
            assert_eq!(first.added, 4);
            assert_eq!(first.faults.len(), 1);
            assert_eq!(first.faults[0].game, Some(id(4)));
            let again = import(library, GAMES);
            assert_eq!(again.added, 0);
            assert_eq!(again.known, 4);
            assert_eq!(library.ids(&query("{}")).unwrap(), [1, 2, 3, 4].map(id));
        });
    }

    #[test]
    fn games_that_differ_in_spaces_or_other_tags_are_the_same() {
        with_both(|library| {
            import(library, GAMES);
            let same =
                "[Black \"Ann\"][White \"Bob\"][Date \"1910\"][GameType \"21\"]1. 11-15 23-19 2. 8-11 1-0";
            assert_eq!(import(library, same), ImportReport { only: Some(id(1)), ..report(0, 1) });
        });
    }

    #[test]
    fn games_that_differ_in_moves_or_comments_are_different() {
        let game = |more: &str| format!("[Black \"Ann\"] [White \"Bob\"] {more} 1-0\n\n");
        with_both(|library| {
            let pair = game("11-15 23-19") + &game("[GameType \"21\"] 1. 11-15 23-19");
            assert_eq!(import(library, &pair), report(1, 1));
            let others =
                game("11-15 23-18") + &game("11-15 {good} 23-19") + &game("[Date \"1910\"] 11-15 23-19");
            assert_eq!(import(library, &others), report(3, 0));
            assert_eq!(import(library, &(others + &pair)), report(0, 5));
        });
    }

    #[test]
    fn names_are_suggested_by_their_frequency() {
        with_both(|library| {
            import(library, GAMES);
            assert_eq!(library.suggestions(Field::Player, "").unwrap(), ["Ann", "Bob", "Cy"]);
            assert_eq!(library.suggestions(Field::Player, "bo").unwrap(), ["Bob"]);
            assert_eq!(library.suggestions(Field::Event, "CUP").unwrap(), ["Cup"]);
            library.change(&[id(2)], &Change::Deleted(true)).unwrap();
            assert!(library.suggestions(Field::Event, "cup").unwrap().is_empty());
        });
    }

    #[test]
    fn games_have_neighbours_in_a_filtered_list() {
        with_both(|library| {
            import(library, GAMES);
            let won = query(r#"{"filter": {"player": "ann", "result": "won"}, "sort": "white"}"#);
            assert_eq!(library.ids(&won).unwrap(), [2, 1].map(id));
            let last = Neighbours { place: 1, count: 2, previous: Some(id(2)), next: None };
            assert_eq!(library.neighbours(&won, id(1)).unwrap(), Some(last));
            assert_eq!(library.neighbours(&won, id(3)).unwrap(), None);
        });
    }

    #[test]
    fn games_are_exported_as_pdn() {
        with_both(|library| {
            import(library, GAMES);
            let mut text = String::new();
            library.export(&[2, 3].map(id), &mut text).unwrap();
            let games: Vec<&str> = GAMES.split_inclusive("\n\n").collect();
            assert_eq!(text, games[1..3].concat().trim_end().to_owned() + "\n");
        });
    }

    #[test]
    fn moves_are_counted_in_the_filtered_games() {
        with_both(|library| {
            import(library, GAMES);
            let mut counts = |filter: &str| {
                let counts = library.continuations(&Position::start(), false, query(filter).filter).unwrap();
                counts.list().into_iter().map(|c| (c.text.unwrap_or_default(), c.games)).collect::<Vec<_>>()
            };
            assert_eq!(counts("{}"), [("11-15".to_owned(), 3), ("9-13".to_owned(), 1)]);
            let black = r#"{"filter": {"player": "ann", "color": "b"}}"#;
            assert_eq!(counts(black), [("11-15".to_owned(), 1)]);
        });
    }

    #[test]
    fn games_are_found_by_a_position_or_its_mirror() {
        with_both(|library| {
            import(library, GAMES);
            let after = "W:W21-32:B1-10,12,15";
            assert_eq!(library.ids(&at(after, false)).unwrap(), [1, 2, 4].map(id));
            let mirror = "B:W18,21,23-32:B1-12";
            assert_eq!(library.ids(&at(mirror, false)).unwrap(), []);
            assert_eq!(library.ids(&at(mirror, true)).unwrap(), [1, 2, 4].map(id));
        });
    }

    #[test]
    fn moves_in_the_mirror_of_a_position_are_mirrored() {
        with_both(|library| {
            import(library, GAMES);
            let mirror = fen::parse("B:W18,21,23-32:B1-12").unwrap();
            let counts = library.continuations(&mirror, true, Filter::default()).unwrap().list();
            // 23-19 and 22-18 become 10-14 and 11-15, and Ann's win with Black becomes one with White.
            assert_eq!(counts[0].text.as_deref(), Some("10-14"));
            assert_eq!(counts[0].results.known.losses, 1);
        });
    }

    fn save(revision: i64, pdn: &str) -> Save {
        Save { game: "m1".to_owned(), revision, pdn: pdn.to_owned(), now: 5, ..Save::default() }
    }

    #[test]
    fn a_game_is_saved_unless_another_client_has_changed_it() {
        with_both(|library| {
            import(library, GAMES);
            let Saved::As(id, first) = library.save(save(0, "11-15 *")).unwrap() else { panic!() };
            let Saved::As(same, second) = library.save(save(first, "9-13 22-18 *")).unwrap() else {
                panic!()
            };
            assert!(id == same && second > first);
            let Saved::Conflict(other) = library.save(save(first, "10-14 *")).unwrap() else { panic!() };
            assert_eq!((other.value.pdn.as_str(), other.revision), ("9-13 22-18 *", second));
            assert!(matches!(library.save(save(0, "10-14 *")).unwrap(), Saved::Conflict(_)));
            // The index has the new moves only.
            let after = |fen: &str| {
                let mut query = at(fen, false);
                query.filter.collection = Some(String::new());
                query
            };
            assert_eq!(library.ids(&after("W:W21-32:B1-10,12,15")).unwrap(), Vec::<GameId>::new());
            assert_eq!(library.ids(&after("W:W21-32:B1-8,10-13")).unwrap(), [id]);
            assert_eq!(library.game("m1").unwrap().unwrap().value.summary.added, 5);
            assert_eq!(library.game("none").unwrap(), None);
        });
    }

    #[test]
    fn deleted_games_can_be_restored() {
        with_both(|library| {
            import(library, GAMES);
            library.change(&[1, 3].map(id), &Change::Deleted(true)).unwrap();
            library.change(&[2].map(id), &Change::Collection("best".to_owned())).unwrap();
            assert_eq!(library.ids(&query("{}")).unwrap(), [2, 4].map(id));
            assert_eq!(library.ids(&query(r#"{"filter": {"deleted": true}}"#)).unwrap(), [1, 3].map(id));
            let (collections, deleted) = library.collections().unwrap();
            assert_eq!((collections["cup"], collections["best"], deleted), (1, 1, 2));
            library.change(&[1, 3].map(id), &Change::Deleted(false)).unwrap();
            assert_eq!(library.ids(&query("{}")).unwrap(), [1, 2, 3, 4].map(id));
        });
    }

    #[test]
    fn settings_are_stored() {
        with_both(|library| {
            let settings: BTreeMap<String, String> = [("a".to_owned(), "1".to_owned())].into();
            library.store().set(&settings).unwrap();
            assert_eq!(library.store().settings().unwrap(), settings);
        });
    }

    #[test]
    fn programs_share_a_file() {
        let folder = Folder::new();
        let open = || Database::open(&folder.path("a.library")).unwrap();
        let (mut one, mut two) =
            (Library::new(Box::new(open())).unwrap(), Library::new(Box::new(open())).unwrap());
        import(&mut one, GAMES);
        assert_eq!(two.ids(&query("{}")).unwrap().len(), 4);
        two.save(save(0, "11-15 *")).unwrap();
        assert!(matches!(one.save(save(0, "11-15 22-18 *")).unwrap(), Saved::Conflict(_)));
        assert_eq!(one.ids(&query("{}")).unwrap().len(), 5);
        let mut read =
            Library::new(Box::new(Database::read_only(&folder.path("a.library")).unwrap())).unwrap();
        assert_eq!(read.ids(&query("{}")).unwrap().len(), 5);
        // The last program leaves one file, even if it only reads.
        one.close();
        drop(two);
        assert!(folder.names().len() > 1);
        drop(read);
        assert_eq!(folder.names(), ["a.library"]);
    }

    #[test]
    fn a_library_is_read_and_written_as_text() {
        let folder = Folder::new();
        let path = folder.path("a.library");
        std::fs::write(&path, "").unwrap();
        let mut new = LibraryWriter::create(&path, 7).unwrap();
        new.add(GAMES).unwrap();
        new.finish().unwrap();
        assert_eq!(folder.names(), ["a.library"]);
        let mut library = Library::new(Box::new(Database::read_only(&path).unwrap())).unwrap();
        assert!(!library.ids(&query(r#"{ "filter": { "collection": "Imported" } }"#)).unwrap().is_empty());
        drop(library);
        let mut text = String::new();
        std::io::Read::read_to_string(&mut crate::database::PdnText::open(&path).unwrap(), &mut text)
            .unwrap();
        assert_eq!(crate::database::PdnText::size(&path).unwrap(), text.len() as u64);
        assert!(text.contains("9-13 22-18 11-15 {good} *\n\n") && text.matches("Ann").count() == 3, "{text}");
    }

    #[test]
    fn other_files_are_refused_and_not_changed() {
        let folder = Folder::new();
        let path = folder.path("a.library");
        let refused = |text: &[u8]| {
            std::fs::write(&path, text).unwrap();
            let error = Database::open(&path).unwrap_err().to_string();
            assert_eq!(std::fs::read(&path).unwrap(), text, "{error}");
            error
        };
        assert_eq!(refused(&b"[Event \"a\"] 11-15 *\n".repeat(99)), "it is not a library of games");
        let other = folder.path("other");
        rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        assert_eq!(refused(&std::fs::read(&other).unwrap()), "it is not a library of games");
        let good = folder.path("good");
        import(&mut Library::new(Box::new(Database::open(&good).unwrap())).unwrap(), GAMES);
        let mut bytes = std::fs::read(&good).unwrap();
        bytes
            .chunks_mut(4096)
            .skip(1)
            .for_each(|page| page.iter_mut().take(60).for_each(|byte| *byte ^= 0x55));
        assert!(refused(&bytes).contains("damaged"));
        rusqlite::Connection::open(&good)
            .unwrap()
            .execute_batch("PRAGMA user_version = 9; PRAGMA journal_mode = DELETE")
            .unwrap();
        let newer = std::fs::read(&good).unwrap();
        assert_eq!(
            refused(&newer),
            "it was written by a newer version of this program (format 9, this one reads 1)"
        );
        // A newer program may bring a library to its version after this one has read the version.
        assert!(matches!(LibraryWriter::create(&good, 0), Err(StoreError::Newer(9, 1))));
        assert_eq!(refused(&std::fs::read(&good).unwrap()), refused(&newer));
    }

    #[test]
    fn an_older_library_is_not_opened_for_reading_only() {
        let folder = Folder::new();
        let path = folder.path("a.library");
        std::fs::write(&path, "").unwrap();
        let error = Database::read_only(&path).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it was written by an older version of this program (format 0, this one reads 1)"
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"");
    }

    fn random_game(number: u64) -> String {
        let mut random = kelso_random::stream(&[number]);
        let mut game = GameRecord::new(Position::start());
        for (tag, values) in [("Black", 0..3000), ("White", 0..3000), ("Event", 0..500), ("Date", 1880..2020)]
        {
            game.tags.set(tag, &random.random_range(values).to_string());
        }
        let mut position = game.start;
        while game.plies.len() < 70
            && let Some(&mv) = position.moves().choose(&mut random)
        {
            position = position.after(mv);
            game.plies.push(Ply::new(mv));
        }
        game.result =
            [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw].choose(&mut random).copied();
        format!("{game}\n")
    }

    /// Also prints the times.
    #[test]
    #[ignore = "takes a minute"]
    fn requests_to_a_hundred_thousand_games_take_milliseconds() {
        let folder = Folder::new();
        let path = folder.path("a.library");
        let mut library = Library::new(Box::new(Database::open(&path).unwrap())).unwrap();
        let games: String = (0..100_000).map(random_game).collect();
        assert_eq!(import(&mut library, &games).added, 100_000);
        assert!(std::fs::metadata(&path).unwrap().len() < 250_000_000);
        let timed = |name: &str, act: &mut dyn FnMut() -> usize| {
            let start = Instant::now();
            println!("{name}: {} games, {:?}", act(), start.elapsed());
            assert!(start.elapsed() < Duration::from_millis(500), "{name}");
        };
        for text in [
            "{}",
            r#"{"filter": {"words": "17 1-0"}, "sort": "date"}"#,
            r#"{"filter": {"player": "1234", "color": "b", "result": "won"}}"#,
            r#"{"filter": {"from": "1900", "until": "1950"}, "sort": "white", "descending": true}"#,
        ] {
            timed(text, &mut || library.ids(&query(text)).unwrap().len());
        }
        let decided = query(r#"{"filter": {"result": "decided"}}"#).filter;
        let start = Position::start();
        for position in [start, start.after(start.moves()[0])] {
            let fen = fen::format(&position);
            timed(&format!("games with {fen}"), &mut || library.ids(&at(&fen, false)).unwrap().len());
            timed(&format!("moves after {fen}"), &mut || {
                let counts = library.continuations(&position, false, decided.clone()).unwrap();
                counts.games().try_into().unwrap()
            });
        }
    }
}
