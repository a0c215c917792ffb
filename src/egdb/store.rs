//! Solved slices at hand while others are built: in memory as long as they fit, and in the folder's files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::file::SliceFile;
use super::header::FileError;
use super::index::Index;
use super::pair::{Rule, complete};
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
        // Two threads may read the same file at once; that costs time and nothing else.
        let at_path = |error| (self.path(slice), error);
        let file = self.file(slice).map_err(at_path)?;
        let mut table: Table<R::Cells> = Table::new(slice);
        let size = R::CONTENT.block();
        for block in 0..file.block_count() {
            for (number, value) in (block * size..).zip(file.values(block).map_err(at_path)?) {
                table.cells.set(number, value);
            }
        }
        let fewer: Vec<Slice> =
            slice.leads_to().into_iter().filter(|next| next.pieces() < slice.pieces()).collect();
        complete::<R>(&mut table, &self.tables(&fewer)?);
        let table = Arc::new(table);
        self.keep(Arc::clone(&table));
        Ok(table)
    }
}
