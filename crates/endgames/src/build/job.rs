//! Builds a slice and its twin: loads the tables that they depend on, solves, compresses and writes.
//!
//! If the tables are on disk, progress is saved regularly (more often if saving is fast), and the next build
//! resumes from there. Large slices are built this way even if their tables would fit in memory.
//!
//! Solving on disk needs no special order. Each block (see [`super::block`]) is solved in memory, which reads
//! contiguous values of a few dozen blocks and writes two contiguous ranges once. The disk therefore reads
//! and writes tens of kilobytes at a time, and most reads hit the system's cache.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::compress::Coding;
use super::pair::{Rule, SlicePair};
use super::table::{Tables, ValueTable};
use super::{BuildError, BuildObserver, BuildResult, Builder};
use crate::Slice;
use crate::index::Index;

/// Minimum number of positions, counting the twin's, at which a slice can be resumed: about two minutes of
/// work.
pub(super) const LARGE: u64 = 1 << 30;
/// Time between saves of the progress, as a multiple of the duration of the last save, and the limits of this
/// time.
const SAVING_FACTOR: u32 = 30;
const SAVING_LIMITS: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(120)];

struct JobProgress<'a> {
    observer: &'a dyn BuildObserver,
    total: u64,
    reported: u64,
}

impl JobProgress<'_> {
    fn report(&mut self, done: u64) {
        let done = done.min(self.total);
        self.observer.on_progress(done.saturating_sub(self.reported));
        self.reported = self.reported.max(done);
    }
}

impl<R: Rule> Builder<'_, R> {
    /// Returns an error if the build has been asked to stop.
    pub(super) fn poll(&self) -> BuildResult {
        if self.observer.keep_going() { Ok(()) } else { Err(BuildError::Stopped) }
    }

    /// Solves and writes a slice and its twin. With `on_disk`, their tables are files.
    pub(super) fn build_pair(&self, slice: Slice, on_disk: bool) -> BuildResult {
        let at_folder = |error| BuildError::Io(self.store.path(slice), error);
        let (content, work) = (R::CONTENT, &self.store.work);
        let total: u64 = slice.both().map(|slice| Index::new(slice).len()).sum();
        let mut progress = JobProgress { observer: self.observer, total, reported: 0 };
        let saved = if work.resumable { work.saved(slice) } else { None };
        let mut pair = match saved {
            Some(pair) => pair,
            None => self.begin(slice, on_disk || total >= LARGE).map_err(at_folder)?,
        };
        if !pair.is_solved() {
            self.observer.on_read(content, slice);
            let tables = self.store.tables(&slice.needs(), on_disk, &|| self.poll())?;
            self.observer.on_solve(content, slice);
            self.solve(&mut pair, &tables, &mut progress)?;
        }
        self.observer.on_compress(content, slice);
        for (coding, &counts) in Coding::all::<R>(&pair.own, &|| self.poll())?.iter().zip(&pair.counts) {
            let ValueTable { index, memory, .. } = coding.table;
            let before = progress.reported;
            let written = memory.is_file && self.store.file(index.slice).is_ok();
            if !written {
                coding.write(counts, &self.store.path(index.slice), &mut |done| {
                    progress.report(before + done / 4);
                    self.poll()
                })?;
            }
            progress.report(before + index.len() / 4);
            let file = self.store.file(index.slice);
            let header = file.map_err(|error| BuildError::File(self.store.path(index.slice), error))?.header;
            self.observer.on_finish(&header);
        }
        for table in pair.own {
            if table.memory.is_file {
                work.keep(&table).map_err(at_folder)?;
            }
            self.store.keep(Arc::new(table));
        }
        work.finish(slice);
        progress.report(total);
        Ok(())
    }

    /// Begins a slice and its twin, in files or in memory.
    fn begin(&self, slice: Slice, in_files: bool) -> io::Result<SlicePair<R::Best>> {
        // The state of an earlier build does not apply to new tables.
        self.store.work.finish(slice);
        let table = |slice| if in_files { self.store.begin(slice) } else { ValueTable::new(slice) };
        Ok(SlicePair::new(slice.both().map(table).collect::<Result<_, _>>()?))
    }

    /// Solves the rest of a slice and its twin.
    fn solve(
        &self,
        pair: &mut SlicePair<R::Best>,
        tables: &Tables<R::Best>,
        progress: &mut JobProgress<'_>,
    ) -> BuildResult {
        let work = &self.store.work;
        let resumable = work.resumable && pair.own.iter().any(|own| own.memory.is_file);
        let [least, most] = SAVING_LIMITS;
        let mut due = Instant::now() + least;
        let path = self.store.path(pair.own[0].index.slice);
        let save =
            |pair: &SlicePair<R::Best>| work.save(pair).map_err(|error| BuildError::Io(path.clone(), error));
        pair.solve::<R>(tables, &mut |pair, parts| {
            // The last quarter of the progress is reserved for compression.
            progress.report(pair.positions(parts) / 4 * 3);
            let going = self.poll();
            let began = Instant::now();
            if resumable && (began >= due || going.is_err()) {
                save(pair)?;
                due = Instant::now() + (began.elapsed() * SAVING_FACTOR).clamp(least, most);
            }
            tables.release();
            pair.own.iter().for_each(|own| own.memory.release());
            going
        })?;
        if resumable { save(pair) } else { Ok(()) }
    }
}
