//! Large blocks of zeroed memory. They are mapped, so that they cost nothing until they are used and a failure is an error
//! instead of an abort, and on huge pages where the system has them, since address translation dominates the cost of a
//! table.

use std::marker::PhantomData;
use std::ops::Deref;

use memmap2::{MmapMut, MmapOptions};

/// The transposition table cannot be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot allocate {mebibytes} MiB for the hash table")]
pub struct OutOfMemory {
    /// The size of the table.
    pub mebibytes: usize,
}

/// A slice that begins as zeros. `T` must be made of atomic integers, for which zeros are a value and which may be
/// written through a shared reference.
#[derive(Debug)]
pub(super) struct Zeroed<T> {
    map: MmapMut,
    len: usize,
    _of: PhantomData<T>,
}

/// Types that [`Zeroed`] may hold.
///
/// # Safety
///
/// All-zero bytes must be a value of the type, its alignment at most a page, and nothing in it may need dropping.
#[expect(unsafe_code, reason = "declares what the cast below relies on")]
pub(super) unsafe trait ZeroIsValid: Sync {}

impl<T: ZeroIsValid> Zeroed<T> {
    pub(super) fn new(len: usize) -> std::io::Result<Self> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(std::io::ErrorKind::OutOfMemory)?;
        if installed_bytes().is_some_and(|installed| bytes as u64 > installed) {
            return Err(std::io::ErrorKind::OutOfMemory.into());
        }
        let map = MmapOptions::new().len(bytes.max(1)).map_anon()?;
        // A refusal of huge pages costs speed only.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, len, _of: PhantomData })
    }
}

/// Asks for a value to be brought into the cache. Changes nothing but the time that the next look at it takes.
#[inline]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the instruction has no safe name")]
    // SAFETY: every x86-64 processor has it, and it can't fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Returns the memory of this machine, where it can be asked: some systems promise more than they have.
fn installed_bytes() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

impl<T: ZeroIsValid> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    #[expect(unsafe_code, reason = "the map is typed nowhere else")]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is page-aligned, at least `len` values long, zeroed, lives as long as `self`, and is only
        // ever seen through this slice; the trait promises that zeros are values.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<T>(), self.len) }
    }
}
