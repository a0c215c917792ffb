//! Collects games from several runs: one match on several machines, or several matches with the same
//! settings.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::header::{Contender, MatchHeader};
use super::match_game::MatchGame;
use super::pdn;
use super::report::MatchConditions;
use super::tally::{PairKey, Tally, hash};
use kelso_batch::checkpoint::{self, ResumePolicy};
use kelso_batch::error::{RunError, failed};
use kelso_draughts::notation::pdn::{PdnEntry, PdnErrorKind, PdnReader};
use kelso_draughts::record::{Tags, moves_key};
use kelso_reports::statistics::sprt::Sprt;
use kelso_syntax::Quoted;

/// The reason why games cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] RunError),
    /// Two files belong to matches with different settings.
    #[error("cannot combine games with different settings: {setting} is {} and {}", values[0], values[1])]
    Different {
        setting: String,
        /// Each value, in quotes, with its file.
        values: [String; 2],
        /// [`ResumePolicy::any_program`] allows the difference.
        is_program: bool,
    },
    /// There are no finished games.
    #[error("no finished games found")]
    NoGames,
    /// All finished games are faulty. Contains a description of each.
    #[error("cannot read any of the finished games:\n  {}", .0.join("\n  "))]
    AllFaulty(Vec<String>),
}

/// Faulty games, each given by its file, number and line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FaultyGames {
    /// Games with unreadable moves. They are excluded.
    pub unreadable: Vec<String>,
    /// Games with different results in the tag and after the moves, where the final position does not decide
    /// which is right. They are excluded.
    pub doubtful: Vec<String>,
    /// Games whose stated result contradicts the final position. The result of the position is used.
    pub corrected: Vec<String>,
}

/// A setting that all games must share.
#[derive(Debug, Default)]
struct SharedSetting {
    /// The value, or empty if no game has the setting.
    value: String,
    /// The first file that has the setting.
    path: PathBuf,
}

impl SharedSetting {
    /// Takes the value of the first game that has one. The values of later games must be the same.
    fn agree(
        &mut self,
        name: &str,
        value: &str,
        path: &Path,
        is_program: bool,
    ) -> Result<(), CollectionError> {
        if value.is_empty() {
            return Ok(());
        }
        if self.value.is_empty() {
            *self = Self { value: value.to_owned(), path: path.to_owned() };
        }
        if value == self.value {
            return Ok(());
        }
        let values = [(&self.value[..], self.path.as_path()), (value, path)]
            .map(|(value, path)| format!("\"{value}\" in \"{}\"", path.display()));
        Err(CollectionError::Different { setting: name.to_owned(), values, is_program })
    }
}

/// An engine of the games.
#[derive(Debug, Default)]
struct CollectedEngine {
    name: String,
    settings: SharedSetting,
    program: SharedSetting,
}

#[derive(Debug)]
struct CollectedGame {
    game: MatchGame,
    /// The engines that play Black and White.
    players: [usize; 2],
    pair: Option<PairKey>,
}

/// Games from any number of files, each counted once.
#[derive(Debug, Default)]
pub struct GameCollection {
    games: Vec<CollectedGame>,
    identities: HashSet<u64>,
    rules: SharedSetting,
    openings: SharedSetting,
    engines: Vec<CollectedEngine>,
    /// The event of all games, or `None` if the events differ.
    event: Option<String>,
    sprt: Option<Sprt>,
    opponents: BTreeSet<String>,
    policy: ResumePolicy,
    /// Number of duplicate games, which are left out.
    pub duplicates: u64,
    /// Number of games without a result, which are left out.
    pub unfinished: u64,
    pub faulty: FaultyGames,
    /// Damaged lines, whose games are left out.
    pub damaged: Vec<(PathBuf, String)>,
}

impl GameCollection {
    /// Creates a collection that tolerates what `policy` allows.
    pub fn new(policy: ResumePolicy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Adds a file: a match checkpoint (`.jsonl`) or PDN, or PDN from standard input if it is called `-`. Its
    /// settings must match those of the other files. PDN is read from what `open` returns.
    pub fn add(
        &mut self,
        path: &Path,
        open: &dyn Fn() -> io::Result<Box<dyn Read>>,
    ) -> Result<(), CollectionError> {
        let extension = path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("jsonl") || extension.eq_ignore_ascii_case("json") {
            self.add_state(path)
        } else {
            self.add_pdn(path, open().map_err(failed("read", path))?)
        }
    }

    fn add_state(&mut self, path: &Path) -> Result<(), CollectionError> {
        let mut games = Vec::new();
        let (header, faults) =
            checkpoint::read::<MatchHeader>(path, self.policy.salvage, &mut |game| games.push(game))?;
        self.damaged.extend(faults.into_iter().map(|fault| (path.to_owned(), fault)));
        self.sprt = self.sprt.or(header.sprt);
        self.opponents.extend(header.opponent().map(str::to_owned));
        // Keep the engines in match order, including those without games.
        for engine in &header.engines {
            self.engine(&engine.name);
        }
        if games.is_empty() {
            return Ok(());
        }
        self.agree(&header.event, &header.rules.to_string(), &header.openings, path)?;
        for engine in &header.engines {
            self.agree_on_engine(engine, path)?;
        }
        for game in games {
            let mut players = game.players.iter();
            if let Some(name) = players.find(|name| Contender::named(&header.engines, name).is_none()) {
                let number = u64::from(game.number) + 1;
                self.faulty.unreadable.push(format!(
                    "{}: game {number}: the match has no engine {}",
                    path.display(),
                    Quoted(name)
                ));
                continue;
            }
            self.insert(game, Some(header.plan.seed));
        }
        Ok(())
    }

    fn add_pdn(&mut self, path: &Path, games: impl Read) -> Result<(), CollectionError> {
        for entry in PdnReader::new(games) {
            let PdnEntry { number, line, results, ref other_errors, .. } = entry;
            let wrong_result =
                other_errors.iter().find(|error| matches!(error.kind, PdnErrorKind::Results(_)));
            let game = match (wrong_result, results.board) {
                (Some(fault), Some(_)) => {
                    self.faulty.corrected.push(format!("{}: {fault}", path.display()));
                    entry.whole()
                }
                (Some(fault), None) => {
                    self.faulty.doubtful.push(format!("{}: {fault}", path.display()));
                    continue;
                }
                (None, _) => entry.whole(),
            };
            match game {
                Ok(record) => match pdn::read(&record) {
                    Ok(Some(game)) => self.insert_tagged(game, &record.tags, path)?,
                    Ok(None) => self.unfinished += 1,
                    Err(error) => {
                        self.faulty
                            .unreadable
                            .push(format!("{}: game {number}, line {line}: {error}", path.display()));
                    }
                },
                Err(error) => self.faulty.unreadable.push(format!("{}: {error}", path.display())),
            }
        }
        Ok(())
    }

    /// Adds a game of a PDN file, whose tags have the settings of its match.
    fn insert_tagged(&mut self, game: MatchGame, tags: &Tags, path: &Path) -> Result<(), CollectionError> {
        self.agree(tags.text("Event"), tags.text("Rules"), tags.text("Openings"), path)?;
        for (side, name) in ["Black", "White"].into_iter().zip(&game.players) {
            let engine = Contender {
                name: name.clone(),
                settings: tags.text(&format!("{side}Settings")).to_owned(),
                program: tags.text(&format!("{side}Program")).to_owned(),
            };
            self.agree_on_engine(&engine, path)?;
        }
        self.insert(game, pdn::seed(tags));
        Ok(())
    }

    fn agree(
        &mut self,
        event: &str,
        rules: &str,
        openings: &str,
        path: &Path,
    ) -> Result<(), CollectionError> {
        self.rules.agree("rules", rules, path, false)?;
        self.openings.agree("openings", openings, path, false)?;
        let common = self.event.get_or_insert_with(|| event.to_owned());
        if *common != event {
            common.clear();
        }
        Ok(())
    }

    fn agree_on_engine(&mut self, engine: &Contender, path: &Path) -> Result<(), CollectionError> {
        let Contender { name, settings, program } = engine;
        let index = self.engine(name);
        let collected = &mut self.engines[index];
        collected.settings.agree(&format!("settings of {name}"), settings, path, false)?;
        if self.policy.any_program {
            return Ok(());
        }
        collected.program.agree(&format!("program of {name}"), program, path, true)
    }

    /// Adds a game, unless it is a duplicate. `seed` is that of its match, if it has a place in one.
    fn insert(&mut self, game: MatchGame, seed: Option<u64>) {
        if !self.identities.insert(identity(&game, seed)) {
            self.duplicates += 1;
            return;
        }
        // The key includes the opening, since matches between different engines may number their pairs
        // differently.
        let pair = seed.map(|seed| (hash(&(seed, &game.opening)), game.pair));
        let players = game.players.each_ref().map(|name| self.engine(name));
        self.games.push(CollectedGame { game, players, pair });
    }

    /// Returns the index of the engine with a name, which is added if it is new.
    fn engine(&mut self, name: &str) -> usize {
        if let Some(index) = self.engines.iter().position(|engine| engine.name == name) {
            return index;
        }
        self.engines.push(CollectedEngine { name: name.to_owned(), ..CollectedEngine::default() });
        self.engines.len() - 1
    }

    /// Returns the shared settings, the counts, and the games in schedule order.
    pub fn finish(mut self) -> Result<(MatchConditions, Tally, Vec<MatchGame>), CollectionError> {
        if self.games.is_empty() {
            let FaultyGames { unreadable, doubtful, .. } = self.faulty;
            let faulty = [unreadable, doubtful].concat();
            return Err(if faulty.is_empty() {
                CollectionError::NoGames
            } else {
                CollectionError::AllFaulty(faulty)
            });
        }
        // Shards may come in any order. The sort is stable, so games without a place in a match keep theirs.
        self.games.sort_by_key(|collected| collected.pair.map(|_| collected.game.number));
        let engines = self.engines.into_iter().map(|engine| Contender {
            name: engine.name,
            settings: engine.settings.value,
            program: engine.program.value,
        });
        let conditions = MatchConditions {
            event: self.event.filter(|event| !event.is_empty()).unwrap_or_else(|| "Games".to_owned()),
            openings: self.openings.value,
            rules: self.rules.value,
            engines: engines.collect(),
            sprt: self.sprt,
            opponents: self.opponents,
        };
        let mut games: Vec<MatchGame> = Vec::with_capacity(self.games.len());
        let mut tally = Tally::new(conditions.engines.iter().map(|engine| engine.name.as_str()));
        for (CollectedGame { mut game, players, pair }, place) in self.games.into_iter().zip(0..) {
            if pair.is_none() {
                game.number = place;
            }
            game.repeats = tally.add(&game, players, pair);
            games.push(game);
        }
        Ok((conditions, tally, games))
    }
}

/// Returns the identity of a game: its place in a match, or its content.
fn identity(game: &MatchGame, seed: Option<u64>) -> u64 {
    if let Some(seed) = seed {
        return hash(&(seed, game.number, &game.players, &game.opening));
    }
    let moves = moves_key(&game.start, &game.plies);
    hash(&(game.round, &game.players, moves, game.result.word()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::{header, plan};
    use crate::match_game::Termination;
    use crate::match_game::tests::record;
    use kelso_batch::checkpoint::Checkpoint;
    use kelso_batch::testing::Folder;
    use kelso_players::player::FaultKind;

    fn run(folder: &Folder, name: &str, header: MatchHeader, games: &[u32]) {
        let (mut store, _) = Checkpoint::open::<RunError>(
            &folder.path(name),
            header,
            ResumePolicy::default(),
            &mut |_| Ok(()),
        )
        .unwrap();
        for &game in games {
            let mut played = MatchGame { number: game, pair: game / 2, ..record() };
            if game % 2 == 1 {
                played.players.reverse();
            }
            // Make all pairs different.
            let kind = if game / 2 % 2 == 0 { FaultKind::Time } else { FaultKind::Crash };
            played.termination = Termination::Fault(kind);
            store.add(&played).unwrap();
        }
    }

    fn add(collection: &mut GameCollection, path: &Path) -> Result<(), CollectionError> {
        collection.add(path, &|| Ok(Box::new(std::fs::File::open(path)?)))
    }

    fn collect(folder: &Folder, files: &[&str]) -> Result<(GameCollection, Tally), CollectionError> {
        let read = || {
            let mut collection = GameCollection::default();
            files.iter().try_for_each(|file| add(&mut collection, &folder.path(file))).map(|()| collection)
        };
        let (_, tally, _) = read()?.finish()?;
        Ok((read()?, tally))
    }

    #[test]
    fn parts_in_either_format_equal_the_whole() {
        let folder = Folder::new();
        run(&folder, "one", header(), &[0, 3]);
        run(&folder, "two", header(), &[1, 2, 3]);
        for files in [["one.pdn", "two.pdn"], ["one.jsonl", "two.jsonl"], ["one.pdn", "two.jsonl"]] {
            let (collection, tally) = collect(&folder, &files).unwrap();
            assert_eq!((collection.games.len(), collection.duplicates), (4, 1), "{files:?}");
            assert_eq!(tally.meeting(0, 1).pairs.count(), 2, "{files:?}");
        }
        // Engines in a checkpoint are in match order, even if the second had Black in the first game.
        run(&folder, "three", header(), &[1]);
        for (file, names) in [("three.jsonl", ["A", "B"]), ("three.pdn", ["B", "A"])] {
            let (_, tally) = collect(&folder, &[file]).unwrap();
            assert_eq!(tally.standings.iter().map(|standing| &standing.name).collect::<Vec<_>>(), names);
        }
    }

    #[test]
    fn games_of_engines_that_the_match_does_not_have_are_unreadable() {
        let folder = Folder::new();
        let mut other = header();
        other.engines[1].name = "C".to_owned();
        run(&folder, "one", header(), &[0]);
        run(&folder, "two", other, &[1]);
        let (collection, tally) = collect(&folder, &["one.jsonl", "two.jsonl"]).unwrap();
        assert_eq!((collection.games.len(), tally.games()), (1, 1));
        let [error] = &collection.faulty.unreadable[..] else { panic!("{:?}", collection.faulty) };
        assert!(error.ends_with("two.jsonl: game 2: the match has no engine \"B\""), "{error}");
    }

    #[test]
    fn games_with_other_seeds_are_distinct_and_other_settings_are_rejected() {
        let folder = Folder::new();
        run(&folder, "one", header(), &[0]);
        run(&folder, "seed", MatchHeader { plan: plan(3, 8), ..header() }, &[0]);
        run(&folder, "openings", MatchHeader { openings: "eleven-man".to_owned(), ..header() }, &[0]);
        let mut changed = header();
        changed.engines[1].settings = "nodes=5".to_owned();
        run(&folder, "settings", changed, &[0]);
        assert_eq!(collect(&folder, &["one.pdn", "seed.pdn"]).unwrap().0.games.len(), 2);
        for (file, part) in [
            ("openings.pdn", "openings is \"three-move\""),
            ("settings.jsonl", "settings of B is \"tc=60+0.5"),
        ] {
            let error = collect(&folder, &["one.jsonl", file]).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(file), "{error}");
        }
    }

    #[test]
    fn games_without_numbers_are_compared_by_their_moves() {
        let folder = Folder::new();
        let game = "[Black \"X\"]\n[White \"Y\"]\n1. 11-15 23-18 1-0\n\n";
        std::fs::write(folder.path("a.pdn"), format!("{game}{}{game}1. 11-15 *\n", game.replace("15", "16")))
            .unwrap();
        let (collection, tally) = collect(&folder, &["a.pdn"]).unwrap();
        assert_eq!((collection.games.len(), collection.duplicates, collection.unfinished), (2, 1, 1));
        assert_eq!(tally.meeting(0, 1).wdl.wins, 2);
        // This seed is not that of a match.
        let seeded = game.replace("[White", "[Seed \"5\"]\n[White");
        std::fs::write(folder.path("b.pdn"), seeded.clone() + &seeded.replace("23-18", "22-18")).unwrap();
        let mut collection = GameCollection::default();
        add(&mut collection, &folder.path("b.pdn")).unwrap();
        let (_, _, games) = collection.finish().unwrap();
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1]);
        let error = collect(&folder, &["missing.pdn"]).unwrap_err().to_string();
        assert!(error.starts_with("cannot read \""), "{error}");
    }

    #[test]
    fn games_that_end_in_different_openings_are_different() {
        let folder = Folder::new();
        let names = "[Black \"X\"]\n[White \"Y\"]\n[OpeningPlies \"1\"]\n[Termination \"time\"]\n";
        std::fs::write(folder.path("a.pdn"), format!("{names}11-15 1-0\n\n{names}11-16 1-0\n")).unwrap();
        let (collection, tally) = collect(&folder, &["a.pdn"]).unwrap();
        assert_eq!((collection.games.len(), collection.duplicates, tally.repeats), (2, 0, 0));
    }

    #[test]
    fn faulty_games_are_reported() {
        let folder = Folder::new();
        let names = "[Black \"X\"]\n[White \"Y\"]\n";
        let games = [
            format!("{names}1. 11-15 23-18 1-0"),
            format!("{names}1. 11-15 23-11 1-0"),
            format!("{names}[Result \"0-1\"]\n1. 11-15 22-18 1-0"),
            format!("{names}[Result \"0-1\"]\n[FEN \"B:W9:B5,6\"]\n1. 6x13 0-1"),
            format!("{names}[Result \"0-1\"]\n[FEN \"B:W10:B5,6\"]\n1. 6x15 1-0"),
            format!("{names}1. 11-15 24-19 {{fine}} 15x24 28x19 0-1"),
        ];
        std::fs::write(folder.path("a.pdn"), games.join("\n\n")).unwrap();
        let (collection, tally) = collect(&folder, &["a.pdn"]).unwrap();
        let FaultyGames { unreadable, doubtful, corrected } = &collection.faulty;
        assert_eq!((collection.games.len(), collection.unfinished), (4, 0));
        for (found, count, part) in [
            (unreadable, 1, "a.pdn: game 2, line 7, column 10: illegal move \"23-11\""),
            (doubtful, 1, "a.pdn: game 3, line 12, column 16: contradictory results: 0-1 in the tag"),
            (corrected, 2, "0-1 in the tag, 0-1 after the moves, 1-0 on the board"),
        ] {
            assert_eq!(found.len(), count, "{found:?}");
            assert!(found[0].contains(part), "{found:?}");
        }
        let wdl = tally.meeting(0, 1).wdl;
        assert_eq!((wdl.wins, wdl.draws, wdl.losses), (3, 0, 1));
        std::fs::write(folder.path("b.pdn"), &games[1]).unwrap();
        let error = collect(&folder, &["b.pdn"]).unwrap_err().to_string();
        assert!(error.contains("cannot read any") && error.contains("game 1, line 3"), "{error}");
    }

    #[test]
    fn the_conditions_are_those_of_all_games() {
        let folder = Folder::new();
        let other = MatchHeader { event: "Other".to_owned(), plan: plan(3, 8), ..header() };
        run(&folder, "one", header(), &[2, 0, 1]);
        run(&folder, "two", other, &[0]);
        std::fs::copy(folder.path("one.jsonl"), folder.path("copy.JSON")).unwrap();
        let conditions = |files: &[&str]| {
            let mut collection = GameCollection::default();
            for file in files {
                add(&mut collection, &folder.path(file)).unwrap();
            }
            let (conditions, _, games) = collection.finish().unwrap();
            (conditions, games.iter().map(|game| game.number).collect::<Vec<_>>())
        };
        for file in ["one.jsonl", "copy.JSON", "one.pdn"] {
            let (found, numbers) = conditions(&[file]);
            assert_eq!((found, numbers), ((&header()).into(), vec![0, 1, 2]), "{file}");
        }
        let (found, numbers) = conditions(&["one.jsonl", "two.jsonl"]);
        assert_eq!((found.event.as_str(), numbers), ("Games", vec![0, 0, 1, 2]));
        let error = GameCollection::default().finish().unwrap_err().to_string();
        assert_eq!(error, "no finished games found");
    }

    #[test]
    fn another_program_is_refused_unless_any_program_will_do() {
        let folder = Folder::new();
        let mut other = MatchHeader { plan: plan(3, 8), ..header() };
        other.engines[0].program = "A 2.0".to_owned();
        run(&folder, "one", header(), &[0]);
        run(&folder, "two", other, &[0]);
        let combine = |policy| {
            let mut collection = GameCollection::new(policy);
            add(&mut collection, &folder.path("one.jsonl")).unwrap();
            add(&mut collection, &folder.path("two.pdn")).map_err(|error| error.to_string())
        };
        let error = combine(ResumePolicy::default()).unwrap_err();
        let expected =
            "cannot combine games with different settings: program of A is \"A 1.0, engine 00c0ffee\" in ";
        assert!(error.starts_with(expected) && error.contains("and \"A 2.0\" in "), "{error}");
        assert!(error.ends_with("two.pdn\""), "{error}");
        assert_eq!(combine(ResumePolicy { any_program: true, ..ResumePolicy::default() }), Ok(()));
    }
}
