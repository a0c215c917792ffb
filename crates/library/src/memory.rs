//! Games in memory.

use std::collections::{BTreeMap, BTreeSet};

use crate::store::{Change, Result, Saved, Store, visits_of};
use crate::stored_game::{GameId, StoredGame, Summary, Visit};

/// A store in memory.
#[derive(Debug, Default)]
pub struct Memory {
    games: BTreeMap<GameId, StoredGame>,
    names: BTreeMap<String, GameId>,
    visits: BTreeSet<Visit>,
    settings: BTreeMap<String, String>,
    revision: i64,
}

impl Memory {
    /// Creates a store of games that were stored before, with their numbers and revisions.
    pub fn of(games: Vec<StoredGame>, settings: BTreeMap<String, String>, revision: i64) -> Self {
        let mut memory = Self { settings, revision, ..Self::default() };
        for game in games {
            memory.put(game);
        }
        memory
    }

    fn put(&mut self, game: StoredGame) {
        let id = game.summary.id;
        if let Some(name) = &game.name {
            self.names.insert(name.clone(), id);
        }
        if self.games.get(&id).is_none_or(|before| before.pdn != game.pdn) {
            self.remove_visits(id);
            self.visits.extend(visits_of(id, &game.pdn));
        }
        self.games.insert(id, game);
    }

    fn remove_visits(&mut self, id: GameId) {
        if let Some(before) = self.games.get(&id) {
            for visit in visits_of(id, &before.pdn) {
                self.visits.remove(&visit);
            }
        }
    }

    fn next_revision(&mut self) -> i64 {
        self.revision += 1;
        self.revision
    }

    fn next_id(&self) -> GameId {
        self.games.last_key_value().map_or(0, |(&id, _)| id) + 1
    }
}

impl Store for Memory {
    fn revision(&mut self) -> Result<i64> {
        Ok(self.revision)
    }

    fn changed_since(&mut self, revision: i64, each: &mut dyn FnMut(Summary)) -> Result<()> {
        for game in self.games.values().filter(|game| game.summary.revision > revision) {
            each(game.summary.clone());
        }
        Ok(())
    }

    fn game(&mut self, id: GameId) -> Result<Option<StoredGame>> {
        Ok(self.games.get(&id).cloned())
    }

    fn named(&mut self, name: &str) -> Result<Option<GameId>> {
        Ok(self.names.get(name).copied())
    }

    fn add(&mut self, games: &mut [StoredGame], visits: Vec<Visit>) -> Result<()> {
        let (revision, first) = (self.next_revision(), self.next_id());
        for (id, game) in (first..).zip(games.iter_mut()) {
            game.summary.id = id;
            game.summary.revision = revision;
            self.games.insert(id, game.clone());
        }
        self.visits.extend(visits.into_iter().map(|visit| Visit { game: first + visit.game, ..visit }));
        Ok(())
    }

    fn save(&mut self, mut game: StoredGame) -> Result<Saved> {
        let known = game.name.as_ref().and_then(|name| self.names.get(name).copied());
        let id = known.unwrap_or(game.summary.id);
        if let Some(before) = self.games.get(&id)
            && before.summary.revision != game.summary.revision
        {
            return Ok(Saved::Conflict(Box::new(before.clone())));
        }
        game.summary.id = if self.games.contains_key(&id) { id } else { self.next_id() };
        game.summary.revision = self.next_revision();
        let saved = Saved::As(game.summary.id, game.summary.revision);
        self.put(game);
        Ok(saved)
    }

    fn change(&mut self, ids: &[GameId], change: &Change) -> Result<()> {
        let revision = self.next_revision();
        for id in ids {
            if let Some(game) = self.games.get_mut(id) {
                match change {
                    Change::Deleted(deleted) => game.summary.deleted = *deleted,
                    Change::Collection(name) => game.summary.collection.clone_from(name),
                }
                game.summary.revision = revision;
            }
        }
        Ok(())
    }

    fn visits(&mut self, position: i64) -> Result<Vec<Visit>> {
        let first = Visit { position, game: GameId::MIN, next: i64::MIN };
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
