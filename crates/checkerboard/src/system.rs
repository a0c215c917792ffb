//! Queries to the operating system: the folder of this library, and the code page, which is the encoding of
//! non-Unicode programs such as `CheckerBoard`.
#![expect(unsafe_code, reason = "functions of the operating system")]

use std::path::PathBuf;

/// Returns the folder of this library, or `None` if it is unknown.
#[cfg(unix)]
pub(super) fn library_folder() -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr};
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt;

    let own: fn() -> Option<PathBuf> = library_folder;
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the address is only looked up, and there is room for the result.
    if unsafe { libc::dladdr(own as *const libc::c_void, info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: the call succeeded, so `info` was initialised.
    let name = unsafe { info.assume_init() }.dli_fname;
    if name.is_null() {
        return None;
    }
    // SAFETY: the string belongs to the loader and lives as long as this library is loaded.
    let name = OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes());
    std::fs::canonicalize(name).ok()?.parent().map(PathBuf::from)
}

/// Returns the folder of this library, or `None` if it is unknown.
#[cfg(windows)]
pub(super) fn library_folder() -> Option<PathBuf> {
    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt;
    use windows_sys::Win32::System::LibraryLoader::{
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
        GetModuleFileNameW, GetModuleHandleExW,
    };

    /// Maximum length of a path on Windows.
    const MAX_PATH: u32 = 1 << 15;
    let own: fn() -> Option<PathBuf> = library_folder;
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let mut module = std::ptr::null_mut();
    // SAFETY: with these flags the second argument is an address, which is only looked up.
    if unsafe { GetModuleHandleExW(flags, own as *const u16, &raw mut module) } == 0 {
        return None;
    }
    let mut name = vec![0; MAX_PATH as usize];
    // SAFETY: `name` has room for `MAX_PATH` characters.
    let length = unsafe { GetModuleFileNameW(module, name.as_mut_ptr(), MAX_PATH) };
    let path = PathBuf::from(OsString::from_wide(name.get(..length as usize)?));
    path.parent().map(PathBuf::from)
}

/// Decodes text that is not UTF-8, using the system's code page.
#[cfg(windows)]
pub(super) fn decode(bytes: &[u8]) -> String {
    use windows_sys::Win32::Globalization::{CP_ACP, MultiByteToWideChar};

    let Ok(length) = i32::try_from(bytes.len()) else { return String::new() };
    // In every code page, text has at most as many UTF-16 units as bytes.
    let mut text = vec![0; bytes.len()];
    // SAFETY: `bytes` is readable for `length` bytes, and `text` has room for `length` characters.
    let count = unsafe { MultiByteToWideChar(CP_ACP, 0, bytes.as_ptr(), length, text.as_mut_ptr(), length) };
    text.truncate(count.unsigned_abs() as usize);
    String::from_utf16_lossy(&text)
}

/// Decodes text that is not UTF-8 as Windows-1252, since other systems have no code page.
#[cfg(not(windows))]
pub(super) fn decode(bytes: &[u8]) -> String {
    kelso_draughts::notation::encoding::lines(bytes).into_owned()
}

/// Encodes text for the host program in the system's code page, with `?` for other characters.
#[cfg(windows)]
pub(super) fn encode(text: &str) -> Vec<u8> {
    use std::ptr::{null, null_mut};
    use windows_sys::Win32::Globalization::{CP_ACP, WideCharToMultiByte};

    let wide: Vec<u16> = text.encode_utf16().collect();
    let Ok(length) = i32::try_from(wide.len()) else { return Vec::new() };
    // No code page needs more than four bytes per UTF-16 unit.
    let mut bytes = vec![0; 4 * wide.len()];
    let room = 4 * length;
    // SAFETY: `wide` has the stated number of units, and `bytes` has the stated room.
    let count = unsafe {
        WideCharToMultiByte(CP_ACP, 0, wide.as_ptr(), length, bytes.as_mut_ptr(), room, null(), null_mut())
    };
    bytes.truncate(count.unsigned_abs() as usize);
    bytes
}

/// Encodes text for the host program as UTF-8, since other systems have no code page.
#[cfg(not(windows))]
pub(super) fn encode(text: &str) -> &[u8] {
    text.as_bytes()
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn code_page_texts_round_trip() {
        for text in ["", "set dbpath C:\\games", "\u{e4}\u{20ac}"] {
            assert_eq!(decode(&encode(text)), text);
        }
        assert_eq!(encode("\u{e4}"), b"\xe4");
    }
}
