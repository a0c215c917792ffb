//! Builds a slice and its twin: gets the tables that they lead to, solves, compresses and writes.
//!
//! If their tables are files, progress is saved from time to time, more often if saving is fast, and the next build resumes
//! from there. Large slices are built like this even if their tables would fit in memory.
//!
//! Solving in files needs no special order. A block (see [`super::block`]) is solved in memory. It reads contiguous values
//! of some dozens of blocks, and writes two contiguous pieces once. So a disk reads and writes tens of kilobytes at a time,
//! and most of what it reads is still in the system's cache.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::compress::{Offsets, Values, Writer};
use super::pair::{Pair, Rule};
use super::table::{Table, Tables};
use super::{BuildError, BuildObserver, Builder};
use crate::coverage::Coverage;
use crate::index::Index;
use crate::{Counts, FileError, Header, Slice};

/// Slices of this many positions with their twins, about two minutes of work, are solved resumably.
pub(super) const LARGE: u64 = 1 << 30;
/// The number of groups between two calls of `keep_going`.
const POLL_INTERVAL: u64 = 1 << 6;

/// Decides when to save: after a multiple of the time that the last saving took, within limits.
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

struct Progress {
    total: u64,
    reported: u64,
}

impl Progress {
    fn report(&mut self, observer: &dyn BuildObserver, done: u64) {
        let done = done.min(self.total);
        observer.on_progress(done.saturating_sub(self.reported));
        self.reported = self.reported.max(done);
    }
}

impl<R: Rule> Builder<'_, R> {
    fn keeps_going(&self) -> bool {
        self.observer.keep_going() && !self.over.load(Ordering::Relaxed)
    }

    /// Solves a slice and its twin, and writes them. With `on_disk`, tables are in files.
    pub(super) fn build_pair(&self, slice: Slice, on_disk: bool) -> Result<(), BuildError> {
        let at_folder = |error| BuildError::Io(self.store.path(slice), error);
        let (content, work) = (R::CONTENT, &self.store.work);
        let total: u64 = slice.both().map(|slice| Index::new(slice).len()).sum();
        let mut progress = Progress { total, reported: 0 };
        let saved = if work.resumable { work.saved(slice) } else { None };
        let mut pair = match saved {
            Some(pair) => pair,
            None => self.begin(slice, on_disk || total >= LARGE).map_err(at_folder)?,
        };
        if !pair.is_solved() {
            self.observer.on_read(content, slice);
            let tables = self.store.tables(&slice.needs(), on_disk, &|| self.keeps_going())?;
            self.observer.on_solve(content, slice);
            self.solve(&mut pair, &tables, &mut progress)
                .map_err(|error| error.unwrap_or(BuildError::Stopped))?;
        }
        self.observer.on_compress(content, slice);
        let plans = coverages::<R>(&pair, &|| self.keeps_going()).ok_or(BuildError::Stopped)?;
        for ((table, &counts), (coverage, offsets)) in pair.own.iter().zip(&pair.counts).zip(plans) {
            let slice = table.index.slice;
            let before = progress.reported;
            let written = table.memory.is_file && self.store.file(slice).is_ok();
            if !written {
                self.write(table, counts, coverage, &offsets, &mut progress)?;
            }
            progress.report(self.observer, before + table.index.len() / 4);
            let file = self.store.file(slice);
            let header = file.map_err(|error| BuildError::File(self.store.path(slice), error))?.header;
            self.observer.on_finish(&header);
        }
        for table in pair.own {
            if table.memory.is_file {
                work.keep(&table).map_err(at_folder)?;
            }
            self.store.keep(Arc::new(table));
        }
        work.finish(slice);
        progress.report(self.observer, total);
        Ok(())
    }

    /// Begins a slice and its twin, in files or in memory.
    fn begin(&self, slice: Slice, in_files: bool) -> std::io::Result<Pair<R::Best>> {
        // The state of an earlier build does not apply to new tables.
        self.store.work.finish(slice);
        let table = |slice| if in_files { self.store.begin(slice) } else { Table::new(slice) };
        Ok(Pair::new(slice.both().map(table).collect::<Result<_, _>>()?))
    }

    /// Solves the rest of a slice and its twin.
    fn solve(
        &self,
        pair: &mut Pair<R::Best>,
        tables: &Tables<R::Best>,
        progress: &mut Progress,
    ) -> Result<(), Option<BuildError>> {
        let work = &self.store.work;
        let in_files = pair.own.iter().any(|own| own.memory.is_file);
        let mut saving = Saving::new();
        let mut failed = None;
        let save = |pair: &Pair<R::Best>, saving: &mut Saving| {
            let began = Instant::now();
            let saved = work.save(pair);
            saving.done(began);
            saved.map_err(|error| BuildError::Io(self.store.path(pair.own[0].index.slice), error))
        };
        let done = pair.solve::<R>(tables, &mut |pair, part| {
            // Compressing takes the rest of the time.
            progress.report(self.observer, pair.positions(part) / 4 * 3);
            let keeps_going = self.keeps_going();
            if in_files && work.resumable && (saving.due() || !keeps_going) {
                failed = save(pair, &mut saving).err();
            }
            tables.release();
            for own in &pair.own {
                own.memory.release();
            }
            keeps_going && failed.is_none()
        });
        if !done {
            return Err(failed);
        }
        if in_files && work.resumable {
            save(pair, &mut saving).map_err(Some)?;
        }
        Ok(())
    }

    fn write(
        &self,
        table: &Table<R::Best>,
        counts: Counts,
        coverage: Coverage,
        offsets: &Offsets,
        progress: &mut Progress,
    ) -> Result<(), BuildError> {
        let content = R::CONTENT;
        let Table { index, memory, .. } = table;
        let path = self.store.path(index.slice);
        let failed = |error| match error {
            FileError::Io(error) => BuildError::Io(path.clone(), error),
            error => BuildError::File(path.clone(), error),
        };
        let values = Values { table, coverage };
        let model = values.model(offsets, &|| self.keeps_going()).ok_or(BuildError::Stopped)?;
        let header =
            Header { content, slice: index.slice, coverage, counts, model: 0, blocks: 0, crcs: [0; 2] };
        let mut writer = Writer::begin(header, &model, &path).map_err(failed)?;
        let groups = header.group_count();
        let before = progress.reported;
        let (mut codes, mut lengths) = (Vec::new(), Vec::new());
        for group in 0..groups {
            if group % POLL_INTERVAL == 0 {
                memory.release();
                progress.report(self.observer, before + index.len() / 4 * group / groups);
                if !self.keeps_going() {
                    return Err(BuildError::Stopped);
                }
            }
            values.group(group, &model, &mut codes, &mut lengths);
            writer.add(&codes, &lengths).map_err(failed)?;
        }
        writer.finish().map_err(failed)
    }
}

/// Chooses what each file of a pair leaves out, so that both together are the smallest, by samples.
fn coverages<R: Rule>(
    pair: &Pair<R::Best>,
    keep_going: &dyn Fn() -> bool,
) -> Option<Vec<(Coverage, Offsets)>> {
    let choose = |table: &Table<R::Best>, coverage| {
        let values = Values { table, coverage };
        Some((coverage, values.choose(R::OFFSETS, keep_going)?))
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
