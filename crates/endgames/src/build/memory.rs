//! Memory of tables: the process's own, or that of a file, of which the system keeps as much at hand as it has room for.
//!
//! What a build does in a file is there after a kill. So much of it as the process has touched counts as its memory
//! until it is released; it stays in the system's cache, which gives way when others need memory, and nothing is
//! swapped. A file is given its place on the disk when it is made, so that a full disk is an error then and not in
//! the middle of a write to memory, where nobody can hear of it.
#![expect(
    unsafe_code,
    reason = "maps files that no other process of ours writes, and gives pages of them back"
)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::path::Path;

use memmap2::{MmapMut, MmapOptions};

/// Bytes, zero at first or what the file has.
pub(super) struct Memory {
    map: MmapMut,
    of_file: bool,
}

impl Memory {
    /// Zeros in the process's own memory.
    pub(super) fn anonymous(len: usize) -> io::Result<Self> {
        let map = MmapOptions::new().len(len.max(1)).map_anon()?;
        Ok(Self { map, of_file: false })
    }

    /// Zeros in a new file, which takes the place of an old one.
    pub(super) fn create(path: &Path, len: usize) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        let memory = reserve(&file, len.max(1)).and_then(|()| Self::map(&file, len));
        if memory.is_err() {
            // What there was room for is of no use.
            drop(file);
            drop(fs::remove_file(path));
        }
        memory
    }

    /// The first bytes of a file.
    pub(super) fn open(path: &Path, len: usize) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        if file.metadata()?.len() < len as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Self::map(&file, len)
    }

    fn map(file: &File, len: usize) -> io::Result<Self> {
        // SAFETY: the files are in a folder of the build's own, and while one is mapped nobody cuts it short or writes it
        // but through the map.
        let map = unsafe { MmapOptions::new().len(len.max(1)).map_mut(file)? };
        Ok(Self { map, of_file: true })
    }

    /// Whether the bytes are a file's.
    pub(super) const fn of_file(&self) -> bool {
        self.of_file
    }

    /// Gives to the disk what is in memory only.
    pub(super) fn flush(&self) -> io::Result<()> {
        if self.of_file { self.map.flush() } else { Ok(()) }
    }

    /// Takes what is a file's out of the process's memory; it is read again where it is needed again.
    pub(super) fn release(&self) {
        #[cfg(unix)]
        if self.of_file {
            // SAFETY: the pages of a shared map of a file keep what was written to them. Should the system refuse, they
            // just stay.
            drop(unsafe { self.map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) });
        }
    }
}

impl Deref for Memory {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl DerefMut for Memory {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }
}

/// Zeros that are written at once.
const PART: usize = 1 << 20;

/// Gives an empty file so many zeros that have their place on the disk.
fn reserve(file: &File, len: usize) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate};
        use rustix::io::Errno;

        match fallocate(file, FallocateFlags::empty(), 0, len as u64) {
            // What a disk can't do at once can be done by writing.
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
            done => return Ok(done?),
        }
    }
    let zeros = vec![0; PART.min(len)];
    let mut file = file;
    let mut left = len;
    while left > 0 {
        let part = left.min(PART);
        file.write_all(&zeros[..part])?;
        left -= part;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::testing::Folder;

    #[test]
    fn what_is_written_is_in_the_file() {
        let folder = Folder::new();
        let path = folder.path("a");
        for len in [1, 5000, 3 << 20] {
            let mut memory = Memory::create(&path, len).unwrap();
            assert!(memory.of_file() && memory.len() == len && memory.iter().all(|&byte| byte == 0));
            memory[len - 1] = 7;
            memory.release();
            assert_eq!(memory[len - 1], 7);
            memory.flush().unwrap();
            drop(memory);
            assert_eq!(fs::read(&path).unwrap().len(), len);
            assert_eq!(Memory::open(&path, len).unwrap()[len - 1], 7);
            assert!(Memory::open(&path, len + 1).is_err());
        }
        let memory = Memory::anonymous(10).unwrap();
        memory.release();
        assert_eq!(memory[..], [0; 10]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn no_room_is_an_error_and_leaves_nothing() {
        let folder = Folder::new();
        let path = folder.path("a");
        // More than any disk has.
        let error = Memory::create(&path, 1 << 60).err().unwrap();
        assert!(!path.exists(), "{error}");
    }
}
