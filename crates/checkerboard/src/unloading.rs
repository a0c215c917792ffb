//! The shared library that CheckerBoard loads: `cargo build --release --example checkerboard`.
//!
//! CheckerBoard unloads it when another engine is chosen. What a library keeps in a static is not given back then, so the
//! system is told whom to call.
#![allow(unsafe_code, reason = "the system looks for these by their names")]

pub use checkerboard::{enginecommand, getmove};

/// Called by Windows, among others for the end.
#[cfg(windows)]
#[allow(non_snake_case, reason = "the name that Windows knows")]
#[unsafe(no_mangle)]
extern "system" fn DllMain(
    _library: *mut std::ffi::c_void,
    reason: u32,
    process_ends: *mut std::ffi::c_void,
) -> i32 {
    const DETACH: u32 = 0;
    if reason == DETACH && process_ends.is_null() {
        checkerboard::unload();
    }
    1
}

/// Called by Linux at the end.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_THE_END: extern "C" fn() = {
    extern "C" fn unload() {
        checkerboard::unload();
    }
    unload
};
