//! The folder of files from which a build resumes: solved tables that do not fit in memory, and unfinished
//! slices. It is inside the folder of the databases and is removed when they are complete.
//!
//! | name | contents |
//! |---|---|
//! | `21v10.wld.table` | the values of a solved slice as in memory, and their CRC-32 |
//! | `21v10.wld.begun` | the same, partly solved |
//! | `21v10.wld.state` | the progress of a slice with its twin, in a [sealed](file::seal) file |
//!
//! The tables are not in a checkpoint, since they are mapped into memory and written at random.
//!
//! A state is written after the values that it covers have reached the disk; later values are solved again.
//! Processes that share the folder of databases have separate work folders, and cannot resume each other's
//! work.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::memory::Memory;
use super::pair::SlicePair;
use super::table::{ValueTable, table_size};
use crate::index::to_usize;
use crate::value::BestValue;
use crate::{Content, Counts, Slice};
use runs::{file, platform};

/// The name of the folder, or the prefix of its name if several processes build.
const FOLDER: &str = "work";
const MAGIC: [u8; 8] = *b"KelsoTab";

#[derive(Debug)]
pub(super) struct Work {
    folder: PathBuf,
    content: Content,
    /// Whether a later build can resume this one.
    pub(super) resumable: bool,
}

impl Work {
    pub(super) fn new(databases: &Path, content: Content, share: bool) -> Self {
        let name = if share {
            format!("{FOLDER}-{}-{:x}", std::process::id(), platform::seed())
        } else {
            FOLDER.to_owned()
        };
        Self { folder: databases.join(name), content, resumable: !share }
    }

    /// Removes the work folders of finished builds. The resumable folder of a single process is removed only
    /// if `whole` is true.
    pub(super) fn remove(databases: &Path, whole: bool) -> io::Result<()> {
        for entry in fs::read_dir(databases)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let shared = name.strip_prefix(FOLDER).is_some_and(|rest| rest.starts_with('-'));
            if (shared || whole && name == FOLDER) && path.is_dir() {
                fs::remove_dir_all(&path)?;
            }
        }
        Ok(())
    }

    fn path(&self, slice: Slice, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.content.file_name(slice)))
    }

    pub(super) fn begin<B: BestValue>(&self, slice: Slice) -> io::Result<ValueTable<B>> {
        fs::create_dir_all(&self.folder)?;
        let memory = Memory::create(&self.path(slice, "begun"), to_usize(table_size::<B>(slice)))?;
        Ok(ValueTable::over(slice, memory))
    }

    /// Saves a solved table, in a file created by [`Work::begin`], for other slices and later builds.
    pub(super) fn keep<B: BestValue>(&self, table: &ValueTable<B>) -> io::Result<()> {
        let (slice, memory) = (table.index.slice, &table.memory);
        let begun = self.path(slice, "begun");
        let mut file = File::options().write(true).open(&begun)?;
        file.seek(SeekFrom::Start(memory.bytes.len() as u64))?;
        file.write_all(&[&MAGIC[..], &crc32fast::hash(&memory.bytes).to_le_bytes()].concat())?;
        memory.release();
        // If the data do not reach the disk, the checksum will be wrong.
        fs::rename(begun, self.path(slice, "table"))
    }

    /// Opens a saved table, if it is valid.
    pub(super) fn kept<B: BestValue>(&self, slice: Slice) -> Option<ValueTable<B>> {
        let path = self.path(slice, "table");
        let len = to_usize(table_size::<B>(slice));
        let with_crc = Memory::open(&path, len + MAGIC.len() + 4).ok()?;
        let (values, rest) = with_crc.bytes.split_at(len);
        let crc = crc32fast::hash(values).to_le_bytes();
        let whole = rest.strip_prefix(&MAGIC) == Some(&crc);
        with_crc.release();
        if !whole {
            self.forget(slice);
            return None;
        }
        Some(ValueTable::over(slice, Memory::open(&path, len).ok()?))
    }

    pub(super) fn forget(&self, slice: Slice) {
        // If this fails, the file is removed with the folder.
        drop(fs::remove_file(self.path(slice, "table")));
    }

    /// Removes the files for resuming a slice and its twin.
    pub(super) fn finish(&self, slice: Slice) {
        for slice in slice.both() {
            for ending in ["state", "begun"] {
                drop(fs::remove_file(self.path(slice, ending)));
            }
        }
    }

    pub(super) fn save<B: BestValue>(&self, pair: &SlicePair<B>) -> io::Result<()> {
        let Some(first) = pair.own.first() else { return Ok(()) };
        for own in &pair.own {
            own.memory.flush()?;
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(pair.placements.to_le_bytes());
        for number in pair.counts.iter().flat_map(|counts| counts.numbers()) {
            bytes.extend(number.to_le_bytes());
        }
        let path = self.path(first.index.slice, "state");
        file::write(&path, &file::seal(bytes)).map_err(io::Error::from)
    }

    /// Opens a partly solved slice and its twin.
    pub(super) fn saved<B: BestValue>(&self, slice: Slice) -> Option<SlicePair<B>> {
        let bytes = fs::read(self.path(slice, "state")).ok()?;
        let numbers = file::unseal(&bytes, &MAGIC).ok()?.as_chunks().0.iter();
        let numbers: Vec<u64> = numbers.map(|&bytes| u64::from_le_bytes(bytes)).collect();
        let (&placements, counts) = numbers.split_first()?;
        let open = |slice| {
            let memory = Memory::open(&self.path(slice, "begun"), to_usize(table_size::<B>(slice))).ok()?;
            Some(ValueTable::over(slice, memory))
        };
        let own = slice.both().map(open).collect::<Option<Vec<_>>>()?;
        let counts: Vec<_> = counts.as_chunks().0.iter().copied().map(Counts::from_numbers).collect();
        let whole = counts.len() == own.len() && placements <= own.first()?.index.men_len();
        whole.then_some(SlicePair { own, counts, placements })
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if !self.resumable {
            drop(fs::remove_dir_all(&self.folder));
        }
    }
}
