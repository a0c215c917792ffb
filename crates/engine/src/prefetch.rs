//! Loads memory into the processor's cache before it is needed.

/// Prefetches a value into the cache, which only makes the next access faster.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the instruction has no safe name")]
    // SAFETY: every x86-64 processor has the instruction, and it cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(target_family = "wasm")]
    #[expect(unsafe_code, reason = "the compiler would remove an ordinary read of an unused value")]
    // SAFETY: the reference is valid for reading a byte, and there is only one thread. The processor does not
    // wait for the result.
    unsafe {
        std::ptr::from_ref(value).cast::<u8>().read_volatile();
    }
    #[cfg(not(any(target_arch = "x86_64", target_family = "wasm")))]
    let _ = value;
}
