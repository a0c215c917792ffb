//! The tables of solved slices. They are in memory if they fit, otherwise in files, and otherwise they are read from the
//! databases in the folder.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::pair::{Rule, by_captures, complete_left_out};
use super::table::{Table, Tables, table_size};
use super::work::Work;
use super::{BuildError, BuildResult};
use crate::file::SliceFile;
use crate::walk::Walk;
use crate::{FileError, Slice};

pub(super) struct Store<R: Rule> {
    folder: PathBuf,
    pub(super) work: Work,
    /// Bytes on the disk for tables that are not in use.
    scratch: u64,
    state: Mutex<State<R::Best>>,
    /// Notified when a slice has been read.
    read: Condvar,
}

pub(super) struct State<B> {
    tables: HashMap<Slice, StoredTable<B>>,
    /// Slices, the first of each pair, that are being read.
    reading: HashSet<Slice>,
    /// The number of uses, as a clock.
    clock: u64,
}

struct StoredTable<B> {
    table: Arc<Table<B>>,
    used: u64,
}

/// The largest table, in bytes, that is always in memory.
const SMALL: u64 = 1 << 16;

impl<R: Rule> Store<R> {
    pub(super) fn new(folder: &Path, work: Work, scratch: u64) -> Self {
        let state = State { tables: HashMap::new(), reading: HashSet::new(), clock: 0 };
        Self { folder: folder.to_owned(), work, scratch, state: Mutex::new(state), read: Condvar::new() }
    }

    pub(super) fn path(&self, slice: Slice) -> PathBuf {
        self.folder.join(R::CONTENT.file_name(slice))
    }

    pub(super) fn file(&self, slice: Slice) -> Result<SliceFile, FileError> {
        let file = SliceFile::open(&self.path(slice))?;
        file.check()?;
        Ok(file)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State<R::Best>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn keep(&self, table: Arc<Table<R::Best>>) {
        let mut state = self.lock();
        state.clock += 1;
        let used = state.clock;
        state.tables.insert(table.index.slice, StoredTable { table, used });
    }

    /// Drops the least recently used tables that are not needed until at most `max` bytes are in memory. Those that are wanted
    /// later go to the disk.
    pub(super) fn shrink(&self, max: u64, needed: &HashSet<Slice>, wanted: &HashSet<Slice>) {
        let mut state = self.lock();
        let in_memory = state.tables.iter().filter(|(_, entry)| !entry.table.memory.is_file);
        let mut sum: u64 = in_memory.clone().map(|(&slice, _)| table_size::<R::Best>(slice)).sum();
        let mut others: Vec<_> = in_memory
            .filter(|(slice, _)| !needed.contains(slice))
            .map(|(&s, entry)| (entry.used, s))
            .collect();
        others.sort_unstable();
        for (used, slice) in others {
            if sum <= max {
                break;
            }
            sum -= table_size::<R::Best>(slice);
            let Some(StoredTable { table, .. }) = state.tables.remove(&slice) else { continue };
            if wanted.contains(&slice) {
                self.make_room(&mut state, table_size::<R::Best>(slice), wanted);
                // Without room on the disk it is read from its database when it is needed.
                if let Ok(table) = self.to_disk(&table) {
                    state.tables.insert(slice, StoredTable { table: Arc::new(table), used });
                }
            }
        }
    }

    /// Makes room on the disk: drops unwanted tables, and the least recently used others as far as they exceed the limit with
    /// `more` bytes.
    pub(super) fn make_room(&self, state: &mut State<R::Best>, more: u64, wanted: &HashSet<Slice>) {
        let on_disk = state.tables.iter().filter(|(_, entry)| entry.table.memory.is_file);
        let mut sum: u64 =
            more + on_disk.clone().map(|(&slice, _)| table_size::<R::Best>(slice)).sum::<u64>();
        let unused = on_disk.filter(|(_, entry)| Arc::strong_count(&entry.table) == 1);
        let mut unused: Vec<_> =
            unused.map(|(&slice, entry)| (wanted.contains(&slice), entry.used, slice)).collect();
        unused.sort_unstable();
        for (wanted, _, slice) in unused {
            if wanted && sum <= self.scratch {
                break;
            }
            sum -= table_size::<R::Best>(slice);
            state.tables.remove(&slice);
            self.work.forget(slice);
        }
    }

    /// Creates a table on the disk, in place of others if space is short.
    pub(super) fn begin(&self, slice: Slice) -> io::Result<Table<R::Best>> {
        match self.work.begin(slice) {
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                self.make_room(&mut self.lock(), u64::MAX / 2, &HashSet::new());
                self.work.begin(slice)
            }
            begun => begun,
        }
    }

    fn to_disk(&self, table: &Table<R::Best>) -> io::Result<Table<R::Best>> {
        let mut copy: Table<R::Best> = self.work.begin(table.index.slice)?;
        copy.memory.bytes.copy_from_slice(&table.memory.bytes);
        self.work.keep(&copy)?;
        Ok(copy)
    }

    /// Returns the tables of solved slices; if `on_disk`, only small ones are in memory.
    pub(super) fn tables(
        &self,
        slices: &[Slice],
        on_disk: bool,
        poll: &dyn Fn() -> BuildResult,
    ) -> BuildResult<Tables<R::Best>> {
        let tables: Result<Vec<_>, _> =
            slices.iter().map(|&slice| self.table(slice, on_disk, poll)).collect();
        Ok(Tables::new(tables?))
    }

    fn table(
        &self,
        slice: Slice,
        on_disk: bool,
        poll: &dyn Fn() -> BuildResult,
    ) -> BuildResult<Arc<Table<R::Best>>> {
        let first = slice.max(slice.twin());
        let mut state = self.lock();
        loop {
            state.clock += 1;
            let clock = state.clock;
            if let Some(entry) = state.tables.get_mut(&slice) {
                entry.used = clock;
                if on_disk && !entry.table.memory.is_file && table_size::<R::Best>(slice) > SMALL {
                    let copy = self.to_disk(&entry.table);
                    entry.table = Arc::new(copy.map_err(|error| BuildError::Io(self.folder.clone(), error))?);
                }
                return Ok(Arc::clone(&entry.table));
            }
            if state.reading.insert(first) {
                break;
            }
            // Another thread reads it.
            state = self.read.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        let kept = || first.both().map(|slice| self.work.kept(slice).map(Arc::new)).collect();
        let kept: Option<Vec<_>> = if on_disk { kept() } else { None };
        let tables = kept.map_or_else(|| self.read_databases(first, on_disk, poll), Ok);
        let mut found = None;
        for table in tables.iter().flatten() {
            if table.index.slice == slice {
                found = Some(Arc::clone(table));
            }
            self.keep(Arc::clone(table));
        }
        self.lock().reading.remove(&first);
        self.read.notify_all();
        tables?;
        found.ok_or_else(|| BuildError::File(self.path(slice), FileError::Header("invalid piece counts")))
    }

    /// Reads a slice and its twin from their database files. The values that one leaves out follow from the other.
    fn read_databases(
        &self,
        slice: Slice,
        on_disk: bool,
        poll: &dyn Fn() -> BuildResult,
    ) -> Result<Vec<Arc<Table<R::Best>>>, BuildError> {
        let small = table_size::<R::Best>(slice) <= SMALL;
        let at_folder = |error| BuildError::Io(self.folder.clone(), error);
        let mut fewer: Vec<Slice> = slice.needs();
        fewer.retain(|next| next.pieces() < slice.pieces());
        let fewer = self.tables(&fewer, on_disk, poll)?;
        let pause = |tables: &[Table<R::Best>]| {
            if on_disk {
                fewer.release();
                for table in tables {
                    table.memory.release();
                }
            }
            poll()
        };
        let (mut tables, mut coverages) = (Vec::new(), Vec::new());
        for slice in slice.both() {
            let at_path = |error| BuildError::File(self.path(slice), error);
            let file = SliceFile::open(&self.path(slice)).map_err(at_path)?;
            let begun = if on_disk && !small { self.begin(slice) } else { Table::new(slice) };
            let mut table = begun.map_err(at_folder)?;
            let (mut walk, mut number) = (Walk::from(&file.index, 0), 0);
            for group in 0..file.header.group_count() {
                let codes = file.group(group).map_err(at_path)?;
                for block in file.blocks_of(group) {
                    for stored in file.decode(&codes, block).map_err(at_path)? {
                        let node = &walk.node;
                        let value = if node.can_capture() { by_captures(node, &fewer) } else { stored };
                        table.set(number, value);
                        number += 1;
                        walk.step();
                    }
                }
                pause(from_ref(&table))?;
            }
            tables.push(table);
            coverages.push(file.header.coverage);
        }
        complete_left_out(&mut tables, &coverages, &pause)?;
        for table in tables.iter().filter(|table| table.memory.is_file) {
            self.work.keep(table).map_err(at_folder)?;
        }
        Ok(tables.into_iter().map(Arc::new).collect())
    }
}
