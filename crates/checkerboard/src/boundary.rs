//! The C interface of the library.
//!
//! Pointers are either null or valid as the interface specifies. No alignment is assumed, and no panic
//! unwinds into C.
//!
//! CheckerBoard unloads the library when the user chooses another engine. Rust does not drop statics then, so
//! a function that frees them is registered with the operating system.
#![expect(unsafe_code, reason = "pointers from C")]

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(windows)]
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use super::board::{self, CbMove, Cells};
use super::command::{NAME, execute};
use super::driver::{CbResult, Driver};
use super::{storage, system};
use anyhow::bail;
use kelso_engine::search::TimeLimit;
use kelso_text::system::without_codes;

/// Size of the text buffer of `getmove`.
pub const REPLY_BYTES: usize = 1024;
/// Maximum size of a reply to a command. `CheckerBoard` itself provides less room than its interface
/// specifies.
const COMMAND_REPLY_BYTES: usize = 256;
/// The maximum length of a command.
const MAX_COMMAND_BYTES: usize = 1 << 16;
/// Size of the buffer in which clients store commands. Some fill it without a terminating zero.
const COMMAND_BYTES: usize = 256;
/// The bit of `info` for a new game.
const NEW_GAME: c_int = 1;
/// The bit of `info` for using exactly the given time.
const EXACT: c_int = 2;
/// The maximum time in seconds.
const MAX_SECONDS: f64 = 1e9;

/// Arguments below this are not addresses, since no system maps the first page.
const FIRST_ADDRESS: usize = 4096;

/// The library's only engine, since the interface has no handles.
static DRIVER: Driver = Driver::new();

/// Returns the engine, with the saved settings.
fn driver() -> &'static Driver {
    DRIVER.restore(storage::default_file);
    &DRIVER
}

/// Searches, makes the move on the board, and returns the result: 0 for a draw, 1 for a win, 2 for a loss, 3
/// for none.
///
/// Without a legal move, or if the position is invalid, only the text is changed.
///
/// # Safety
///
/// Each pointer must be null or valid for reads and writes for the duration of the call: `cells` of 64
/// numbers, `text` of 1024 characters, `play_now` of a number that other threads may write, `mv` of a
/// [`CbMove`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn getmove(
    cells: *mut Cells,
    color: c_int,
    max_time: f64,
    text: *mut c_char,
    play_now: *mut c_int,
    info: c_int,
    more_info: c_int,
    mv: *mut CbMove,
) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller promises this.
        let show = |line: &str| unsafe { write_text(text, REPLY_BYTES, &without_codes(line)) };
        let play = || {
            if cells.is_null() {
                bail!("no board");
            }
            // SAFETY: not null, and the caller promises that it is valid.
            let mut board = unsafe { cells.read_unaligned() };
            let position = board::read(&board, color)?;
            let limit = limit(max_time, info, more_info);
            let (best, result) = driver().search(&position, limit, info & NEW_GAME != 0, &mut |status| {
                status.into_iter().for_each(show);
                // SAFETY: the caller promises this.
                unsafe { is_set(play_now) }
            })?;
            if let Some(best) = best {
                board::write(&position.after(best), &mut board);
                // SAFETY: not null, and the caller promises that it is valid.
                unsafe { cells.write_unaligned(board) };
                if !mv.is_null() {
                    // SAFETY: not null, and the caller promises that it is valid.
                    unsafe { mv.write_unaligned(board::convert_move(&position, best)) };
                }
            } else {
                show(&format!("no move: {} has lost", position.side()));
            }
            Ok(result)
        };
        play().unwrap_or_else(|error| {
            show(&format!("error: {error}"));
            CbResult::Unknown
        })
    }));
    result.unwrap_or(CbResult::Unknown) as c_int
}

/// Executes a command. Returns 1 and writes the answer to `reply`, or returns 0 and writes the reason.
///
/// # Safety
///
/// Each pointer must be null or valid for the duration of the call: `command` for reads up to and including a
/// zero, `reply` for writes of 256 characters.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    let handled = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller promises this.
        let command = unsafe { read_text(command) };
        let answer = execute(driver(), &command);
        let (handled, text) = match answer {
            Ok(text) => (true, text),
            Err(error) => (false, error.to_string()),
        };
        // SAFETY: the caller promises this.
        unsafe { write_text(reply, COMMAND_REPLY_BYTES, &without_codes(&text)) };
        handled
    }));
    c_int::from(handled.unwrap_or(false))
}

/// Writes the engine's name and returns 1. Optional; a function of version 1 of the interface.
///
/// # Safety
///
/// `name` must be null or valid for writes of 255 characters.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginename(name: *mut c_char) -> c_int {
    // SAFETY: the caller promises this, and the name is much shorter than the buffer.
    unsafe { write_text(name, COMMAND_REPLY_BYTES - 1, NAME) };
    1
}

/// Returns 1 and the move if `color` may move from one square to another; otherwise returns 0. Squares have
/// their usual numbers, 1 to 32. If several captures fit, returns the first. Optional; for GUIs that do not
/// know the rules.
///
/// On systems other than Windows, some GUIs pass the game type as an extra argument before the move.
///
/// # Safety
///
/// Each pointer must be null or valid for the duration of the call: `cells` for reads of 64 numbers, `mv` for
/// writes of a [`CbMove`], and `late_mv` likewise if `mv` is a small number instead.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn islegal(
    cells: *const Cells,
    color: c_int,
    from: c_int,
    to: c_int,
    mv: *mut CbMove,
    #[cfg(not(windows))] late_mv: *mut CbMove,
) -> c_int {
    #[cfg(windows)]
    let late_mv = ptr::null_mut();
    let legal = catch_unwind(AssertUnwindSafe(|| {
        if cells.is_null() {
            return false;
        }
        // SAFETY: not null, and the caller promises that it is valid.
        let board = unsafe { cells.read_unaligned() };
        let Some(legal) = board::read(&board, color).ok().and_then(|at| board::find_move(&at, from, to))
        else {
            return false;
        };
        let mv = if mv.is_null() || mv.addr() >= FIRST_ADDRESS { mv } else { late_mv };
        if !mv.is_null() {
            // SAFETY: not null, and the caller promises that it is valid.
            unsafe { mv.write_unaligned(legal) };
        }
        true
    }));
    c_int::from(legal.unwrap_or(false))
}

/// Frees the engine's memory, since the program may continue after unloading the library.
pub fn unload() {
    // It is too late to report a panic.
    let _ = catch_unwind(|| DRIVER.release());
}

/// Windows calls this when the library is loaded or unloaded.
#[cfg(windows)]
#[allow(non_snake_case, reason = "the name that Windows looks up")]
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

/// Linux calls the functions in this section when the library is unloaded.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_UNLOAD: extern "C" fn() = {
    extern "C" fn at_unload() {
        unload();
    }
    at_unload
};

/// Returns the time limit of a move: the clock, or the time per move if there is no clock or the time is
/// exact.
fn limit(max_time: f64, info: c_int, more_info: c_int) -> TimeLimit {
    // Clamping keeps NaN, which is not a valid duration.
    let exact = Duration::try_from_secs_f64(max_time.clamp(0.0, MAX_SECONDS)).unwrap_or(Duration::ZERO);
    let unit = match info >> 2 & 3 {
        1 => 1,
        2 => 10,
        3 => 100,
        _ => 0,
    };
    if unit == 0 || info & EXACT != 0 {
        return TimeLimit::Exact(exact);
    }
    let [remaining, increment] = [more_info >> 16, more_info]
        .map(|field| Duration::from_millis(unit * u64::from((field & 0xffff).unsigned_abs())));
    TimeLimit::Clock { remaining, increment, moves_to_go: None }
}

/// Reads the text at a pointer, which may be null.
unsafe fn read_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    let mut bytes = Vec::new();
    for at in 0..MAX_COMMAND_BYTES {
        // SAFETY: the caller promises that all characters up to and including the first zero can be read.
        let [byte] = unsafe { text.add(at).read() }.to_ne_bytes();
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    decode(&bytes)
}

/// Decodes a command from UTF-8, or else from the system's code page. If invalid text follows the end of the
/// client's buffer, the terminating zero is missing and the rest is unrelated memory, which is ignored.
fn decode(bytes: &[u8]) -> String {
    if let Ok(text) = str::from_utf8(bytes)
        && !text.bytes().skip(COMMAND_BYTES).any(|byte| byte.is_ascii_control())
    {
        return text.to_owned();
    }
    let command = bytes.get(..COMMAND_BYTES).unwrap_or(bytes);
    match str::from_utf8(command) {
        Ok(text) => text.to_owned(),
        // The buffer ends in the middle of a character.
        Err(error) if command.len() < bytes.len() && error.error_len().is_none() => {
            String::from_utf8_lossy(&command[..error.valid_up_to()]).into_owned()
        }
        Err(_) => system::decode(command),
    }
}

/// Writes text, truncated to a size, to a buffer that another thread may be reading. The buffer is
/// zero-terminated at all times. Nothing is written after the zero, since some callers provide a buffer
/// smaller than `size`.
unsafe fn write_text(room: *mut c_char, size: usize, text: &str) {
    if room.is_null() {
        return;
    }
    let cut = (0..size.min(text.len() + 1)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    let bytes = system::encode(&text[..cut]);
    let end = bytes.len().min(size - 1);
    // SAFETY: the caller promises room for `size` characters, and nothing is written beyond that.
    let put = |at, byte: u8| unsafe { room.add(at).write_volatile(c_char::from_ne_bytes([byte])) };
    put(end, 0);
    for (at, &byte) in bytes.iter().take(end).enumerate() {
        // A zero would terminate the text.
        put(at, if byte == 0 { b' ' } else { byte });
    }
}

/// Returns whether a flag that another thread writes is set. Null or unaligned pointers count as not set.
unsafe fn is_set(flag: *mut c_int) -> bool {
    if flag.is_null() || !flag.is_aligned() {
        return false;
    }
    // SAFETY: not null and aligned, and the caller promises that it is valid. Other threads write it
    // atomically.
    unsafe { AtomicI32::from_ptr(flag) }.load(Ordering::Relaxed) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_has_priority_over_the_time_for_the_move() {
        let ms = Duration::from_millis;
        let clock = |remaining, increment| TimeLimit::Clock {
            remaining: ms(remaining),
            increment: ms(increment),
            moves_to_go: None,
        };
        let fields = 3000 << 16 | 0x14;
        assert_eq!(limit(1.5, 0, fields), TimeLimit::Exact(ms(1500)));
        assert_eq!(limit(1.5, 1, fields), TimeLimit::Exact(ms(1500)));
        assert_eq!(limit(1.5, 1 << 2, fields), clock(3000, 20));
        assert_eq!(limit(1.5, 2 << 2 | 1, fields), clock(30_000, 200));
        assert_eq!(limit(1.5, 3 << 2, fields), clock(300_000, 2000));
        assert_eq!(limit(1.5, 3 << 2 | EXACT, fields), TimeLimit::Exact(ms(1500)));
        assert_eq!(limit(0.0, 1 << 2, -1), clock(65_535, 65_535));
    }

    #[test]
    fn commands_in_the_code_page_of_the_system_are_decoded() {
        assert_eq!(decode("set dbpath C:\\Été".as_bytes()), "set dbpath C:\\Été");
        #[cfg(not(windows))]
        assert_eq!(decode(b"set dbpath C:\\\xc9t\xe9 \x80"), "set dbpath C:\\Été €");
        let long = "set dbpath ".to_owned() + &"é".repeat(200);
        assert_eq!(decode(long.as_bytes()), long);
        // The buffer ends in the middle of a character, and unrelated memory follows.
        let damaged = [&long.as_bytes()[..COMMAND_BYTES], b"\xff\x01"].concat();
        assert_eq!(decode(&damaged), long[..COMMAND_BYTES - 1]);
    }

    #[test]
    fn invalid_times_are_clamped() {
        for time in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0] {
            assert_eq!(limit(time, 0, 0), TimeLimit::Exact(Duration::ZERO));
        }
        assert_eq!(limit(f64::INFINITY, 0, 0), TimeLimit::Exact(Duration::from_secs(1_000_000_000)));
    }
}
