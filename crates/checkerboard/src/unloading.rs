//! Frees the engine when the library is unloaded.
//!
//! CheckerBoard unloads the library when the user chooses another engine. Rust does not drop statics then, so the system is given a
//! function to call.

use super::boundary::unload;

/// Windows calls this when the library is loaded or unloaded.
#[cfg(windows)]
#[allow(non_snake_case, reason = "the name that Windows looks up")]
#[allow(unsafe_code, reason = "Windows looks it up by name")]
#[unsafe(no_mangle)]
extern "system" fn DllMain(
    _library: *mut std::ffi::c_void,
    reason: u32,
    process_ends: *mut std::ffi::c_void,
) -> i32 {
    const DETACH: u32 = 0;
    if reason == DETACH && process_ends.is_null() {
        unload();
    }
    1
}

/// Linux calls the functions of this section when the library is unloaded.
#[cfg(target_os = "linux")]
#[used]
#[allow(unsafe_code, reason = "Linux looks it up by section")]
#[unsafe(link_section = ".fini_array")]
static AT_UNLOAD: extern "C" fn() = {
    extern "C" fn at_unload() {
        unload();
    }
    at_unload
};
