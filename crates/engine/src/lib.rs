//! The engine without any text: it owns the table and the settings, and searches.

mod bench;
pub mod book;
mod book_moves;
pub mod eval;
mod judge;
mod offer;
mod options;
mod probe;
mod scaling;
pub mod search;
mod weights;

pub use crate::eval::Evaluation;
pub use crate::search::{Level, Searcher};
pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, BenchResult};
pub use offer::{OfferAnswer, OfferReason};
pub use options::{Declaration, Kind, OPTIONS, OptionError, Options, Press, Resource, Setting};
pub use probe::{Ending, Probe};
pub use scaling::Scaling;
pub use weights::{WeightsError, read_weights};

use std::fmt;
use std::sync::OnceLock;

use self::judge::Judge;
use self::options::Effect;
use crate::book::{Book, BookError};
use crate::eval::{Explanation, Sheet};
use crate::search::{Answer, Control, Event, Limits, OutOfMemory, Table, Task};
use draughts::board::{Game, Position};
use endgames::{self, Databases};

/// An engine: everything that lasts from one search to the next.
///
/// ```
/// use draughts::board::Game;
/// use engine::Engine;
/// use engine::search::{Control, Limits};
///
/// let engine = Engine::new()?;
/// let control = Control::new(false);
/// let answer = engine.search(&Game::default(), &Limits::depth(8), &control, &mut |_| {});
/// assert!(answer.best.is_some());
/// # Ok::<(), engine::search::OutOfMemory>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    table: Table,
    /// Parts of the table whose memory has been touched.
    warm_parts: usize,
    databases: OnceLock<Databases>,
    /// Whether databases are read from files, or only what is compiled in is used.
    reads_files: bool,
    judge: Judge,
    /// The one that was chosen, or, when it is needed first, the one that is compiled in.
    book: OnceLock<Option<Book>>,
    options: Options,
}

/// Why a setting can't be changed.
#[derive(Debug)]
pub enum SettingError {
    /// There is no memory.
    Memory(OutOfMemory),
    /// A file can't be used.
    Weights(WeightsError),
    /// A folder holds no endgame databases.
    Endings(endgames::Problem),
    /// A file is no opening book.
    Book(BookError),
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Weights(error) => error.fmt(f),
            Self::Endings(problem) => problem.fmt(f),
            Self::Book(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SettingError {}

impl From<OutOfMemory> for SettingError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error)
    }
}

impl From<WeightsError> for SettingError {
    fn from(error: WeightsError) -> Self {
        Self::Weights(error)
    }
}

impl Engine {
    /// An engine with the default settings.
    ///
    /// # Errors
    ///
    /// When there is no memory for its table.
    pub fn new() -> Result<Self, OutOfMemory> {
        Self::with_table(Options::default().hash)
    }

    /// An engine with a table of so many MiB.
    ///
    /// # Errors
    ///
    /// When there is no memory for its table.
    pub fn with_table(mebibytes: usize) -> Result<Self, OutOfMemory> {
        Ok(Self {
            table: Table::new(mebibytes)?,
            warm_parts: 0,
            databases: OnceLock::new(),
            reads_files: true,
            judge: Judge::default(),
            book: OnceLock::new(),
            options: Options { hash: mebibytes, ..Options::default() },
        })
    }

    /// An engine that plays like this one, with a table of so many MiB and the databases that are compiled in: it does
    /// the same on every machine.
    fn standard(&self, mebibytes: usize) -> Result<Self, OutOfMemory> {
        let Options { evaluation, searcher, ref margins, .. } = self.options;
        let margins = margins.clone();
        let options = Options { hash: mebibytes, evaluation, searcher, margins, ..Options::default() };
        Ok(Self { options, reads_files: false, judge: self.judge.clone(), ..Self::with_table(mebibytes)? })
    }

    /// What has been set.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Changes a setting.
    ///
    /// # Errors
    ///
    /// When there is no memory for a table, or a file can't be used; all stays as it was.
    pub fn apply(&mut self, setting: Setting) -> Result<(), SettingError> {
        match &setting {
            Setting::Hash(mebibytes) if *mebibytes != self.table.mebibytes() => {
                self.table = Table::new(*mebibytes)?;
                self.warm_parts = 0;
            }
            Setting::EgdbPath(Some(folder)) => {
                endgames::check_folder(folder).map_err(SettingError::Endings)?;
            }
            Setting::Weights(path) => {
                let sheet = path.as_deref().map(read_weights).transpose()?;
                self.weigh(sheet.as_ref());
            }
            Setting::EvalFile(path) => self.judge.load(path.as_deref())?,
            Setting::BookFile(path) => {
                let book = path.as_deref().map(Book::open).transpose().map_err(SettingError::Book)?;
                self.book = book.map_or_else(OnceLock::new, |book| OnceLock::from(Some(book)));
            }
            _ => {}
        }
        for effect in setting.effects() {
            match effect {
                Effect::ClearTable => self.table.clear(),
                Effect::ReopenDatabases => self.databases = OnceLock::new(),
            }
        }
        self.options.set(setting);
        Ok(())
    }

    /// Gives the hand-made evaluation of a sheet its weights, in place of any given before; without a sheet all are as
    /// published again.
    pub fn weigh(&mut self, sheet: Option<&Sheet>) {
        self.judge.weigh(sheet);
        self.table.clear();
    }

    /// The next search belongs to another game.
    pub fn new_game(&mut self) {
        self.table.clear();
    }

    /// Something to do while there is nothing to do: makes a part of the table's memory ready, which takes a few
    /// milliseconds at the most, and says whether there is more.
    pub fn warm_up(&mut self) -> bool {
        if self.databases.get().is_none() {
            self.databases();
            return true;
        }
        self.warm_parts += 1;
        self.table.warm(self.warm_parts - 1)
    }

    /// Searches until the limits are reached or `control` stops it; what it finds on the way goes to `tell`.
    pub fn search(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        if let Some(answer) = self.answer_by_book(game, limits, tell) {
            return answer;
        }
        let Options { evaluation, level, .. } = self.options;
        let limited = level.map(|level| level.limit(limits));
        let task = Task {
            game,
            limits: limited.as_ref().unwrap_or(limits),
            table: &self.table,
            databases: self.databases(),
            control,
            options: &self.options.for_search(),
        };
        self.judge.search(&task, evaluation, level, tell)
    }

    /// The endgame databases, opened when they are first needed: that takes longer than all the rest of starting.
    pub fn databases(&self) -> &Databases {
        self.databases.get_or_init(|| {
            let Options { ref egdb_path, egdb_pieces, egdb_cache, level, .. } = self.options;
            let options =
                endgames::Sources { pieces: egdb_pieces, cache: egdb_cache, ..endgames::Sources::default() };
            Databases::open(&match level {
                // Nobody knows all endings by heart.
                Some(_) => endgames::Sources { folder: None, compiled_in: false, cache: 1, ..options },
                None if !self.reads_files => endgames::Sources { folder: None, ..options },
                None => endgames::Sources { folder: egdb_path.clone().or(options.folder), ..options },
            })
        })
    }

    /// What the endgame databases say of a position, and of every move.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Probe {
        Probe::of(self.databases(), position)
    }

    /// What has been found wrong with endgame databases since this was asked last.
    #[must_use]
    pub fn take_problems(&self) -> Vec<endgames::Problem> {
        self.databases.get().map(Databases::take_problems).unwrap_or_default()
    }

    /// The name of the chosen evaluation and, if it is a network, of its weights.
    #[must_use]
    pub fn evaluation_name(&self) -> String {
        self.judge.name(self.options.evaluation)
    }

    /// A checksum of the weights of the chosen evaluation; none if it has none that could change.
    #[must_use]
    pub fn weights_checksum(&self) -> Option<u32> {
        self.judge.checksum(self.options.evaluation)
    }

    /// What the chosen evaluation says of a position for the side to move, in hundredths of a man.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.judge.evaluator(self.options.evaluation).evaluate(position)
    }

    /// Why it says so.
    #[must_use]
    pub fn explain(&self, position: &Position) -> Explanation {
        Explanation::of(self.judge.evaluator(self.options.evaluation), position)
    }
}
