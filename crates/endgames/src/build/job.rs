//! What a thread of a build does with a slice and its twin: get the tables that they lead to, solve, compress, write.
//!
//! Where their tables are files, how far they are is saved now and then, more often the less that costs; after a kill the
//! build goes on from there. The same is done for large slices whose tables would fit in memory.
//!
//! Solving in files needs no order of its own. A block (see [`super::block`]) is solved in memory; it reads values of some
//! dozens of blocks that lie in one piece each, and writes two such pieces, each once. So a disk is asked for pieces of
//! tens of kilobytes, and what was read for the blocks before is mostly still in the system's cache.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::compress::{Choice, Values};
use super::pair::{Pair, Rule};
use super::request::{BuildError, BuildWatch};
use super::store::Store;
use super::table::{Cells, Table, Tables};
use super::writer::{Plan, Writer};
use crate::counts::Counts;
use crate::coverage::Coverage;
use crate::index::Index;
use crate::slice::Slice;

/// See the module's head.
pub(super) struct Run<'a, R: Rule> {
    pub(super) watch: &'a dyn BuildWatch,
    pub(super) store: &'a Store<R>,
    /// Set when everyone stops.
    pub(super) over: &'a AtomicBool,
    /// Whether tables are in files.
    pub(super) on_disk: bool,
}

/// Slices with their twins of so many positions, about two minutes of work, are solved so that they can be gone on with.
pub(super) const LARGE: u64 = 1 << 30;
/// Groups of a file after which to ask whether to go on.
const ASKING: u64 = 1 << 6;

/// When to save: after so many times as long as it took the last time, within limits.
struct Saving {
    last: Instant,
    pause: Duration,
}

impl Saving {
    const FACTOR: u32 = 30;
    const LIMITS: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(120)];

    fn new() -> Self {
        Self { last: Instant::now(), pause: Self::LIMITS[0] }
    }

    fn due(&self) -> bool {
        self.last.elapsed() >= self.pause
    }

    fn done(&mut self, began: Instant) {
        let [least, most] = Self::LIMITS;
        self.last = Instant::now();
        self.pause = (began.elapsed() * Self::FACTOR).clamp(least, most);
    }
}

/// How far a pair is, for those who watch.
struct Told {
    total: u64,
    told: u64,
}

impl Told {
    /// So much of all is done.
    fn tell(&mut self, watch: &dyn BuildWatch, done: u64) {
        let done = done.min(self.total);
        watch.advance(done.saturating_sub(self.told));
        self.told = self.told.max(done);
    }
}

impl<R: Rule> Run<'_, R> {
    fn goes_on(&self) -> bool {
        self.watch.go_on() && !self.over.load(Ordering::Relaxed)
    }

    /// Solves a slice and its twin, and writes them.
    pub(super) fn pair(&self, slice: Slice) -> Result<(), BuildError> {
        let start = Instant::now();
        let at_folder = |error| BuildError::Io(self.store.path(slice), error);
        let (content, work) = (R::CONTENT, self.store.work());
        let total: u64 = slice.both().map(|slice| Index::new(slice).len()).sum();
        let mut told = Told { total, told: 0 };
        let saved = if work.stays() { work.saved(content, slice) } else { None };
        let mut pair = match saved {
            Some(pair) => pair,
            None => self.begin(slice, total).map_err(at_folder)?,
        };
        if !pair.is_solved() {
            self.watch.read(content, slice);
            let tables = self.store.tables(&slice.needs(), self.on_disk, &|| self.goes_on())?;
            self.watch.begin(content, slice);
            self.solve(&mut pair, &tables, &mut told)
                .map_err(|error| error.unwrap_or(BuildError::Stopped))?;
        }
        self.watch.compress(content, slice);
        let plans = coverages::<R>(&pair, &|| self.goes_on()).ok_or(BuildError::Stopped)?;
        for ((table, &counts), (coverage, choice)) in pair.own.iter().zip(&pair.counts).zip(plans) {
            let slice = table.index.slice;
            let before = told.told;
            let written = table.cells.memory().of_file() && self.store.file(slice).is_ok();
            if !written {
                self.write(table, counts, coverage, &choice, &mut told)?;
            }
            told.tell(self.watch, before + table.index.len() / 4);
            let file = self.store.file(slice);
            let header = file.map_err(|error| BuildError::File(self.store.path(slice), error))?.header;
            self.watch.finish(&header, start.elapsed());
        }
        for table in pair.own {
            if table.cells.memory().of_file() {
                work.keep(content, &table).map_err(at_folder)?;
            }
            self.store.keep(Arc::new(table));
        }
        work.finish(content, slice);
        told.tell(self.watch, total);
        Ok(())
    }

    /// A slice and its twin of which nothing is solved.
    fn begin(&self, slice: Slice, total: u64) -> std::io::Result<Pair<R::Cells>> {
        // What an earlier build said of its tables is not true of these.
        self.store.work().finish(R::CONTENT, slice);
        let in_files = self.on_disk || total >= LARGE;
        let table = |slice| if in_files { self.store.begin(slice) } else { Table::new(slice) };
        Ok(Pair::new(slice.both().map(table).collect::<Result<_, _>>()?))
    }

    /// Solves what is left of a slice and its twin.
    fn solve(
        &self,
        pair: &mut Pair<R::Cells>,
        tables: &Tables<R::Cells>,
        told: &mut Told,
    ) -> Result<(), Option<BuildError>> {
        let (content, work) = (R::CONTENT, self.store.work());
        let in_files = pair.own.iter().any(|own| own.cells.memory().of_file());
        let mut saving = Saving::new();
        let mut failed = None;
        let save = |pair: &Pair<R::Cells>, saving: &mut Saving| {
            let began = Instant::now();
            let saved = work.save(content, pair);
            saving.done(began);
            saved.map_err(|error| BuildError::Io(self.store.path(pair.own[0].index.slice), error))
        };
        let done = pair.solve::<R>(tables, &mut |pair, part| {
            // The rest of the time goes into compressing.
            told.tell(self.watch, pair.positions(part) / 4 * 3);
            let goes_on = self.goes_on();
            if in_files && work.stays() && (saving.due() || !goes_on) {
                failed = save(pair, &mut saving).err();
            }
            tables.release();
            for own in &pair.own {
                own.cells.memory().release();
            }
            goes_on && failed.is_none()
        });
        if !done {
            return Err(failed);
        }
        if in_files && work.stays() {
            save(pair, &mut saving).map_err(Some)?;
        }
        Ok(())
    }

    /// Compresses a table into its file.
    fn write(
        &self,
        table: &Table<R::Cells>,
        counts: Counts,
        coverage: Coverage,
        choice: &Choice,
        told: &mut Told,
    ) -> Result<(), BuildError> {
        let content = R::CONTENT;
        let Table { index, cells } = table;
        let path = self.store.path(index.slice);
        let at_path = |error: std::io::Error| BuildError::Io(path.clone(), error);
        let values = Values { index, cells, coverage, block: content.block() };
        let model = values.model(choice, &|| self.goes_on()).ok_or(BuildError::Stopped)?;
        let plan = Plan { content, slice: index.slice, coverage, counts, model: &model };
        let part = self.store.work().part(content, index.slice).map_err(at_path)?;
        let mut writer = Writer::open(plan, part).map_err(at_path)?;
        let resumes = cells.memory().of_file() && self.store.work().stays();
        let mut saving = Saving::new();
        let groups = index.len().div_ceil(content.block()).div_ceil(crate::header::GROUP);
        let before = told.told;
        let (mut codes, mut lengths) = (Vec::new(), Vec::new());
        for group in writer.groups()..groups {
            if group % ASKING == 0 {
                cells.memory().release();
                told.tell(self.watch, before + index.len() / 4 * group / groups);
                let goes_on = self.goes_on();
                if resumes && (saving.due() || !goes_on) {
                    let began = Instant::now();
                    writer.save().map_err(at_path)?;
                    saving.done(began);
                }
                if !goes_on {
                    return Err(BuildError::Stopped);
                }
            }
            values.group(group, &model, &mut codes, &mut lengths);
            writer.add(&codes, &lengths).map_err(|error| BuildError::File(path.clone(), error))?;
        }
        writer.finish(&path).map_err(|error| BuildError::File(path.clone(), error))
    }
}

/// What each file of a pair leaves out: what makes both together the smallest, by samples.
fn coverages<R: Rule>(pair: &Pair<R::Cells>, go_on: &dyn Fn() -> bool) -> Option<Vec<(Coverage, Choice)>> {
    let choose = |table: &Table<R::Cells>, coverage| {
        let Table { index, cells } = table;
        let values = Values { index, cells, coverage, block: R::CONTENT.block() };
        Some((coverage, values.choose(R::OFFSETS, go_on)?))
    };
    match &pair.own[..] {
        [one, other] => {
            let (full, less) = (choose(one, Coverage::Quiet)?, choose(one, Coverage::Calm)?);
            let (other_full, other_less) = (choose(other, Coverage::Quiet)?, choose(other, Coverage::Calm)?);
            if full.1.cost + other_less.1.cost <= less.1.cost + other_full.1.cost {
                Some(vec![full, other_less])
            } else {
                Some(vec![less, other_full])
            }
        }
        alone => alone.iter().map(|table| choose(table, Coverage::Even)).collect(),
    }
}
