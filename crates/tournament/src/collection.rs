//! Games of several runs put together: the same match on many machines, or continued on another day.

use std::collections::{BTreeMap, HashSet, hash_map::DefaultHasher};
use std::fmt;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use super::header::{Contender, Header};
use super::pdn::{self, FoundGame};
use super::record::GameRecord;
use super::repeats::Repeats;
use super::report::Conditions;
use super::tally::{PairKey, Tally};
use common::checkpoint::{self, CheckpointError, Damage, Leniency, Loaded};
use common::statistics::Sprt;
use draughts::board::Move;
use draughts::notation::pdn::{Entry, Games, PdnError, PdnErrorKind};

/// Why games can't be counted together.
#[derive(Debug)]
pub enum CollectionError {
    /// A state can't be read.
    State(CheckpointError),
    /// A file can't be opened.
    Unreadable(PathBuf, std::io::Error),
    /// Two files were played under different conditions.
    Mixed {
        /// What differs.
        what: String,
        /// One value and where it is from.
        one: (String, PathBuf),
        /// Another and where it is from.
        other: (String, PathBuf),
    },
    /// There are no finished games at all.
    Empty,
    /// The only finished games can't be counted.
    Apart(Apart),
}

impl fmt::Display for CollectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(error) => error.fmt(f),
            Self::Unreadable(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Mixed { what, one, other } => write!(
                f,
                "mixed settings: {what} \"{}\" in {} but \"{}\" in {}; such games don't count together{}",
                one.0,
                one.1.display(),
                other.0,
                other.1.display(),
                if what.starts_with(PROGRAM) { " (--any-program counts them nevertheless)" } else { "" }
            ),
            Self::Empty => write!(f, "no finished games, expected at least one"),
            Self::Apart(apart) => {
                write!(f, "no finished games that count, expected at least one")?;
                apart.unreadable.iter().chain(&apart.doubtful).try_for_each(|what| write!(f, "\n  {what}"))
            }
        }
    }
}

impl std::error::Error for CollectionError {}

/// What was found in files of games and is counted apart, if at all. Each text says where: file, game, line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Apart {
    /// Games of which not all moves can be read. They don't count.
    pub unreadable: Vec<String>,
    /// Games whose tag and moves give different results, while nobody has won on the board. They don't count.
    pub doubtful: Vec<String>,
    /// Games that one side has won on the board, though they say something else. They count as the board shows.
    pub corrected: Vec<String>,
}

impl Apart {
    const fn is_empty(&self) -> bool {
        self.unreadable.is_empty() && self.doubtful.is_empty()
    }
}

/// What engines' fingerprints are kept under.
const PROGRAM: &str = "program of";

/// Games from any number of files, each once.
#[derive(Debug, Default)]
pub struct Collection {
    games: Vec<(GameRecord, Option<PairKey>)>,
    known: HashSet<u64>,
    /// Each setting that all games must share, with its value and the file that said so first.
    settings: BTreeMap<String, (String, PathBuf)>,
    engines: Vec<String>,
    /// The event of all games; empty if they have several.
    event: Option<String>,
    sprt: Option<Sprt>,
    duplicates: u64,
    unfinished: u64,
    apart: Apart,
    leniency: Leniency,
    crown: bool,
    damage: Vec<(PathBuf, Damage)>,
}

impl Collection {
    /// A collection from files with which something may be amiss.
    #[must_use]
    pub fn with(leniency: Leniency) -> Self {
        Self { leniency, ..Self::default() }
    }

    /// The damaged lines, whose games are left out.
    #[must_use]
    pub fn damage(&self) -> &[(PathBuf, Damage)] {
        &self.damage
    }

    /// Reads men on the row where they are crowned as kings, if `crown` is true.
    #[must_use]
    pub fn crowning(self, crown: bool) -> Self {
        Self { crown, ..self }
    }

    /// Adds a file: the state of a match (`.jsonl`) or PDN.
    ///
    /// # Errors
    ///
    /// When it can't be read, or does not go with the files before it.
    pub fn add(&mut self, path: &Path) -> Result<(), CollectionError> {
        let extension = path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("jsonl") || extension.eq_ignore_ascii_case("json") {
            self.add_state(path)
        } else {
            self.add_pdn(path)
        }
    }

    fn add_state(&mut self, path: &Path) -> Result<(), CollectionError> {
        let mut games = Vec::new();
        let read = checkpoint::read::<Header>(path, self.leniency.salvage, &mut |game| games.push(game));
        let Loaded { header, damage } = read.map_err(CollectionError::State)?;
        self.damage.extend(damage.into_iter().map(|damage| (path.to_owned(), damage)));
        self.sprt = self.sprt.or(header.sprt);
        // Names in the order of the match, also of engines that have not played yet.
        for engine in &header.engines {
            self.enlist(&engine.name);
        }
        for record in games {
            let players = [&record.black, &record.white];
            let settings = players.map(|name| header.settings(name).to_owned());
            let programs = players.map(|name| header.program(name).to_owned());
            let found = FoundGame {
                seed: Some(header.seed),
                event: header.event.clone(),
                rules: header.rules.to_string(),
                openings: header.openings.clone(),
                settings,
                programs,
                record,
            };
            self.take(found, path)?;
        }
        Ok(())
    }

    fn add_pdn(&mut self, path: &Path) -> Result<(), CollectionError> {
        let file = File::open(path).map_err(|error| CollectionError::Unreadable(path.into(), error))?;
        for entry in Games::new(file).crowning(self.crown) {
            let place = |what: &PdnError| format!("{}: {what}", path.display());
            let Entry { results, ref faults, .. } = entry;
            let contradiction = faults.iter().find(|fault| matches!(fault.kind, PdnErrorKind::Results(_)));
            let game = match (contradiction, results.board) {
                (Some(fault), Some(_)) => {
                    self.apart.corrected.push(place(fault));
                    entry.whole()
                }
                (Some(fault), None) => {
                    self.apart.doubtful.push(place(fault));
                    continue;
                }
                (None, _) => entry.whole(),
            };
            match game.map(|game| pdn::understand(&game)) {
                Ok(Some(found)) => self.take(found, path)?,
                Ok(None) => self.unfinished += 1,
                Err(error) => self.apart.unreadable.push(place(&error)),
            }
        }
        Ok(())
    }

    fn take(&mut self, found: FoundGame, path: &Path) -> Result<(), CollectionError> {
        let FoundGame { record, seed, event, rules, openings, settings, programs } = found;
        self.agree("rules".to_owned(), rules, path)?;
        self.agree("openings".to_owned(), openings, path)?;
        let [black, white] = settings;
        self.agree(format!("settings of {}", record.black), black, path)?;
        self.agree(format!("settings of {}", record.white), white, path)?;
        if !self.leniency.any_program {
            let [black, white] = programs;
            self.agree(format!("{PROGRAM} {}", record.black), black, path)?;
            self.agree(format!("{PROGRAM} {}", record.white), white, path)?;
        }
        let common = self.event.get_or_insert_with(|| event.clone());
        if *common != event {
            common.clear();
        }
        if !self.known.insert(identity(&record, seed)) {
            self.duplicates += 1;
            return Ok(());
        }
        self.enlist(&record.black);
        self.enlist(&record.white);
        // The opening belongs to the key: matches of other engines may have other pairs under the same number.
        let key = seed.map(|seed| (hash(&(seed, &record.opening)), record.pair));
        self.games.push((record, key));
        Ok(())
    }

    fn enlist(&mut self, name: &str) {
        if !self.engines.iter().any(|known| known == name) {
            self.engines.push(name.to_owned());
        }
    }

    fn agree(&mut self, what: String, value: String, path: &Path) -> Result<(), CollectionError> {
        if value.is_empty() {
            return Ok(());
        }
        match self.settings.get(&what) {
            Some(known) if known.0 != value => {
                Err(CollectionError::Mixed { what, one: known.clone(), other: (value, path.into()) })
            }
            Some(_) => Ok(()),
            None => {
                self.settings.insert(what, (value, path.into()));
                Ok(())
            }
        }
    }

    /// Games that were there before, and were left out.
    #[must_use]
    pub const fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Games that can't be counted like the rest.
    #[must_use]
    pub const fn apart(&self) -> &Apart {
        &self.apart
    }

    /// Games without a result, which were left out.
    #[must_use]
    pub const fn unfinished(&self) -> u64 {
        self.unfinished
    }

    /// What the games have in common, their counts, and the games themselves in the order of their schedule.
    ///
    /// # Errors
    ///
    /// When there are none.
    pub fn finish(mut self) -> Result<(Conditions, Tally, Vec<GameRecord>), CollectionError> {
        if self.games.is_empty() && !self.apart.is_empty() {
            return Err(CollectionError::Apart(self.apart));
        }
        if self.games.is_empty() {
            return Err(CollectionError::Empty);
        }
        // Shards come in any order; stable, so that games without a number keep theirs.
        self.games.sort_by_key(|(record, _)| record.game);
        let value = |what: &str| self.settings.get(what).map(|(value, _)| value.clone()).unwrap_or_default();
        let contender = |name: &String| Contender {
            name: name.clone(),
            settings: value(&format!("settings of {name}")),
            program: value(&format!("{PROGRAM} {name}")),
        };
        let conditions = Conditions {
            event: self.event.clone().filter(|event| !event.is_empty()).unwrap_or_else(|| "Games".to_owned()),
            openings: value("openings"),
            rules: value("rules"),
            engines: self.engines.iter().map(contender).collect(),
            sprt: self.sprt,
        };
        let mut games: Vec<GameRecord> = Vec::with_capacity(self.games.len());
        let mut tally = Tally::new(self.engines.iter().map(String::as_str));
        for (record, key) in self.games {
            tally.add(&record, key);
            games.push(record);
        }
        Repeats::mark(&mut games);
        Ok((conditions, tally, games))
    }
}

/// By what a game is recognised: its place in its schedule, or all of it if it has none.
fn identity(record: &GameRecord, seed: Option<u64>) -> u64 {
    let GameRecord { game, round, black, white, opening, start, result, .. } = record;
    if let Some(seed) = seed {
        return hash(&(seed, game, black, white, opening));
    }
    let moves: Vec<Move> = record.plies.iter().map(|ply| ply.mv).collect();
    hash(&(round, black, white, start, moves, result.to_string()))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::record::tests::record;
    use crate::store::Store;
    use draughts::referee::Reason;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("kelso-collection-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn run(&self, name: &str, header: Header, games: &[u32]) {
            let mut store = Store::create(&self.0.join(name), header, true).unwrap();
            for &game in games {
                let (black, white) = if game % 2 == 0 { ("A", "B") } else { ("B", "A") };
                let (black, white) = (black.to_owned(), white.to_owned());
                // Each pair is one of its own.
                let reason = if game / 2 % 2 == 0 { Reason::Time } else { Reason::Crash };
                store.add(&GameRecord { game, pair: game / 2, black, white, reason, ..record() }).unwrap();
            }
        }

        fn collect(&self, files: &[&str]) -> Result<(Collection, Tally), CollectionError> {
            let mut collection = Collection::default();
            for file in files {
                collection.add(&self.0.join(file))?;
            }
            let mut again = Collection::default();
            for file in files {
                again.add(&self.0.join(file))?;
            }
            let (_, tally, _) = again.finish()?;
            Ok((collection, tally))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn parts_make_up_the_whole_from_either_kind_of_file() {
        let folder = Folder::new("parts");
        folder.run("one", header(), &[0, 3]);
        folder.run("two", header(), &[1, 2, 3]);
        for files in [["one.pdn", "two.pdn"], ["one.jsonl", "two.jsonl"], ["one.pdn", "two.jsonl"]] {
            let (collection, tally) = folder.collect(&files).unwrap();
            assert_eq!((collection.games.len(), collection.duplicates()), (4, 1), "{files:?}");
            assert_eq!(tally.meeting(0, 1).pairs.count(), 2, "{files:?}");
        }
    }

    #[test]
    fn other_seeds_are_other_games_and_other_settings_are_refused() {
        let folder = Folder::new("mixed");
        folder.run("one", header(), &[0]);
        folder.run("seed", Header { seed: 8, ..header() }, &[0]);
        folder.run("openings", Header { openings: "eleven-man".to_owned(), ..header() }, &[0]);
        let mut changed = header();
        changed.engines[1].settings = "nodes=5".to_owned();
        folder.run("settings", changed, &[0]);
        assert_eq!(folder.collect(&["one.pdn", "seed.pdn"]).unwrap().0.games.len(), 2);
        for (file, part) in
            [("openings.pdn", "openings \"three-move\""), ("settings.jsonl", "settings of B \"tc=60+0.5")]
        {
            let error = folder.collect(&["one.jsonl", file]).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(file), "{error}");
        }
    }

    #[test]
    fn games_of_others_are_known_by_their_moves() {
        let folder = Folder::new("others");
        let game = "[Black \"X\"]\n[White \"Y\"]\n1. 11-15 23-18 1-0\n\n";
        std::fs::write(
            folder.0.join("a.pdn"),
            format!("{game}{}{game}1. 11-15 *\n", game.replace("15", "16")),
        )
        .unwrap();
        let (collection, tally) = folder.collect(&["a.pdn"]).unwrap();
        assert_eq!((collection.games.len(), collection.duplicates(), collection.unfinished()), (2, 1, 1));
        assert_eq!(tally.meeting(0, 1).wdl.wins, 2);
        assert!(matches!(folder.collect(&["missing.pdn"]), Err(CollectionError::Unreadable(..))));
    }

    #[test]
    fn games_that_cant_be_true_are_counted_apart() {
        let folder = Folder::new("apart");
        let names = "[Black \"X\"]\n[White \"Y\"]\n";
        let games = [
            format!("{names}1. 11-15 23-18 1-0"),
            format!("{names}1. 11-15 23-11 1-0"),
            format!("{names}[Result \"0-1\"]\n1. 11-15 22-18 1-0"),
            format!("{names}[Result \"0-1\"]\n[FEN \"B:W9:B5,6\"]\n1. 6x13 0-1"),
            format!("{names}[Result \"0-1\"]\n[FEN \"B:W10:B5,6\"]\n1. 6x15 1-0"),
            format!("{names}1. 11-15 24-19 {{fine}} 15x24 28x19 0-1"),
        ];
        std::fs::write(folder.0.join("a.pdn"), games.join("\n\n")).unwrap();
        let (collection, tally) = folder.collect(&["a.pdn"]).unwrap();
        let Apart { unreadable, doubtful, corrected } = collection.apart();
        assert_eq!((collection.games.len(), collection.unfinished()), (4, 0));
        for (found, count, part) in [
            (unreadable, 1, "a.pdn: game 2, line 7, column 10: illegal move \"23-11\""),
            (doubtful, 1, "a.pdn: game 3, line 12, column 16: contradicting results: 0-1 in the tag"),
            (corrected, 2, "0-1 in the tag, 0-1 after the moves, 1-0 on the board"),
        ] {
            assert_eq!(found.len(), count, "{found:?}");
            assert!(found[0].contains(part), "{found:?}");
        }
        let wdl = tally.meeting(0, 1).wdl;
        assert_eq!((wdl.wins, wdl.draws, wdl.losses), (3, 0, 1));
        std::fs::write(folder.0.join("b.pdn"), &games[1]).unwrap();
        let error = folder.collect(&["b.pdn"]).unwrap_err().to_string();
        assert!(
            error.contains("no finished games that count") && error.contains("game 1, line 3"),
            "{error}"
        );
    }
}
