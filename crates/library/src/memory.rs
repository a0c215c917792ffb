//! Games in memory.

use std::collections::{BTreeMap, BTreeSet};

use crate::store::{Change, Result, Saved, Store, visits_of};
use crate::stored_game::{GameId, LibraryGame, NewGame, Stored, StoredGame, Summary, Visit};

/// A store in memory.
#[derive(Debug, Default)]
pub struct Memory {
    games: BTreeMap<GameId, StoredGame>,
    names: BTreeMap<String, GameId>,
    visits: BTreeSet<Visit<GameId>>,
    settings: BTreeMap<String, String>,
    revision: i64,
}

impl Memory {
    /// Creates a store of games that were stored before, with their numbers and revisions.
    pub fn of(games: Vec<StoredGame>, settings: BTreeMap<String, String>, revision: i64) -> Self {
        let mut memory = Self { settings, revision, ..Self::default() };
        for game in games {
            let visits = visits_of(game.id, &game.value.pdn).collect();
            memory.put(game, visits);
        }
        memory
    }

    fn put(&mut self, game: StoredGame, visits: Vec<Visit<GameId>>) {
        let id = game.id;
        if let Some(name) = &game.value.name {
            self.names.insert(name.clone(), id);
        }
        for visit in self.games.get(&id).into_iter().flat_map(|before| visits_of(id, &before.value.pdn)) {
            self.visits.remove(&visit);
        }
        self.visits.extend(visits);
        self.games.insert(id, game);
    }

    fn next_revision(&mut self) -> i64 {
        self.revision += 1;
        self.revision
    }

    fn next_id(&self) -> GameId {
        self.games.last_key_value().map_or(GameId::FIRST, |(id, _)| id.next())
    }
}

impl Store for Memory {
    fn revision(&mut self) -> Result<i64> {
        Ok(self.revision)
    }

    fn changed_since(&mut self, revision: i64, each: &mut dyn FnMut(Stored<Summary>)) -> Result<()> {
        for game in self.games.values().filter(|game| game.revision > revision) {
            each(game.summary());
        }
        Ok(())
    }

    fn game(&mut self, id: GameId) -> Result<Option<StoredGame>> {
        Ok(self.games.get(&id).cloned())
    }

    fn named(&mut self, name: &str) -> Result<Option<GameId>> {
        Ok(self.names.get(name).copied())
    }

    fn add(&mut self, games: Vec<NewGame>) -> Result<Vec<GameId>> {
        let revision = self.next_revision();
        let mut add = |NewGame { game, visits, .. }| {
            let id = self.next_id();
            let visits = visits.into_iter().map(|visit: Visit<()>| visit.in_game(id)).collect();
            self.put(StoredGame { id, revision, value: game }, visits);
            id
        };
        Ok(games.into_iter().map(&mut add).collect())
    }

    fn save(&mut self, id: Option<GameId>, revision: i64, game: LibraryGame) -> Result<Saved> {
        let named = game.name.as_ref().and_then(|name| self.names.get(name).copied());
        let before = named.or(id).and_then(|id| self.games.get(&id));
        if let Some(before) = before.filter(|before| before.revision != revision) {
            return Ok(Saved::Conflict(Box::new(before.clone())));
        }
        let id = before.map_or_else(|| self.next_id(), |before| before.id);
        let revision = self.next_revision();
        let visits = visits_of(id, &game.pdn).collect();
        self.put(StoredGame { id, revision, value: game }, visits);
        Ok(Saved::As(id, revision))
    }

    fn change(&mut self, ids: &[GameId], change: &Change) -> Result<()> {
        let revision = self.next_revision();
        for id in ids {
            if let Some(game) = self.games.get_mut(id) {
                match change {
                    Change::Deleted(deleted) => game.value.summary.deleted = *deleted,
                    Change::Collection(name) => game.value.summary.collection.clone_from(name),
                }
                game.revision = revision;
            }
        }
        Ok(())
    }

    fn visits(&mut self, position: i64) -> Result<Vec<Visit<GameId>>> {
        let first = Visit { position, game: GameId::FIRST, next: i64::MIN };
        let here = self.visits.range(first..).take_while(|visit| visit.position == position);
        Ok(here.copied().collect())
    }

    fn settings(&mut self) -> Result<BTreeMap<String, String>> {
        Ok(self.settings.clone())
    }

    fn set(&mut self, settings: &BTreeMap<String, String>) -> Result<()> {
        self.settings.extend(settings.iter().map(|(name, value)| (name.clone(), value.clone())));
        self.revision += 1;
        Ok(())
    }
}
