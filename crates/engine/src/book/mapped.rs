//! Files as memory.

use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use common::file;

/// The bytes of a book: part of the program, of a file, or made just now.
#[derive(Debug)]
pub(super) enum Bytes {
    Static(&'static [u8]),
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    /// Those of a file, which come into memory as they are looked at.
    #[expect(
        unsafe_code,
        reason = "a file can change under its map. Kelso never writes into a book: a new one takes the old one's name, and \
                  readers keep the old one"
    )]
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let file = file::open_regular(path)?;
        if file.metadata()?.len() == 0 {
            // Nothing can't be mapped.
            return Ok(Self::Static(&[]));
        }
        // SAFETY: see above. The bytes are only read, and every number in them is checked before it is used.
        unsafe { Mmap::map(&file) }.map(Self::Mapped)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
