//! Memory for tables: the process's own, or a mapped file.
//!
//! Writes to a file survive if the process is killed. Pages in use count as the process's memory until they
//! are released. After that they stay in the system's cache until another process needs the memory, and are
//! never swapped. Disk space is allocated when a file is created, so that a full disk is an error at that
//! point, not during a write to memory.
#![expect(unsafe_code, reason = "maps files that no other process of Kelso writes, and releases their pages")]

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use memmap2::{MmapMut, MmapOptions};

pub(super) struct Memory {
    pub(super) bytes: MmapMut,
    pub(super) is_file: bool,
}

impl Memory {
    /// Allocates zeroed memory in the process.
    pub(super) fn anonymous(len: usize) -> io::Result<Self> {
        let bytes = MmapOptions::new().len(len.max(1)).map_anon()?;
        Ok(Self { bytes, is_file: false })
    }

    /// Creates a file of zeros, replacing any existing file.
    pub(super) fn create(path: &Path, len: usize) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        let memory = reserve(&file, len.max(1)).and_then(|()| Self::map(&file, len));
        if memory.is_err() {
            drop(file);
            drop(fs::remove_file(path));
        }
        memory
    }

    /// Maps the first bytes of a file.
    pub(super) fn open(path: &Path, len: usize) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        if file.metadata()?.len() < len as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Self::map(&file, len)
    }

    fn map(file: &File, len: usize) -> io::Result<Self> {
        // SAFETY: the files are in a folder that only the build uses. While a file is mapped, it is not
        // truncated, and it is written only through the map.
        let bytes = unsafe { MmapOptions::new().len(len.max(1)).map_mut(file)? };
        Ok(Self { bytes, is_file: true })
    }

    pub(super) fn flush(&self) -> io::Result<()> {
        if self.is_file { self.bytes.flush() } else { Ok(()) }
    }

    /// Releases the pages of a file. They are read again when needed.
    pub(super) fn release(&self) {
        #[cfg(unix)]
        if self.is_file {
            // SAFETY: a shared map keeps the data written to its pages. If the system refuses, they stay in
            // memory.
            drop(unsafe { self.bytes.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) });
        }
    }
}

/// Extends an empty file with zeros and allocates the disk space.
fn reserve(file: &File, len: usize) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate};
        use rustix::io::Errno;

        match fallocate(file, FallocateFlags::empty(), 0, len as u64) {
            // If the system does not support allocation, write the zeros.
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
            done => return Ok(done?),
        }
    }
    let mut out = io::BufWriter::with_capacity(1 << 20, file);
    io::copy(&mut io::repeat(0).take(len as u64), &mut out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use runs::testing::Folder;

    #[test]
    fn what_is_written_is_in_the_file() {
        let folder = Folder::new();
        let path = folder.path("a");
        for len in [1, 5000, 3 << 20] {
            let mut memory = Memory::create(&path, len).unwrap();
            assert!(
                memory.is_file && memory.bytes.len() == len && memory.bytes.iter().all(|&byte| byte == 0)
            );
            memory.bytes[len - 1] = 7;
            memory.release();
            assert_eq!(memory.bytes[len - 1], 7);
            memory.flush().unwrap();
            drop(memory);
            assert_eq!(fs::read(&path).unwrap().len(), len);
            assert_eq!(Memory::open(&path, len).unwrap().bytes[len - 1], 7);
            assert!(Memory::open(&path, len + 1).is_err());
        }
        let memory = Memory::anonymous(10).unwrap();
        memory.release();
        assert_eq!(memory.bytes[..], [0; 10]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn no_room_is_an_error_and_leaves_nothing() {
        let folder = Folder::new();
        let path = folder.path("a");
        // Request more than any disk can hold.
        let error = Memory::create(&path, 1 << 60).err().unwrap();
        assert!(!path.exists(), "{error}");
    }
}
