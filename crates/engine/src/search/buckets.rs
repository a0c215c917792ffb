//! The memory of the transposition table. It is memory-mapped, so that unused parts cost nothing and a failed
//! allocation is an error rather than an abort. Huge pages are used if available, since address translation
//! dominates the cost of table accesses. In WebAssembly, which cannot map memory, it is allocated normally.

use std::error::Error;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use kelso_runtime::platform;
#[cfg(not(target_family = "wasm"))]
use memmap2::{MmapMut, MmapOptions};

#[derive(Debug)]
#[repr(C)]
pub(super) struct StoredEntry {
    pub(super) check: AtomicU64,
    pub(super) data: AtomicU64,
}

/// Entries that share a cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Bucket(pub(super) [StoredEntry; 4]);

const _: () = assert!(size_of::<StoredEntry>() == 16 && size_of::<Bucket>() == 64);

/// The transposition table cannot be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The size of the table.
    pub mebibytes: usize,
}

impl Error for OutOfMemory {}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot allocate {} MiB for the hash table", self.mebibytes)
    }
}

/// The buckets of the table, initially zero.
#[derive(Debug)]
pub(super) struct Buckets {
    pages: Pages,
    len: usize,
}

impl Buckets {
    pub(super) fn new(len: usize) -> std::io::Result<Self> {
        let bytes = len.checked_mul(size_of::<Bucket>()).ok_or(std::io::ErrorKind::OutOfMemory)?;
        // Some systems overcommit, so a successful allocation proves nothing.
        if platform::installed_memory().is_some_and(|installed| bytes as u64 > installed) {
            return Err(std::io::ErrorKind::OutOfMemory.into());
        }
        Ok(Self { pages: zeroed_pages(bytes)?, len })
    }
}

#[cfg(not(target_family = "wasm"))]
type Pages = MmapMut;

#[cfg(not(target_family = "wasm"))]
fn zeroed_pages(bytes: usize) -> std::io::Result<Pages> {
    let map = MmapOptions::new().len(bytes.max(1)).map_anon()?;
    // Without huge pages, the table is only slower.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

#[cfg(target_family = "wasm")]
type Pages = Vec<Page>;

#[cfg(target_family = "wasm")]
#[derive(Clone, Copy, Debug)]
#[repr(C, align(4096))]
struct Page([u8; 4096]);

#[cfg(target_family = "wasm")]
fn zeroed_pages(bytes: usize) -> std::io::Result<Pages> {
    let count = bytes.div_ceil(size_of::<Page>());
    let mut pages = Vec::new();
    pages.try_reserve_exact(count).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
    pages.resize(count, Page([0; 4096]));
    Ok(pages)
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    #[expect(unsafe_code, reason = "the only place that gives the pages a type")]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: the pages are aligned, hold at least `len` buckets, live as long as `self`, and are only
        // accessed through this slice. Their initial zeros are a valid bucket, an array of `AtomicU64`.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast(), self.len) }
    }
}
