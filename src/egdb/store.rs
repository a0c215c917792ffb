//! Solved slices at hand while others are built: in memory as long as they fit, and in the folder's files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::file::SliceFile;
use super::header::FileError;
use super::index::Index;
use super::pair::{Rule, complete_captures, complete_left_out};
use super::slice::Slice;
use super::table::{Cells, Table, Tables};

/// See the module's head.
pub(super) struct Store<R: Rule> {
    folder: PathBuf,
    kept: Mutex<Kept<R::Cells>>,
}

struct Kept<C> {
    tables: HashMap<Slice, (Arc<Table<C>>, u64)>,
    /// Counts uses, to tell which was the last.
    clock: u64,
}

/// A slice and its twin.
type Found<C> = Vec<Arc<Table<C>>>;

/// Bytes of a slice in memory.
pub(super) fn table_size<C: Cells>(slice: Slice) -> u64 {
    C::size(Index::new(slice).len())
}

impl<R: Rule> Store<R> {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), kept: Mutex::new(Kept { tables: HashMap::new(), clock: 0 }) }
    }

    pub(super) fn path(&self, slice: Slice) -> PathBuf {
        self.folder.join(R::CONTENT.file_name(slice))
    }

    /// A slice's file, if it is there and sound.
    pub(super) fn file(&self, slice: Slice) -> Result<SliceFile, FileError> {
        let file = SliceFile::open(&self.path(slice))?;
        file.check()?;
        Ok(file)
    }

    pub(super) fn keep(&self, table: Arc<Table<R::Cells>>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let clock = kept.clock;
        kept.tables.insert(table.index.slice, (table, clock));
    }

    /// Forgets tables that are not needed, those used longest ago first, until no more than so many bytes are kept.
    pub(super) fn shrink(&self, most: u64, needed: &HashSet<Slice>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sum: u64 = kept.tables.keys().map(|&slice| table_size::<R::Cells>(slice)).sum();
        let mut others: Vec<_> =
            kept.tables.iter().filter(|(slice, _)| !needed.contains(slice)).map(|(&s, t)| (t.1, s)).collect();
        others.sort_unstable();
        for (_, slice) in others {
            if sum <= most {
                break;
            }
            sum -= table_size::<R::Cells>(slice);
            kept.tables.remove(&slice);
        }
    }

    /// The tables of solved slices.
    pub(super) fn tables(&self, slices: &[Slice]) -> Result<Tables<R::Cells>, (PathBuf, FileError)> {
        let tables: Result<Vec<_>, _> = slices.iter().map(|&slice| self.table(slice)).collect();
        Ok(Tables::new(tables?))
    }

    fn table(&self, slice: Slice) -> Result<Arc<Table<R::Cells>>, (PathBuf, FileError)> {
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.clock += 1;
            let clock = kept.clock;
            if let Some((table, used)) = kept.tables.get_mut(&slice) {
                *used = clock;
                return Ok(Arc::clone(table));
            }
        }
        // Two threads may read the same files at once; that costs time and nothing else.
        let tables = self.read(slice)?;
        let found = tables.iter().find(|table| table.index.slice == slice).map(Arc::clone);
        for table in tables {
            self.keep(table);
        }
        found.ok_or_else(|| (self.path(slice), FileError::Header("no slice")))
    }

    /// Reads a slice and its twin from their files: what the one leaves out follows from the other.
    fn read(&self, slice: Slice) -> Result<Found<R::Cells>, (PathBuf, FileError)> {
        let mut fewer: Vec<Slice> = slice.needs();
        fewer.retain(|next| next.pieces() < slice.pieces());
        let fewer = self.tables(&fewer)?;
        let mut tables = Vec::new();
        for slice in slice.both() {
            let at_path = |error| (self.path(slice), error);
            let file = SliceFile::open(&self.path(slice)).map_err(at_path)?;
            let mut table: Table<R::Cells> = Table::new(slice);
            let size = R::CONTENT.block();
            for group in 0..file.header.group_count() {
                let codes = file.group(group).map_err(at_path)?;
                for block in file.blocks_of(group) {
                    for (number, value) in (block * size..).zip(file.decode(&codes, block).map_err(at_path)?)
                    {
                        table.cells.set(number, value);
                    }
                }
            }
            complete_captures::<R>(&mut table, &fewer);
            tables.push((table, file.coverage()));
        }
        let mut rest = &mut tables[..];
        if let [one, other] = rest {
            complete_left_out::<R>(&mut one.0, Some(&other.0), one.1);
            complete_left_out::<R>(&mut other.0, Some(&one.0), other.1);
            rest = &mut [];
        }
        for (table, coverage) in rest {
            complete_left_out::<R>(table, None, *coverage);
        }
        Ok(tables.into_iter().map(|(table, _)| Arc::new(table)).collect())
    }
}
