//! Builds and verifies endgame databases.
//!
//! A slice and its twin are solved together in memory, compressed and written before work on any dependent
//! slice begins. Valid files in the folder are not rebuilt, so an interrupted build can be resumed.
//!
//! # Building
//!
//! Slices are solved in order of the number of pieces, then of men, each together with its twin: the same
//! pieces with the other side to move (`pair`). A pair is solved block by block, where a block consists of
//! all positions with the men on the same squares (`block`), for results or for distances (`results`,
//! `distances`). A build uses several threads, and can be interrupted at any moment. `verify` recomputes
//! values from the rules of the game.
//!
//! # Memory
//!
//! A slice needs the tables of all slices that captures and promotions lead to. Including its own table, this
//! takes at most 105 MiB of memory with six pieces, 1.3 GiB with seven and 10.8 GiB with eight. A build of
//! slices that need more than its limit is refused. Slices wait while others use the memory. Tables that are
//! dropped to make room are read again from their files.
//!
//! # Compiled-in databases
//!
//! The databases compiled into `endgames` are concatenated files:
//!
//! ```sh
//! kelso egdb build --pieces 5 --distances 4 --egdb D
//! cat D/*.wld > crates/endgames/src/data/2-5.wld
//! cat D/*.dtw > crates/endgames/src/data/2-4.dtw
//! ```

mod block;
mod compress;
mod distances;
mod encode;
mod memory;
mod pair;
mod request;
mod results;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod verify;

pub use request::{BuildError, BuildObserver, BuildRequest};
pub use verify::{SlicePart, Verification, WrongValue, verify};

use std::collections::HashSet;
use std::convert::Infallible;
use std::fs;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use self::compress::Coding;
use self::distances::DistanceSolver;
use self::memory::{MemoryNeed, check_memory};
use self::pair::{SlicePair, Solver};
use self::request::{BuildResult, Poll};
use self::results::ResultSolver;
use self::store::SliceStore;
use self::table::ValueTable;
use crate::Slice;
use crate::index::Index;
use kelso_batch::error::failed;
use kelso_batch::pool;
use kelso_runtime::sync::lock;

/// Builds the requested databases.
///
/// # Errors
///
/// See [`BuildError`]. Finished files remain.
pub fn build(request: &BuildRequest, observer: &dyn BuildObserver) -> Result<(), BuildError> {
    // Report insufficient memory before hours of work.
    check_memory::<ResultSolver>(request)?;
    check_memory::<DistanceSolver>(request)?;
    fs::create_dir_all(&request.folder).map_err(failed("create", &request.folder))?;
    Builder::<ResultSolver>::new(request, observer).run()?;
    Builder::<DistanceSolver>::new(request, observer).run()
}

struct PairState {
    /// Slices that have not been started, one of each pair of twins, in the order in which they can be
    /// solved.
    waiting: Vec<Slice>,
    running: Vec<Slice>,
    error: Option<BuildError>,
}

struct Builder<'a, R: Solver> {
    request: &'a BuildRequest,
    observer: &'a dyn BuildObserver,
    store: SliceStore<R>,
    state: Mutex<PairState>,
    changed: Condvar,
}

impl<'a, R: Solver> Builder<'a, R> {
    fn new(request: &'a BuildRequest, observer: &'a dyn BuildObserver) -> Self {
        Self {
            request,
            observer,
            store: SliceStore::new(&request.folder),
            state: Mutex::new(PairState { waiting: Vec::new(), running: Vec::new(), error: None }),
            changed: Condvar::new(),
        }
    }

    fn run(&self) -> BuildResult {
        let mut waiting = Vec::new();
        for slice in self.request.pairs(R::CONTENT) {
            if !self.is_built(slice)? {
                waiting.push(slice);
            }
        }
        lock(&self.state).waiting = waiting;
        self.observer.on_resume();
        let workers = std::iter::repeat_n((), self.request.threads.max(1));
        let stop = || {
            lock(&self.state).error.get_or_insert(BuildError::Stopped);
        };
        let Ok(_) = pool::run(workers, |(), _| self.work(), stop, |_: Option<()>| Ok::<_, Infallible>(true));
        lock(&self.state).error.take().map_or(Ok(()), Err)
    }

    /// Returns an error if the build has been asked to stop.
    fn poll(&self) -> BuildResult {
        if self.observer.keep_going() { Ok(()) } else { Err(BuildError::Stopped) }
    }

    /// Returns whether the files of a slice and its twin exist and are valid. A damaged file is to be rebuilt;
    /// any other unusable file is an error, so that a build replaces nothing but its own files.
    fn is_built(&self, slice: Slice) -> BuildResult<bool> {
        let mut built = true;
        for slice in slice.both() {
            let path = self.store.path(slice);
            match path.exists().then(|| self.store.file(slice)).transpose() {
                Ok(file) => built &= file.is_some(),
                Err(error) if error.is_damage() => {
                    self.observer.on_damage(&path);
                    built = false;
                }
                Err(error) => return Err(BuildError::File(path, error)),
            }
        }
        if built {
            self.observer.on_progress(slice.both().map(|slice| Index::new(slice).len()).sum());
        }
        Ok(built)
    }

    fn work(&self) {
        while let Some(slice) = self.next() {
            let result = self.build_pair(slice);
            let mut state = lock(&self.state);
            state.running.retain(|&running| running != slice);
            if let Err(error) = result {
                state.error.get_or_insert(error);
            }
            self.changed.notify_all();
        }
    }

    /// Waits for the next slice. Returns `None` if no slice is left or the build stops.
    fn next(&self) -> Option<Slice> {
        let mut state = lock(&self.state);
        while state.error.is_none() {
            match self.poll().map(|()| self.choose(&mut state)) {
                Ok(None) if state.waiting.is_empty() => return None,
                Ok(None) => {
                    let waited = self.changed.wait_timeout(state, Duration::from_millis(100));
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Ok(chosen) => return chosen,
                Err(error) => state.error = Some(error),
            }
        }
        None
    }

    /// Chooses the first slice that can be solved now, in the memory that is left.
    fn choose(&self, state: &mut PairState) -> Option<Slice> {
        let unfinished: HashSet<Slice> = state.running.iter().chain(&state.waiting).copied().collect();
        let is_solved = |needed: &Slice| !unfinished.contains(&needed.first());
        let (index, need) = state.waiting.iter().enumerate().find_map(|(index, slice)| {
            let need = MemoryNeed::of::<R>(&[&state.running[..], &[*slice]].concat());
            let is_ready = need.total() <= self.request.memory && slice.needs().iter().all(is_solved);
            is_ready.then_some((index, need))
        })?;
        let slice = state.waiting.remove(index);
        state.running.push(slice);
        self.store.shrink(self.request.memory.saturating_sub(need.own_bytes), &need.sources);
        Some(slice)
    }

    /// Solves and writes a slice and its twin.
    fn build_pair(&self, slice: Slice) -> BuildResult {
        let content = R::CONTENT;
        let total: u64 = slice.both().map(|slice| Index::new(slice).len()).sum();
        let mut progress = JobProgress { observer: self.observer, total, reported: 0 };
        let values: io::Result<Vec<_>> = slice.both().map(ValueTable::new).collect();
        let values = values.map_err(failed("create the table of", &self.store.path(slice)))?;
        let mut pair = SlicePair::new(values);
        self.observer.on_read(content, slice);
        let tables = self.store.tables(&slice.needs(), &|| self.poll())?;
        self.observer.on_solve(content, slice);
        pair.solve::<R>(&tables, &mut |positions| {
            // The last quarter of the progress is reserved for compression.
            progress.report(positions / 4 * 3);
            self.poll()
        })?;
        self.observer.on_compress(content, slice);
        for (coding, &counts) in Coding::all::<R>(&pair.own, &|| self.poll())?.iter().zip(&pair.counts) {
            let index = &coding.table.index;
            let before = progress.reported;
            coding.write(counts, &self.store.path(index.slice), &mut |done| {
                progress.report(before + done / 4);
                self.poll()
            })?;
            progress.report(before + index.len() / 4);
            let file = self.store.file(index.slice);
            let header = file.map_err(|error| BuildError::File(self.store.path(index.slice), error))?.header;
            self.observer.on_finish(&header);
        }
        for table in pair.own {
            self.store.keep(Arc::new(table));
        }
        progress.report(total);
        Ok(())
    }
}

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
