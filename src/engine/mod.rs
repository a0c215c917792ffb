//! The engine without any text: it owns the table and the settings, and searches.

mod bench;
mod evaluation;
mod level;
mod options;
mod probe;
mod scaling;
mod searcher;
mod weights;

pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, BenchResult};
pub use evaluation::Evaluation;
pub use level::Level;
pub use options::{Declaration, Kind, OPTIONS, OptionError, Setting};
pub use probe::{Ending, Probe};
pub use scaling::Scaling;
pub use searcher::Searcher;
pub use weights::{WeightsError, read_weights};

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use self::evaluation::Judge;
use crate::board::{Game, Position};
use crate::egdb::{self, Databases};
use crate::eval::{Explanation, Sheet};
use crate::search::{Answer, Control, Event, Limits, Margins, OutOfMemory, Table, Task};

/// An engine: everything that lasts from one search to the next.
///
/// ```
/// use kelso::board::Game;
/// use kelso::engine::Engine;
/// use kelso::search::{Control, Limits};
///
/// let engine = Engine::new()?;
/// let control = Control::new(false);
/// let answer = engine.search(&Game::default(), &Limits::depth(8), &control, &mut |_| {});
/// assert!(answer.best.is_some());
/// # Ok::<(), kelso::search::OutOfMemory>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    table: Table,
    /// Parts of the table whose memory has been touched.
    warm_parts: usize,
    databases: OnceLock<Databases>,
    endings: egdb::Options,
    overhead: Duration,
    judge: Judge,
    searcher: Searcher,
    level: Option<Level>,
    threads: usize,
    lines: usize,
    margins: Margins,
}

/// Why a setting can't be changed.
#[derive(Debug)]
pub enum SettingError {
    /// There is no memory.
    Memory(OutOfMemory),
    /// A file can't be used.
    Weights(WeightsError),
    /// A folder holds no endgame databases.
    Endings(egdb::Problem),
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Weights(error) => error.fmt(f),
            Self::Endings(problem) => problem.fmt(f),
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
        Self::with_table(64)
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
            endings: egdb::Options::default(),
            overhead: Duration::from_millis(10),
            judge: Judge::default(),
            searcher: Searcher::DEFAULT,
            level: None,
            threads: 1,
            lines: 1,
            margins: Margins::default(),
        })
    }

    /// Changes a setting.
    ///
    /// # Errors
    ///
    /// When there is no memory for a table, or a file can't be used; all stays as it was.
    pub fn apply(&mut self, setting: Setting) -> Result<(), SettingError> {
        match setting {
            Setting::Hash(mebibytes) if mebibytes == self.table.mebibytes() => {}
            Setting::Hash(mebibytes) => {
                self.table = Table::new(mebibytes)?;
                self.warm_parts = 0;
            }
            Setting::ClearHash => self.table.clear(),
            Setting::MoveOverhead(overhead) => self.overhead = overhead,
            Setting::Threads(threads) => self.threads = threads,
            Setting::MultiPv(lines) => self.lines = lines,
            // A search in the other side's time is asked for by itself; nothing depends on its announcement.
            Setting::Ponder(_) => {}
            Setting::Level(level) => {
                self.level = level;
                self.databases = OnceLock::new();
                self.table.clear();
            }
            Setting::EgdbPath(folder) => {
                if let Some(folder) = &folder {
                    egdb::check_folder(folder).map_err(SettingError::Endings)?;
                }
                self.endings.folder = folder.or_else(egdb::default_folder);
                self.databases = OnceLock::new();
            }
            Setting::EgdbPieces(pieces) => {
                self.endings.pieces = pieces;
                self.databases = OnceLock::new();
            }
            Setting::EgdbCache(mebibytes) => {
                self.endings.cache = mebibytes;
                self.databases = OnceLock::new();
            }
            Setting::Searcher(searcher) => {
                self.searcher = searcher;
                self.table.clear();
            }
            Setting::Evaluation(evaluation) => {
                self.judge.evaluation = evaluation;
                // What the table holds was judged by another evaluation.
                self.table.clear();
            }
            Setting::Margins(margins) => {
                self.margins = margins;
                self.table.clear();
            }
            Setting::Weights(path) => {
                let sheet = path.map(|path| read_weights(&path)).transpose()?;
                self.weigh(sheet.as_ref());
            }
            Setting::EvalFile(path) => {
                self.judge.load(path.as_deref())?;
                self.table.clear();
            }
        }
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
        let databases = self.databases();
        let limited = self.level.map(|level| level.limit(limits));
        let task = Task {
            game,
            limits: limited.as_ref().unwrap_or(limits),
            table: &self.table,
            databases,
            control,
            overhead: self.overhead,
            // Helpers would look further than the level does.
            threads: if self.level.is_some() { 1 } else { self.threads },
            lines: self.lines,
            margins: &self.margins,
        };
        self.judge.search(self.searcher, self.level, &task, tell)
    }

    /// The endgame databases, opened when they are first needed: that takes longer than all the rest of starting.
    pub fn databases(&self) -> &Databases {
        self.databases.get_or_init(|| match self.level {
            None => Databases::open(&self.endings),
            // Nobody knows all endings by heart.
            Some(_) => Databases::open(&egdb::Options {
                folder: None,
                compiled_in: false,
                cache: 1,
                ..self.endings.clone()
            }),
        })
    }

    /// What the endgame databases say of a position, and of every move.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Probe {
        Probe::of(self.databases(), position)
    }

    /// What has been found wrong with endgame databases since this was asked last.
    #[must_use]
    pub fn take_problems(&self) -> Vec<egdb::Problem> {
        self.databases.get().map(Databases::take_problems).unwrap_or_default()
    }

    /// The name of the chosen evaluation and, if it is a network, of its weights.
    #[must_use]
    pub fn evaluation_name(&self) -> String {
        self.judge.name()
    }

    /// A checksum of the weights of the chosen evaluation; none if it has none that could change.
    #[must_use]
    pub fn weights_checksum(&self) -> Option<u32> {
        self.judge.checksum()
    }

    /// What the chosen evaluation says of a position for the side to move, in hundredths of a man.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.judge.evaluator().evaluate(position)
    }

    /// Why it says so.
    #[must_use]
    pub fn explain(&self, position: &Position) -> Explanation {
        Explanation::of(self.judge.evaluator(), position)
    }
}
