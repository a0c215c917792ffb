//! The tables of solved slices: in memory if they fit, or on disk if there is space, or else read again from
//! the databases in the folder.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::slice::from_ref;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::pair::{Rule, by_captures, complete_left_out};
use super::table::{Tables, ValueTable, table_size};
use super::work::Work;
use super::{BuildError, BuildRequest, BuildResult};
use crate::file::SliceFile;
use crate::value::BestValue;
use crate::walk::Walk;
use crate::{FileError, Slice};
use runs::pool::lock;

pub(super) struct Store<R: Rule> {
    folder: PathBuf,
    pub(super) work: Work,
    /// Disk space in bytes for tables that are not in use.
    scratch: u64,
    pub(super) state: Mutex<State<R::Best>>,
    /// Notified when a slice has been read.
    read: Condvar,
}

pub(super) struct State<B> {
    /// The tables, least recently used first.
    tables: Vec<Arc<ValueTable<B>>>,
    /// Slices being read, the first of each pair.
    reading: HashSet<Slice>,
}

impl<B: BestValue> State<B> {
    fn place(&self, slice: Slice) -> Option<usize> {
        self.tables.iter().position(|table| table.index.slice == slice)
    }

    /// Returns the total size in bytes of all tables in memory or in files.
    fn bytes(&self, in_files: bool) -> u64 {
        let tables = self.tables.iter().filter(|table| table.memory.is_file == in_files);
        tables.map(|table| table.size()).sum()
    }
}

/// Maximum size in bytes of tables that always stay in memory.
const SMALL: u64 = 1 << 16;

impl<R: Rule> Store<R> {
    pub(super) fn new(request: &BuildRequest) -> Self {
        let &BuildRequest { ref folder, scratch, share, .. } = request;
        let work = Work::new(folder, R::CONTENT, share);
        let state = Mutex::new(State { tables: Vec::new(), reading: HashSet::new() });
        Self { folder: folder.clone(), work, scratch, state, read: Condvar::new() }
    }

    pub(super) fn path(&self, slice: Slice) -> PathBuf {
        self.folder.join(R::CONTENT.file_name(slice))
    }

    pub(super) fn file(&self, slice: Slice) -> Result<SliceFile, FileError> {
        let file = SliceFile::open(&self.path(slice))?;
        file.check()?;
        Ok(file)
    }

    pub(super) fn keep(&self, table: Arc<ValueTable<R::Best>>) {
        let mut state = lock(&self.state);
        state.tables.retain(|kept| kept.index.slice != table.index.slice);
        state.tables.push(table);
    }

    /// Drops the least recently used tables that are not in `needed` until at most `max` bytes are in memory.
    /// Tables that will be needed later are moved to disk.
    pub(super) fn shrink(&self, max: u64, needed: &HashSet<Slice>, wanted: &HashSet<Slice>) {
        let mut state = lock(&self.state);
        let mut others: Vec<Arc<ValueTable<R::Best>>> = state.tables.clone();
        others.retain(|table| !table.memory.is_file && !needed.contains(&table.index.slice));
        for table in others {
            if state.bytes(false) <= max {
                break;
            }
            let slice = table.index.slice;
            // If the disk is full, the table will be read from its database when needed.
            let mut copy = None;
            if wanted.contains(&slice) {
                self.make_room(&mut state, table.size(), wanted);
                copy = self.to_disk(&table).ok();
            }
            match (state.place(slice), copy) {
                (Some(place), Some(copy)) => state.tables[place] = Arc::new(copy),
                (Some(place), None) => drop(state.tables.remove(place)),
                (None, _) => {}
            }
        }
    }

    /// Makes room for `more` bytes on disk: drops tables that are no longer needed, then the least recently
    /// used, until the limit is met.
    pub(super) fn make_room(&self, state: &mut State<R::Best>, more: u64, wanted: &HashSet<Slice>) {
        let mut sum = more + state.bytes(true);
        for is_wanted in [false, true] {
            state.tables.retain(|table| {
                let slice = table.index.slice;
                let is_unused = table.memory.is_file && Arc::strong_count(table) == 1;
                let goes =
                    is_unused && wanted.contains(&slice) == is_wanted && (!is_wanted || sum > self.scratch);
                if goes {
                    sum -= table.size();
                    self.work.forget(slice);
                }
                !goes
            });
        }
    }

    /// Creates a table on disk, replacing others if space is short.
    pub(super) fn begin(&self, slice: Slice) -> io::Result<ValueTable<R::Best>> {
        match self.work.begin(slice) {
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                self.make_room(&mut lock(&self.state), u64::MAX / 2, &HashSet::new());
                self.work.begin(slice)
            }
            begun => begun,
        }
    }

    fn to_disk(&self, table: &ValueTable<R::Best>) -> io::Result<ValueTable<R::Best>> {
        let mut copy: ValueTable<R::Best> = self.work.begin(table.index.slice)?;
        copy.memory.bytes.copy_from_slice(&table.memory.bytes);
        self.work.keep(&copy)?;
        Ok(copy)
    }

    /// Returns the tables of solved slices; if `on_disk` is true, only small tables are in memory.
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
    ) -> BuildResult<Arc<ValueTable<R::Best>>> {
        let first = slice.first();
        let mut state = lock(&self.state);
        loop {
            if let Some(place) = state.place(slice) {
                let mut table = state.tables.remove(place);
                if on_disk && !table.memory.is_file && table.size() > SMALL {
                    let copy = self.to_disk(&table);
                    table = Arc::new(copy.map_err(|error| BuildError::Io(self.folder.clone(), error))?);
                }
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
        let kept = || first.both().map(|slice| self.work.kept(slice).map(Arc::new)).collect();
        let kept: Option<Vec<_>> = if on_disk { kept() } else { None };
        let tables = kept.map_or_else(|| self.read_databases(first, on_disk, poll), Ok);
        for table in tables.iter().flatten() {
            self.keep(Arc::clone(table));
        }
        lock(&self.state).reading.remove(&first);
        self.read.notify_all();
        let found = tables?.into_iter().find(|table| table.index.slice == slice);
        found.ok_or_else(|| BuildError::File(self.path(slice), FileError::Header("invalid piece counts")))
    }

    /// Reads a slice and its twin from their database files. The values that one file leaves out follow from
    /// the other file.
    fn read_databases(
        &self,
        slice: Slice,
        on_disk: bool,
        poll: &dyn Fn() -> BuildResult,
    ) -> Result<Vec<Arc<ValueTable<R::Best>>>, BuildError> {
        let small = table_size::<R::Best>(slice) <= SMALL;
        let at_folder = |error| BuildError::Io(self.folder.clone(), error);
        let mut fewer: Vec<Slice> = slice.needs();
        fewer.retain(|next| next.pieces() < slice.pieces());
        let fewer = self.tables(&fewer, on_disk, poll)?;
        let pause = |tables: &[ValueTable<R::Best>]| {
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
            let begun = if on_disk && !small { self.begin(slice) } else { ValueTable::new(slice) };
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
