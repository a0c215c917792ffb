//! The tables of solved slices: in memory if they fit, or else read again from the databases in the folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::pair::{Solver, by_captures, complete_left_out};
use super::table::{Tables, ValueTable};
use super::{BuildError, BuildResult};
use crate::file::SliceFile;
use crate::value::StoredValue;
use crate::walk::Walk;
use crate::{FileError, Slice};
use kelso_batch::error::failed;
use kelso_runtime::sync::lock;

pub(super) struct SliceStore<R: Solver> {
    folder: PathBuf,
    state: Mutex<State<R::Cell>>,
    /// Notified when a slice is no longer being read.
    read: Condvar,
}

struct State<V> {
    /// The tables, least recently used first.
    tables: Vec<Arc<ValueTable<V>>>,
    /// Slices being read, the first of each pair.
    reading: HashSet<Slice>,
}

/// The mark that a slice is being read. Threads that wait for the slice go on when it is dropped, even by a
/// panic.
struct Reading<'a, R: Solver> {
    store: &'a SliceStore<R>,
    first: Slice,
}

impl<R: Solver> Drop for Reading<'_, R> {
    fn drop(&mut self) {
        lock(&self.store.state).reading.remove(&self.first);
        self.store.read.notify_all();
    }
}

impl<R: Solver> SliceStore<R> {
    pub(super) fn new(folder: &Path) -> Self {
        let state = Mutex::new(State { tables: Vec::new(), reading: HashSet::new() });
        Self { folder: folder.to_owned(), state, read: Condvar::new() }
    }

    pub(super) fn path(&self, slice: Slice) -> PathBuf {
        self.folder.join(R::CONTENT.file_name(slice))
    }

    pub(super) fn file(&self, slice: Slice) -> Result<SliceFile, FileError> {
        let file = SliceFile::open(&self.path(slice))?;
        file.check()?;
        Ok(file)
    }

    pub(super) fn keep(&self, table: Arc<ValueTable<R::Cell>>) {
        let mut state = lock(&self.state);
        state.tables.retain(|kept| kept.index.slice != table.index.slice);
        state.tables.push(table);
    }

    /// Drops the least recently used tables that are not in `needed` until at most `max` bytes are left.
    pub(super) fn shrink(&self, max: u64, needed: &HashSet<Slice>) {
        let mut state = lock(&self.state);
        let mut bytes: u64 = state.tables.iter().map(|table| table.size()).sum();
        state.tables.retain(|table| {
            let goes = bytes > max && !needed.contains(&table.index.slice);
            bytes -= if goes { table.size() } else { 0 };
            !goes
        });
    }

    /// Returns the tables of solved slices.
    pub(super) fn tables(
        &self,
        slices: &[Slice],
        poll: &dyn Fn() -> BuildResult,
    ) -> BuildResult<Tables<R::Cell>> {
        let tables: Result<Vec<_>, _> = slices.iter().map(|&slice| self.table(slice, poll)).collect();
        Ok(Tables::new(tables?))
    }

    fn table(&self, slice: Slice, poll: &dyn Fn() -> BuildResult) -> BuildResult<Arc<ValueTable<R::Cell>>> {
        let first = slice.first();
        let mut state = lock(&self.state);
        loop {
            if let Some(index) = state.tables.iter().position(|table| table.index.slice == slice) {
                let table = state.tables.remove(index);
                state.tables.push(Arc::clone(&table));
                return Ok(table);
            }
            if state.reading.insert(first) {
                break;
            }
            // Another thread is reading the slice.
            state = self.read.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        let _reading = Reading { store: self, first };
        let tables = self.read_databases(first, poll)?;
        for table in &tables {
            self.keep(Arc::clone(table));
        }
        // The twin is the second.
        Ok(Arc::clone(&tables[usize::from(slice != first)]))
    }

    /// Reads a slice and its twin from their database files. The values that one file leaves out follow from
    /// the other file.
    fn read_databases(
        &self,
        slice: Slice,
        poll: &dyn Fn() -> BuildResult,
    ) -> Result<Vec<Arc<ValueTable<R::Cell>>>, BuildError> {
        let mut fewer: Vec<Slice> = slice.needs();
        fewer.retain(|next| next.pieces() < slice.pieces());
        let fewer = self.tables(&fewer, poll)?;
        let mut tables = Vec::new();
        let mut coverages = Vec::new();
        for slice in slice.both() {
            let at_path = |error| BuildError::File(self.path(slice), error);
            let file = SliceFile::open(&self.path(slice)).map_err(at_path)?;
            let path = self.path(slice);
            let mut table = ValueTable::new(slice).map_err(failed("create the table of", &path))?;
            let mut walk = Walk::from(&file.index, 0);
            let mut number = 0;
            for group in 0..file.header.group_count() {
                let codes = file.group(group).map_err(at_path)?;
                for block in file.blocks_of(group) {
                    for stored in file.decode(&codes, block).map_err(at_path)? {
                        let node = &walk.node;
                        let stored = R::Cell::from_byte(stored);
                        let value = if node.can_capture() { by_captures(node, &fewer) } else { stored };
                        table.set(number, value);
                        number += 1;
                        walk.step();
                    }
                }
                poll()?;
            }
            tables.push(table);
            coverages.push(file.header.coverage);
        }
        complete_left_out(&mut tables, &coverages, poll)?;
        Ok(tables.into_iter().map(Arc::new).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::build::results::ResultSolver;
    use crate::build::tests::{build_all, request};
    use kelso_batch::testing::Folder;

    #[test]
    fn a_panic_while_a_slice_is_read_leaves_it_to_a_waiting_thread() {
        let folder = Folder::new();
        build_all(&request(&folder, 2));
        let store = Arc::new(SliceStore::<ResultSolver>::new(folder.as_ref()));
        let slice: Slice = "01v01".parse().unwrap();
        let (reading, begun) = mpsc::channel();
        let panicking = Arc::clone(&store);
        let first = thread::spawn(move || {
            let poll = || {
                reading.send(()).unwrap();
                // Let the other thread begin to wait.
                thread::sleep(Duration::from_millis(200));
                panic!("this thread panics on purpose");
            };
            panicking.table(slice, &poll).is_ok()
        });
        begun.recv().unwrap();
        let (read, second) = mpsc::channel();
        thread::spawn(move || read.send(store.table(slice, &|| Ok(())).is_ok()));
        assert_eq!(second.recv_timeout(Duration::from_secs(60)), Ok(true));
        assert!(first.join().is_err());
    }
}
