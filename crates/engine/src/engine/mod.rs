//! The engine: it owns the transposition table, the options and the databases, and runs searches.

mod bench;
mod book_answer;
mod draw_offer;
mod evaluation;
mod probe;
mod weights;

pub use bench::{BENCH_DEPTH, BenchResult, bench_positions};
pub use draw_offer::{DrawOfferAnswer, DrawOfferReason};
pub use evaluation::EvaluationId;
pub use probe::{ErringReplies, Probe, ProbedMove};
pub use weights::WeightsError;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

use self::weights::{LoadedTerms, read_network};
use crate::book::{self, Book, BookError};
use crate::eval::{Network, TermWeights};
use crate::options::{Effect, Options, Setting};
use crate::search::{
    self, Control, Limits, OutOfMemory, SearchAnswer, SearchEvent, SearchMemory, SearchObserver, Task,
};
use kelso_draughts::board::Game;
use kelso_endgames::{DatabaseError, DatabaseOptions, Databases, installed_folder};

/// An engine, which holds all state that outlasts a search.
#[derive(Debug)]
pub struct Engine {
    memory: SearchMemory,
    databases: OnceLock<Databases>,
    /// The folder of databases to use while the option `EgdbPath` is empty.
    default_folder: Option<PathBuf>,
    embedded: EmbeddedData,
    network: Network,
    /// Weights that replace the default weights of the same evaluation.
    loaded_terms: Option<LoadedTerms>,
    /// The opening book, opened on first use.
    book: OnceLock<Option<Book>>,
    options: Options,
}

/// Data that an engine uses instead of files; by default, the compiled-in data.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedData {
    pub databases: kelso_endgames::EmbeddedDatabases,
    /// The opening book, which may be empty.
    pub book: &'static [u8],
}

impl Default for EmbeddedData {
    fn default() -> Self {
        Self { databases: kelso_endgames::COMPILED_IN, book: book::file::COMPILED_IN }
    }
}

/// The reason why an option cannot be set.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettingError {
    /// The transposition table cannot be allocated.
    Memory(OutOfMemory),
    /// A file of weights cannot be used.
    Weights(WeightsError),
    /// A folder of endgame databases cannot be used.
    Databases(DatabaseError),
    /// An opening book cannot be used.
    Book(BookError),
}

impl Error for SettingError {}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Weights(error) => error.fmt(f),
            Self::Databases(error) => error.fmt(f),
            Self::Book(error) => error.fmt(f),
        }
    }
}

/// The configuration of a new engine. By default, all options have their default values, and the data is
/// built in, so that the engine plays alike on every machine.
#[derive(Clone, Debug, Default)]
pub struct EngineSettings {
    /// The options that differ from their defaults. Of several values of an option, the last one counts.
    pub options: Vec<Setting>,
    /// The folder of endgame databases to use while the option `EgdbPath` is empty.
    pub default_folder: Option<PathBuf>,
    /// The data to use instead of files.
    pub embedded: EmbeddedData,
}

impl<const N: usize> From<[Setting; N]> for EngineSettings {
    fn from(options: [Setting; N]) -> Self {
        Self { options: options.into(), ..Self::default() }
    }
}

impl EngineSettings {
    /// Settings with the endgame databases in the user's data folder, if there are any.
    #[must_use]
    pub fn installed() -> Self {
        Self { default_folder: installed_folder(), ..Self::default() }
    }

    /// Changes the default of an option.
    #[must_use]
    pub fn with_default(mut self, setting: Setting) -> Self {
        self.options.insert(0, setting);
        self
    }
}

impl Engine {
    /// Creates an engine.
    ///
    /// # Errors
    ///
    /// If the table cannot be allocated or a file cannot be used.
    pub fn new(settings: impl Into<EngineSettings>) -> Result<Self, SettingError> {
        let EngineSettings { options: settings, default_folder, embedded } = settings.into();
        let mut options = Options::default();
        let mut last = BTreeMap::new();
        for setting in &settings {
            options.set(setting.clone());
            last.insert(setting.name(), setting);
        }
        let mut engine = Self {
            memory: SearchMemory::new(options.hash).map_err(SettingError::Memory)?,
            databases: OnceLock::new(),
            default_folder,
            embedded,
            network: Network::compiled_in().clone(),
            loaded_terms: None,
            book: OnceLock::new(),
            options,
        };
        last.into_values().try_for_each(|setting| engine.load(setting))?;
        Ok(engine)
    }

    /// Creates an engine, and checks that its endgame databases are complete and undamaged.
    ///
    /// # Errors
    ///
    /// If the engine cannot be created, or a database cannot be used or is missing.
    pub fn checked(settings: EngineSettings) -> Result<Self, SettingError> {
        let engine = Self::new(settings)?;
        engine.databases().require_all().map_err(SettingError::Databases)?;
        Ok(engine)
    }

    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option.
    ///
    /// # Errors
    ///
    /// If the table cannot be allocated or a file cannot be used. The previous value is kept.
    pub fn apply(&mut self, setting: Setting) -> Result<(), SettingError> {
        // The old table is kept if there is no memory for the new one, which needs none until it is used.
        if let Setting::Hash(mebibytes) = setting
            && mebibytes != self.options.hash
        {
            self.memory = SearchMemory::new(mebibytes).map_err(SettingError::Memory)?;
        }
        self.load(&setting)?;
        for effect in setting.effects() {
            match effect {
                Effect::ClearTable => self.new_game(),
                Effect::ReopenDatabases => self.databases = OnceLock::new(),
            }
        }
        self.options.set(setting);
        Ok(())
    }

    /// Loads the file that an option names, or the built-in data in its place.
    fn load(&mut self, setting: &Setting) -> Result<(), SettingError> {
        match setting {
            Setting::EgdbPath(Some(folder)) => {
                kelso_endgames::check_folder(folder).map_err(SettingError::Databases)?;
            }
            Setting::Weights(path) => {
                let weights = path.as_deref().map(TermWeights::from_file);
                let weights = weights.transpose().map_err(SettingError::Weights)?;
                self.loaded_terms = weights.map(LoadedTerms::from);
            }
            Setting::EvalFile(None) => self.network = Network::compiled_in().clone(),
            Setting::EvalFile(Some(path)) => {
                self.network = read_network(path).map_err(SettingError::Weights)?;
            }
            Setting::BookFile(path) => {
                let book = path.as_deref().map(Book::open).transpose().map_err(SettingError::Book)?;
                self.book = book.map_or_else(OnceLock::new, |book| OnceLock::from(Some(book)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Replaces the data that is used instead of files, which a page loads after the engine has started.
    pub fn embed(&mut self, embedded: EmbeddedData) {
        self.embedded = embedded;
        self.databases = OnceLock::new();
        if self.options.book_file.is_none() {
            self.book = OnceLock::new();
        }
    }

    /// Prepares for another game: forgets what was learned from earlier searches.
    pub fn new_game(&mut self) {
        self.memory.clear();
    }

    /// Does idle work: opens the databases, or pre-faults a part of the transposition table, which takes at
    /// most a few milliseconds. Returns whether there is more to do.
    pub fn warm_up(&mut self) -> bool {
        if self.databases.get().is_none() {
            self.databases();
            return true;
        }
        self.memory.table.prefault()
    }

    /// Searches until the limits are reached or `control` stops it. Reports progress through `on_event`.
    pub fn search(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> SearchAnswer {
        match self.answer_by_book(game, limits, control, on_event) {
            Some(answer) => answer,
            None => self.search_without_book(game, limits, control, None, on_event),
        }
    }

    /// Searches without the opening book. With an observer, the search uses only one thread.
    pub fn search_without_book(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        observer: Option<&mut dyn SearchObserver>,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> SearchAnswer {
        let level = self.options.level;
        let limited = level.map(|level| level.limit(game.position(), limits));
        let task = Task {
            game,
            limits: limited.as_ref().unwrap_or(limits),
            memory: &self.memory,
            databases: self.databases(),
            control,
            options: &self.options.for_search(),
        };
        search::search(&task, self.evaluation(), observer, on_event)
    }

    /// Returns the endgame databases. They are opened on first use, since that is slow.
    pub fn databases(&self) -> &Databases {
        self.databases.get_or_init(|| {
            let Options { ref egdb_path, egdb_pieces, egdb_cache, .. } = self.options;
            // Levels do not use endgame databases.
            if !self.options.is_full_strength() {
                return Databases::open(&DatabaseOptions::NONE);
            }
            Databases::open(&DatabaseOptions {
                folder: egdb_path.as_ref().or(self.default_folder.as_ref()).cloned(),
                embedded: self.embedded.databases,
                pieces: egdb_pieces,
                cache: egdb_cache,
                ..DatabaseOptions::default()
            })
        })
    }

    /// Looks up the position of a game and every move in the endgame databases.
    pub fn probe(&self, game: &Game) -> Probe {
        Probe::of(self.databases(), game.position()).with_draw_rules(self.options.draws, game)
    }

    /// Returns the endgame databases if they have been opened.
    pub fn opened_databases(&self) -> Option<&Databases> {
        self.databases.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_fails_says_so_once() {
        let missing = Some("no such file".into());
        for setting in [
            Setting::EgdbPath(missing.clone()),
            Setting::Weights(missing.clone()),
            Setting::EvalFile(missing.clone()),
            Setting::BookFile(missing),
        ] {
            let error = Engine::new([setting]).unwrap_err();
            assert!(error.to_string().contains("\"no such file\"") && error.source().is_none(), "{error}");
        }
    }

    #[test]
    fn of_several_values_of_an_option_the_last_one_counts() {
        let missing = || Some("no such file".into());
        let overridden = [Setting::Weights(missing()), Setting::BookFile(missing())];
        let mut settings = EngineSettings::from(overridden);
        settings.options.extend([Setting::BookFile(None), Setting::Weights(None)]);
        let engine = Engine::new(settings.clone()).unwrap();
        assert_eq!((&engine.options.weights, &engine.options.book_file), (&None, &None));
        settings.options.push(Setting::Weights(missing()));
        assert!(matches!(Engine::new(settings), Err(SettingError::Weights(_))));
    }
}
